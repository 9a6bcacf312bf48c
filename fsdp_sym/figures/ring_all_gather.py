"""Start here: an all-gather on a ring, step by step, and which shards each rank holds after each."""

from __future__ import annotations

from ..formulas.communication.ring import passed_on
from . import style
from .columns import named, table
from .picture import Picture

RANKS = 4
SLOT, GAP, ROW, LEFT, TOP = 0.27, 0.68, 0.56, 0.75, 0.5


@style.styled
def draw() -> Picture:
    """Ranks from top to bottom, steps from left to right; in each place the shards held there."""
    arriving = [list(range(RANKS)), *passed_on(RANKS)]
    steps = len(arriving) - 1
    held = [[[arriving[t][rank] for t in range(step + 1)] for rank in range(RANKS)] for step in range(steps + 1)]
    moments = ["start", *(f"step {step}" for step in range(1, steps + 1))]
    columns = [named("rank", map(str, range(RANKS))), *(named(m, (_said(h) for h in row)) for m, row in zip(moments, held, strict=True))]

    height = TOP + RANKS * ROW + 0.45
    figure = style.canvas(
        f"In {steps} steps each of {RANKS} ranks gathers all {RANKS} shards",
        "a ring all-gather: each rank passes on what came last",
        height + 0.7,
    )
    sheet = style.sheet(figure, (0.15, 0.05, style.WIDTH - 0.3, height))
    for step, moment in enumerate(moments):
        left = LEFT + step * (RANKS * SLOT + GAP)
        style.word(sheet, left + RANKS * SLOT / 2, TOP - 0.28, moment, ha="center", fontweight="bold")
        for rank in range(RANKS):
            top = TOP + rank * ROW
            for shard in range(RANKS):
                holds, new = shard in held[step][rank], shard == held[step][rank][-1]
                colour = style.ORANGE if new and step else style.BLUE if holds else style.WASH
                label = f"{moment}: {'held' if holds else 'missing'}"
                style.box(sheet, left + shard * SLOT, top, SLOT, SLOT, facecolor=colour, label=label)
                if holds:
                    style.word(sheet, left + (shard + 0.5) * SLOT, top + SLOT / 2, str(shard), ha="center", color=style.on(colour))
            if step < steps:
                right, after = left + RANKS * SLOT + 0.05, TOP + (rank + 1) % RANKS * ROW
                style.arrow(sheet, (right, top + SLOT / 2), (right + GAP - 0.1, after + SLOT / 2), color=style.QUIET)
    for rank in range(RANKS):
        style.word(sheet, LEFT - 0.12, TOP + rank * ROW + SLOT / 2, f"rank {rank}", ha="right")
    below = TOP + (RANKS - 1) * ROW + SLOT
    for says, step, shard, by in (
        ("its own shard", 0, RANKS - 1, (-66, -17)), ("not yet here", 1, 0, (-40, -17)), ("just received", 1, RANKS - 2, (12, -17)),
    ):  # fmt: skip
        style.lead(sheet, says, (LEFT + step * (RANKS * SLOT + GAP) + (shard + 0.5) * SLOT, below), by)
    return Picture(
        figure,
        table(columns),
        f"Shards held by {RANKS} ranks on a ring. At the start each holds its own; in each of {steps} steps it receives one more from its "
        f"neighbour: {'; '.join(f'after {m} rank 0 holds {_said(row[0])}' for m, row in zip(moments[1:], held[1:], strict=True))}.",
    )


def _said(shards: list[int]) -> str:
    return " ".join(map(str, sorted(shards)))

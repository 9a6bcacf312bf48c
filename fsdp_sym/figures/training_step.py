"""Start here: one training step of a sharded model, what is sent when, and what one rank holds meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from . import style
from .columns import measured, named, table
from .picture import Picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes

UNITS, RANKS = 3, 4
BUFFERS = ("parameters", "gradients", "momentum", "variance")
SENT = ("all-gather", "compute", "reduce-scatter")
NOTHING, SHARD, WHOLE = 0, 1, RANKS  # how many of a unit's shards a rank holds

INCH: Final = 72  # in points
LEFT, SLOT, WIDE, ROW, GROUP, LANE = 1.32, 0.175, 0.84, 0.19, 0.1, 0.27


@dataclass(frozen=True)
class Moment:
    """While one unit computes: what is done, and how many shards of each unit's buffers a rank holds."""

    phase: str
    unit: str
    done: tuple[str, ...]
    holds: dict[str, tuple[int, ...]]

    def count(self, buffer: str) -> int:
        return sum(self.holds[buffer])


def moments() -> Iterator[Moment]:
    """Plays one step: forward, backward, optimizer. Adam's two moments are sharded from first to last."""
    units = range(UNITS)
    adam = {"momentum": (SHARD,) * UNITS, "variance": (SHARD,) * UNITS}
    gradients = [NOTHING] * UNITS
    for phase, order, done in (("forward", units, SENT[:2]), ("backward", reversed(units), SENT)):
        for unit in order:
            gathered = tuple(WHOLE if other == unit else SHARD for other in units)
            if phase == "backward":
                gradients[unit] = WHOLE
            yield Moment(phase, f"unit {unit + 1}", done, {"parameters": gathered, "gradients": tuple(gradients), **adam})
            if phase == "backward":
                gradients[unit] = SHARD
    yield Moment("optimizer", "all units", SENT[1:2], {"parameters": (SHARD,) * UNITS, "gradients": tuple(gradients), **adam})


@style.styled
def draw() -> Picture:
    """Time from left to right; above what is sent and computed, below what rank 0 holds while it computes."""
    played = list(moments())
    columns = [
        named("moment", (f"{m.phase}, {m.unit}" for m in played)),
        named("done in turn", (", ".join(m.done) for m in played)),
        *(measured(buffer, [m.count(buffer) for m in played]) for buffer in BUFFERS),
        measured("shards held", [sum(m.count(b) for b in BUFFERS) for m in played]),
    ]
    total = columns[-1]
    figure = style.canvas(
        "A rank keeps its shard of everything, and one unit whole at a time",
        f"one training step with Adam, a model of {UNITS} units on {RANKS} ranks; seen from rank 0",
        6.0,
    )
    sheet = style.sheet(figure, (0.15, 0.05, style.WIDTH - 0.3, 5.25))
    top = _lanes(sheet, played)
    style.word(sheet, _left(0), top + 0.2, "held meanwhile, a row a unit and a column a rank", color=style.QUIET)
    for says, at, slot, unit in (("its own shard", 0, 0, 0), ("whole for the moment", 1, 2, 1), ("not on this rank", 3, 2, 1)):
        mark = _left(at) + (slot + 0.5) * SLOT, top + 0.72 + (unit + 0.3) * ROW
        style.lead(sheet, says, mark, (0, (0.3 + (unit + 0.3) * ROW) * INCH))
    top = _held(sheet, played, top + 0.72)
    style.word(sheet, LEFT - 0.12, top + 0.12, "shards held", ha="right", fontweight="bold")
    for at, said in enumerate(total.texts):
        style.word(sheet, _left(at) + 2 * SLOT, top + 0.12, said, ha="center", fontweight="bold")
    return Picture(
        figure,
        table(columns),
        f"One training step of {UNITS} units on {RANKS} ranks. Forward, each unit is all-gathered, computed and freed; backward, it is "
        f"all-gathered again and its gradients are reduce-scattered; then Adam updates the shard. Of {len(BUFFERS) * UNITS * RANKS} "
        f"shards one rank holds {total.texts[0]} at first, at most {max(map(int, total.texts))}, and {total.texts[-1]} in the "
        f"optimizer step.",
    )


def _left(at: int) -> float:
    """Where a moment begins; a little air between the phases."""
    return LEFT + at * WIDE + (at >= UNITS) * 0.06 + (at >= 2 * UNITS) * 0.06 - 0.06


def _lanes(sheet: Axes, played: list[Moment]) -> float:
    """A lane each for gathering, computing and scattering; each moment runs through its own from left to right."""
    third = 4 * SLOT / 3
    colours = {"all-gather": style.ORANGE, "compute": style.COMPUTE, "reduce-scatter": style.RED}
    for at, moment in enumerate(played):
        if at == 0 or played[at - 1].phase != moment.phase:
            style.word(sheet, _left(at), 0.1, moment.phase, fontweight="bold")
        style.word(sheet, _left(at), 0.36, moment.unit)
        for action in moment.done:
            lane = SENT.index(action)
            style.box(sheet, _left(at) + lane * third, 0.55 + lane * LANE, third, LANE - 0.05, facecolor=colours[action], label=action)
    for lane, action in enumerate(SENT):
        style.word(sheet, LEFT - 0.12, 0.55 + (lane + 0.42) * LANE, action, ha="right")
    return 0.55 + len(SENT) * LANE


def _held(sheet: Axes, played: list[Moment], top: float) -> float:
    """For each buffer the units as strips of shards, one slot a rank; the first slot is this rank's own."""
    for buffer in BUFFERS:
        style.word(sheet, LEFT - 0.12, top + UNITS * ROW / 2, buffer, ha="right")
        for at, moment in enumerate(played):
            for unit, held in enumerate(moment.holds[buffer]):
                for slot in range(RANKS):
                    holds = slot < held
                    colour = style.WASH if not holds else style.BLUE if slot == 0 else style.ORANGE
                    label = f"{buffer}: {'held' if holds else 'elsewhere'}"
                    style.box(sheet, _left(at) + slot * SLOT, top + unit * ROW, SLOT, ROW, facecolor=colour, label=label)
        top += UNITS * ROW + GROUP
    return top

"""Cell I: state per rank as ranks are added, under four laws, each with the floor that nobody divides."""

from __future__ import annotations

from ..algebra.units import show
from ..algebra.vocabulary import N, P
from ..reasoning.work import work
from ..scenarios.cells import CELLS
from ..scenarios.conventions import CONVENTIONS
from . import style
from .columns import amount_of, measured, table
from .picture import Picture

RANKS = tuple(2**power for power in range(10))
LAWS = (
    ("Megatron", "Megatron distributed optimizer", style.REPLICATED),
    ("ZeRO-1", "ZeRO-1", style.GREY),
    ("ZeRO-2", "ZeRO-2", style.INK),
    ("ZeRO-3, FSDP2", "ZeRO-3", style.SHARDED),
)


@style.styled
def draw() -> Picture:
    """Four falling lines, and where each of them ends."""
    ranks = measured("ranks N", RANKS)
    laws, floors = [], []
    for name, convention, _ in LAWS:
        chosen = CONVENTIONS[convention]
        widths = {s.name: amount for s, amount in chosen.plan.values.items()}
        laws.append(measured(name, [work("I", chosen.state, **widths, N=n) for n in RANKS], "GB"))
        floors.append(show(amount_of(work("I", chosen.state, **widths, N="oo")), "GB"))

    ends = [floor.partition(" ")[0] for floor in floors]
    finding = f"However many ranks share it, {', '.join(ends[:-1])} or {floors[-1]} stay on each"
    figure = style.canvas(finding, CELLS["I"].source.partition(" in ")[0] + " under four laws of sharding", 4.6)
    axes = style.panel(figure, (0.65, 0.6, 6.55, 3.05), "ranks N (logarithmic)", "model state per rank (GB)")
    style.count_axis(axes, RANKS)
    axes.set_xlim(0.9, RANKS[-1] * 1.12)
    axes.set_ylim(-4, 1.08 * max(laws[0].drawn))
    for (name, _, colour), law, floor in zip(LAWS, laws, floors, strict=True):
        style.line(axes, ranks, law, color=colour, marker=".", markersize=7)
        style.note(axes, f"{name}: {floor} stay", (ranks.drawn[-1], law.drawn[-1]), (0, 9), ha="right")
    here = RANKS.index(int(CELLS["I"].values[N].value))
    for law, row, by in ((laws[0], 0, (9, 4)), (laws[0], here, (2, 11)), (laws[-1], here, (-6, -11))):
        side = "right" if law is laws[-1] else "left"
        style.note(axes, f"N = {ranks.texts[row]}: {law.texts[row]}", (ranks.drawn[row], law.drawn[row]), by, ha=side)
    each = "; ".join(
        f"{name} falls from {law.texts[0]} on {ranks.texts[0]} rank to {law.texts[here]} on {ranks.texts[here]}, towards {floor}"
        for (name, *_), law, floor in zip(LAWS, laws, floors, strict=True)
    )
    return Picture(
        figure,
        table([ranks, *laws]),
        f"Model state per rank of {show(CELLS['I'].values[P])} parameters against ranks, under {len(LAWS)} laws: {each}.",
    )

"""Cell A: model state per GPU as ranks are added, a full replica beside FSDP, under the line of the device's memory."""

from __future__ import annotations

from ..algebra.units import show
from ..algebra.vocabulary import M_max, N, P
from ..reasoning.work import work
from ..scenarios.cells import CELLS
from . import style
from .columns import measured, table
from .picture import Picture

RANKS = (1, 2, 3, 4, 5, 6, 8, 12, 16, 24, 32, 48, 64)


@style.styled
def draw() -> Picture:
    """Memory per GPU against ranks: flat for a replica, falling under FSDP, equal on one rank."""
    given = CELLS["A"].values
    one, chosen = 0, RANKS.index(int(given[N].value))
    ranks = measured("ranks N", RANKS)
    replica = measured("full replica", [work("A", "replicated_state")] * len(RANKS), "GB")
    sharded = measured("FSDP", [work("A", "sharded_state", N=n) for n in RANKS], "GB")
    device = measured("device memory", [given[M_max]] * len(RANKS), "GB")

    finding = f"Sharded over {ranks.texts[chosen]} ranks, {replica.texts[0]} of state become {sharded.texts[chosen]} a GPU"
    figure = style.canvas(finding, CELLS["A"].source, 4.4)
    axes = style.panel(figure, (0.65, 0.6, 6.55, 2.85), "ranks N (logarithmic)", "model state per GPU (GB)")
    style.count_axis(axes, [n for n in RANKS if n & (n - 1) == 0])
    axes.set_ylim(0, 1.12 * replica.drawn[0])
    axes.set_xlim(0.9, RANKS[-1] * 1.12)
    style.line(axes, ranks, replica, color=style.REPLICATED)
    style.line(axes, ranks, sharded, color=style.SHARDED, marker=".", markersize=7)
    style.level(axes, device)
    style.points(axes, ranks.at(one, chosen), sharded.at(one, chosen), style.SHARDED, markersize=10)
    end = ranks.drawn[-1]
    style.note(axes, f"full replica: {replica.texts[0]} on every GPU", (end, replica.drawn[0]), (0, 10), ha="right", color=style.REPLICATED)
    style.note(axes, f"memory of one device: {device.texts[0]}", (end, device.drawn[0]), (0, 9), ha="right")
    style.note(axes, f"N = {ranks.texts[one]}: the same, {sharded.texts[one]}", (1, sharded.drawn[one]), (2, 11))
    style.note(axes, f"N = {ranks.texts[chosen]}: {sharded.texts[chosen]}", (ranks.drawn[chosen], sharded.drawn[chosen]), (6, 12))
    style.note(axes, "FSDP: an N-th of it", (ranks.drawn[2], sharded.drawn[2]), (8, 6), color=style.SHARDED)
    return Picture(
        figure,
        table([ranks, replica, sharded, device]),
        f"Model state per GPU of {show(given[P])} parameters against ranks. A full replica stays at {replica.texts[0]}, above the device's "
        f"{device.texts[0]}; FSDP holds {sharded.texts[one]} on {ranks.texts[one]} rank, {sharded.texts[1]} on {ranks.texts[1]} and "
        f"{sharded.texts[chosen]} on {ranks.texts[chosen]}.",
    )

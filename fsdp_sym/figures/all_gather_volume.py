"""Cell D: bytes each rank receives in an all-gather, rising towards the whole tensor and never reaching it."""

from __future__ import annotations

from ..algebra.vocabulary import N
from ..reasoning.work import work
from ..scenarios.cells import CELLS
from . import style
from .columns import measured, table
from .picture import Picture

RANKS = (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 24, 32, 48, 64, 128, 256)
MARKED = (int(CELLS["D"].values[N].value), 64)


@style.styled
def draw() -> Picture:
    """Bytes received per rank against ranks, with the limit."""
    ranks = measured("ranks N", RANKS)
    received = measured("received per rank", [work("D", "all_gather", N=n) for n in RANKS], "MB")
    limit = measured("limit", [work("D", "all_gather", N="oo")] * len(RANKS), "MB")
    few, many = (RANKS.index(n) for n in MARKED)

    figure = style.canvas(f"With more ranks an all-gather tends to the whole {limit.texts[0]}", CELLS["D"].source, 4.4)
    axes = style.panel(figure, (0.65, 0.6, 6.55, 2.85), "ranks N (logarithmic)", "received per rank (MB)")
    style.count_axis(axes, [n for n in RANKS if n & (n - 1) == 0])
    axes.set_xlim(0.9, RANKS[-1] * 1.12)
    axes.set_ylim(0, 1.15 * limit.drawn[0])
    style.level(axes, limit)
    style.line(axes, ranks, received, color=style.SHARDED, marker=".", markersize=7)
    style.points(axes, ranks.at(few, many), received.at(few, many), style.SHARDED, markersize=10)
    style.note(axes, f"limit: the whole tensor, {limit.texts[0]}", (1, limit.drawn[0]), (0, 10))
    for row, by in ((few, (10, -8)), (many, (2, -16))):
        style.note(axes, f"N = {ranks.texts[row]}: {received.texts[row]}", (ranks.drawn[row], received.drawn[row]), by)
    style.note(axes, f"N = {ranks.texts[0]}: nothing to receive", (1, 0), (20, 9))
    return Picture(
        figure,
        table([ranks, received, limit]),
        f"Bytes each rank receives in an all-gather of {limit.texts[0]} against ranks: {received.texts[0]} on {ranks.texts[0]} rank, "
        f"{received.texts[few]} on {ranks.texts[few]}, {received.texts[many]} on {ranks.texts[many]}, "
        f"tending to a dashed limit of {limit.texts[0]}.",
    )

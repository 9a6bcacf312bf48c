"""Cell M: what the last ranks of a large world hold of a model and allocate for it, against an even share."""

from __future__ import annotations

from ..algebra.units import Amount, byte, to_exact
from ..algebra.vocabulary import N, f
from ..reasoning.ranks import rank_bytes
from ..reasoning.work import work
from ..scenarios.cells import CELLS
from ..scenarios.shapes import SHAPES
from . import style
from .columns import amount_of, measured, table
from .picture import Picture

SHOWN = 32


@style.styled
def draw() -> Picture:
    """A bar a rank, a line for what is allocated, a dashed one for the even share."""
    given = CELLS["M"].values
    last = int(given[N].value)
    numbers = range(last - SHOWN, last)
    held = rank_bytes(SHAPES["Llama-2-7B"], last).allocated
    rank = measured("rank", numbers)
    rows = measured("rows of a way up", [work("M", "rows_of_rank", d_0=given[f], n_rank=n) for n in numbers])
    own = measured("held", [work("M", "model_on_rank", n_rank=n) for n in numbers], "MB")
    allocated = measured("allocated", [Amount(to_exact(int(held[n])), byte) for n in numbers], "MB")
    even = measured("even share", [work("M", "buffer_shard", b_buf=16)] * SHOWN, "MB")
    empty = int(amount_of(work("M", "empty_ranks", d_0=given[f])).value)
    turn = SHOWN - empty - 1  # the rank at which the rows run out

    figure = style.canvas(f"The last {empty} of {last:,} ranks hold about half of what the others do", CELLS["M"].source, 4.6)
    axes = style.panel(figure, (0.65, 0.6, 6.55, 3.05), f"rank (the last {SHOWN} of {last:,})", "of the model on each rank (MB)")
    axes.set_xlim(numbers[0] - 0.7, numbers[-1] + 0.7)
    axes.set_ylim(0, 1.25 * max(allocated.drawn))
    axes.set_xticks(ticks := [numbers[0], numbers[turn], numbers[-1]], [str(tick) for tick in ticks])
    style.bars(axes, rank.drawn, own, color=style.SHARDED, width=0.86)
    style.level(axes, even)
    style.line(axes, rank, allocated, color=style.REPLICATED, drawstyle="steps-mid")
    style.note(axes, f"allocated: {allocated.texts[-1]}", (numbers[-1], allocated.drawn[-1]), (0, 8), ha="right", color=style.REPLICATED)
    style.note(axes, f"even share: {even.texts[0]}", (numbers[-1], even.drawn[0]), (0, 9), ha="right")
    full, rest, none = 0, turn, SHOWN - 1
    said = f"held: {own.texts[full]}, {rows.texts[full]} rows of each way up"
    style.note(axes, said, (numbers[full], allocated.drawn[full]), (-4, 13), color=style.SHARDED)
    style.note(axes, f"rank {rank.texts[rest]}: {own.texts[rest]}, {rows.texts[rest]} rows", (numbers[rest], own.drawn[rest]), (14, 6))
    style.note(axes, f"held: {own.texts[none]}, no row", (numbers[none], own.drawn[none]), (0, 9), ha="right", color=style.SHARDED)
    return Picture(
        figure,
        table([rank, rows, own, allocated, even]),
        f"Bytes that ranks {rank.texts[0]} to {rank.texts[-1]} of {last:,} hold of Llama-2-7B, as bars: {own.texts[full]} up to rank "
        f"{rank.texts[rest - 1]}, {own.texts[rest]} on rank {rank.texts[rest]}, {own.texts[none]} on the {empty} after it. Even would be "
        f"{even.texts[0]}. Allocated are {allocated.texts[full]} at first and {allocated.texts[none]} at the end.",
    )

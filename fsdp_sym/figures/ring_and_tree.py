"""Cell P: an all-reduce in a ring and in a tree against the size of its tensor, with the regimes of latency and of bandwidth."""

from __future__ import annotations

from fractions import Fraction

from ..algebra.units import Amount, byte, show, to_exact
from ..algebra.vocabulary import S, T_lat, W, n_node
from ..reasoning.work import work
from ..scenarios.cells import CELLS
from . import style
from .columns import amount_of, measured, table
from .picture import Picture

STEPS = (1, 2, 3, 5)
DECADES = range(-3, 2)


@style.styled
def draw() -> Picture:
    """Both times on two logarithmic axes, for the GPUs of one node; left of half latency the ground is shaded."""
    given = CELLS["P"].values
    ranks = int(given[n_node].value)
    levels = ranks.bit_length() - 1
    # Here a shard passes in one latency: a step of the ring is half latency, half bytes.
    half = amount_of(work("P", "bucket_for_efficiency", x_lat="1/2")).value * ranks
    crossing = amount_of(work("P", "tree_ring_crossover", e=levels)).value
    spread = {half * to_exact(Fraction(10) ** decade * step) for decade in DECADES for step in STEPS}
    sizes = [Amount(value, byte) for value in sorted({*spread, crossing, given[S].value})]
    cross, border, here = (sizes.index(Amount(value, byte)) for value in (crossing, half, given[S].value))

    size = measured("size", sizes, "MB")
    ring = measured("ring", [work("P", "ring_all_reduce_time", N=ranks, S=s) for s in sizes], "ms")
    tree = measured("tree", [work("P", "tree_all_reduce_time", e=levels, S=s) for s in sizes], "ms")

    setting = f"All-reduce among {ranks} GPUs of a node: {show(given[T_lat])} a message, {show(given[W])} each way"
    figure = style.canvas(f"Up to {size.texts[cross]} the tree is faster, and from there on the ring", setting, 4.8)
    axes = style.panel(figure, (0.75, 0.6, 6.45, 3.25), "size of the tensor (MB, logarithmic)", "time (ms, logarithmic)")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlim(size.drawn[0], size.drawn[-1])
    axes.set_ylim(0.6 * tree.drawn[0], 1.6 * tree.drawn[-1])
    axes.set_xticks(ticks := [10**power for power in range(-1, 3)], [f"{tick:g}" for tick in ticks])
    axes.set_yticks(ticks := [10**power for power in range(-1, 2)], [f"{tick:g}" for tick in ticks])
    axes.axvspan(size.drawn[0], size.drawn[border], color=style.WASH, linewidth=0, label=size.header)
    style.line(axes, size, tree, color=style.REPLICATED)
    style.line(axes, size, ring, color=style.SHARDED)
    style.points(axes, size.at(cross), ring.at(cross), style.INK, markersize=10)
    style.points(axes, size.at(here), ring.at(here), style.SHARDED, markersize=10)
    style.points(axes, size.at(here), tree.at(here), style.REPLICATED, markersize=10)
    top = axes.get_ylim()[1]
    style.note(axes, "latency regime of the ring", (size.drawn[border], top), (-8, -9), ha="right", fontweight="bold")
    style.note(axes, "bandwidth regime", (size.drawn[border], top), (8, -9), fontweight="bold")
    style.note(axes, f"ring: {2 * (ranks - 1)} messages of an {ranks}th", (size.drawn[0], ring.drawn[0]), (8, 11))
    style.note(axes, f"tree: {2 * levels} messages of the whole", (size.drawn[0], tree.drawn[0]), (8, -9))
    style.note(axes, f"both take {ring.texts[cross]}\nat {size.texts[cross]}", (size.drawn[cross], ring.drawn[cross]), (-4, 22), ha="right")
    told, said = work("P", "ring_all_reduce_time", N=ranks), work("P", "tree_all_reduce_time", e=levels)
    style.note(
        axes,
        f"{size.texts[here]}: {said.shown(digits=3)}",
        (size.drawn[here], tree.drawn[here]),
        (-9, 4),
        ha="right",
        color=style.REPLICATED,
    )
    style.note(axes, told.shown(digits=3), (size.drawn[here], ring.drawn[here]), (15, -34), ha="right", color=style.SHARDED)
    return Picture(
        figure,
        table([size, ring, tree]),
        f"Time of an all-reduce among {ranks} GPUs against the size of the tensor, both axes logarithmic. On the left, up to "
        f"{size.texts[border]} in the ring, latency takes more than half of the time and the lines are nearly level, the tree's below the "
        f"ring's; they meet at {size.texts[cross]} and {ring.texts[cross]}. On the right bytes take more, both lines rise with them, and "
        f"the ring's lies below: at {size.texts[here]} the ring takes {told.shown(digits=3)} and the tree {said.shown(digits=3)}.",
    )

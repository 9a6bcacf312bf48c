"""Cell C: the sharded state falls with the ranks, the activations of a fixed batch do not, and at some N they cross."""

from __future__ import annotations

from sympy import ceiling

from ..algebra.vocabulary import N
from ..reasoning.work import work
from ..scenarios.cells import CELLS
from . import style
from .columns import amount_of, measured, table
from .picture import Picture


@style.styled
def draw() -> Picture:
    """Both against ranks on two logarithmic axes, with the crossing and the cell's own rank count."""
    first, chosen = int(ceiling(amount_of(work("C", "overtaking_ranks")).value)), int(CELLS["C"].values[N].value)
    counts = sorted({first, chosen, *(2**power for power in range(13))})
    ranks = measured("ranks N", counts)
    state = measured("sharded state", [work("C", "mean_state", N=n) for n in counts], "GB")
    flat = work("C", "all_activations")
    activations = measured("activations", [flat] * len(counts), "GB")
    cross, here = counts.index(first), counts.index(chosen)
    ratio = work("C", "activations_over_state").shown(digits=2)

    figure = style.canvas(f"From {ranks.texts[cross]} ranks on, activations outweigh the sharded state", CELLS["C"].source, 4.6)
    axes = style.panel(figure, (0.75, 0.6, 6.45, 3.05), "ranks N (logarithmic)", "per GPU (GB, logarithmic)")
    style.count_axis(axes, [n for n in counts if n & (n - 1) == 0])
    axes.set_yscale("log")
    axes.set_xlim(0.9, counts[-1] * 1.15)
    axes.set_ylim(0.5 * min(state.drawn), 2 * max(state.drawn))
    axes.set_yticks(ticks := [10**power for power in range(4)], [f"{tick:,}" for tick in ticks])
    style.line(axes, ranks, activations, color=style.REPLICATED)
    style.line(axes, ranks, state, color=style.SHARDED)
    style.points(axes, ranks.at(cross), state.at(cross), style.INK, markersize=10)
    style.points(axes, ranks.at(here), state.at(here), style.SHARDED, markersize=10)
    style.points(axes, ranks.at(here), activations.at(here), style.REPLICATED, markersize=10)
    x, low, high = ranks.drawn[here], state.drawn[here], activations.drawn[here]
    style.arrow(axes, (x, low * 1.3), (x, high / 1.3), arrowstyle="<|-|>")
    style.note(axes, f"{ratio} times", (x, (low * high) ** 0.5), (7, 0))
    style.note(axes, f"N = {ranks.texts[here]}: state {state.texts[here]}", (x, low), (-9, -7), ha="right", color=style.SHARDED)
    style.note(axes, f"activations: {flat.shown(digits=3)}\nat a fixed batch per GPU", (1, high), (2, -18), color=style.REPLICATED)
    style.note(axes, "sharded state: an N-th of the whole", (ranks.drawn[2], state.drawn[2]), (10, 5), color=style.SHARDED)
    style.note(axes, f"crossed at N = {ranks.texts[cross]}", (ranks.drawn[cross], state.drawn[cross]), (6, 14))
    return Picture(
        figure,
        table([ranks, state, activations]),
        f"Sharded model state and activations per GPU against ranks, both axes logarithmic. Activations stay at "
        f"{activations.texts[here]}; the state falls from {state.texts[0]} on {ranks.texts[0]} rank to {state.texts[here]} on "
        f"{ranks.texts[here]}, where activations are {ratio} times as large; from {ranks.texts[cross]} ranks on they are the larger part.",
    )

"""Cell E: compute and communication with none, half and all of it overlapped, and the slowdown that is left."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..algebra.units import Amount, second
from ..algebra.vocabulary import T_comm, T_comp, phi, sigma_goal
from ..reasoning.work import work
from ..scenarios.cells import CELLS
from . import style
from .columns import Column, amount_of, measured, table
from .picture import Picture

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BAND = ("20 %", "15 %")


@style.styled
def draw() -> Picture:
    """Three timelines above, the slowdown against the overlap below."""
    given = CELLS["E"].values
    least, target, most = (amount_of(work("E", "overlap_for_slowdown", sigma_goal=s)) for s in (BAND[0], given[sigma_goal], BAND[1]))
    shares = (amount_of(0), least, given[phi], target, most, amount_of(1))
    none, at_least, half, aimed, at_most, all_of_it = range(len(shares))
    exposed = [amount_of(work("E", "exposed_time", phi=share)) for share in shares]
    overlap = Column("overlap", tuple(str(share.value) for share in shares), measured("", shares).drawn)  # as fractions, all of them
    compute = measured("compute", [given[T_comp]] * len(shares), "ms")
    hidden = measured("hidden communication", [Amount(given[T_comm].value - e.value, second) for e in exposed], "ms")
    waited = measured("exposed communication", exposed, "ms")
    step = measured("step", [work("E", "step_with_overlap", phi=share) for share in shares], "ms")
    slowdown = measured("slowdown", [work("E", "slowdown_with_overlap", phi=share) for share in shares], "%")

    band = f"{slowdown.texts[at_most]} to {slowdown.texts[at_least]}"
    shares_needed = f"{overlap.texts[at_most]} to {overlap.texts[at_least]}"
    figure = style.canvas(f"A slowdown of {band} takes an overlap of {shares_needed}", CELLS["E"].source, 6.35)
    _timelines(figure, [c.at(none, half, all_of_it) for c in (overlap, compute, hidden, waited, step, slowdown)])

    axes = style.panel(figure, (1.1, 0.6, 6.1, 2.05), "share of communication that overlaps", "slowdown (time added over compute, %)")
    axes.set_xlim(0, 1)
    axes.set_xticks([fifth / 5 for fifth in range(6)], ["0", "1/5", "2/5", "3/5", "4/5", "1"])
    axes.set_ylim(0, 1.08 * slowdown.drawn[none])
    axes.axhspan(slowdown.drawn[at_most], slowdown.drawn[at_least], color=style.WASH, linewidth=0, label=slowdown.header)
    style.note(axes, band, (0, (slowdown.drawn[at_most] + slowdown.drawn[at_least]) / 2), (6, 0))
    style.line(axes, overlap, slowdown, color=style.EXPOSED)
    style.points(axes, overlap.at(at_least, aimed, at_most), slowdown.at(at_least, aimed, at_most), style.EXPOSED)
    for row in (at_least, aimed, at_most):
        style.note(axes, overlap.texts[row], (overlap.drawn[row], slowdown.drawn[row]), (4, 11), ha="left")
    style.note(axes, f"no overlap: {slowdown.texts[none]}", (0, slowdown.drawn[none]), (22, 3))
    return Picture(
        figure,
        table([overlap, compute, hidden, waited, step, slowdown]),
        f"Three timelines of {compute.texts[none]} of compute and {waited.texts[none]} of communication: with no overlap the step takes "
        f"{step.texts[none]}, with an overlap of {overlap.texts[half]} {step.texts[half]}, with all of it {step.texts[all_of_it]}. Below, "
        f"slowdown falls from {slowdown.texts[none]} to {slowdown.texts[all_of_it]} in a straight line; the band of {band} is met "
        f"at overlaps of {shares_needed}, and {slowdown.texts[aimed]} at {overlap.texts[aimed]}.",
    )


def _timelines(figure: Figure, columns: list[Column]) -> None:
    """For each overlap two lanes on one clock: compute, and under it the communication, hidden and exposed."""
    overlap, compute, hidden, waited, step, slowdown = columns
    axes = style.panel(figure, (1.1, 3.65, 6.1, 1.85), "time of one layer (ms)")
    height, lanes = 0.36, range(len(overlap.texts))
    axes.set_xlim(0, 1.4 * max(step.drawn))
    axes.set_ylim(len(lanes) - 0.5, -0.5)
    axes.set_yticks(list(lanes), [f"overlap {share}" for share in overlap.texts])
    axes.set_xticks(ticks := [tick for tick in axes.get_xticks() if tick <= max(step.drawn) + 1])
    axes.spines["bottom"].set_bounds(ticks[0], ticks[-1])
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    ahead = [c - h for c, h in zip(compute.drawn, hidden.drawn, strict=True)]
    upper, lower = [row - height / 2 for row in lanes], [row + height / 2 for row in lanes]
    style.flat_bars(axes, upper, compute, color=style.COMPUTE, height=height)
    style.flat_bars(axes, lower, hidden, ahead, color=style.HIDDEN, height=height)
    style.flat_bars(axes, lower, waited, compute.drawn, color=style.EXPOSED, height=height)
    for row in lanes:
        style.note(axes, f"compute, {compute.texts[row]}", (0, upper[row]), (5, 0), color=style.on(style.COMPUTE))
        sticks_out = f"{waited.texts[row]}{' exposed' if not row else ''}"
        style.note(axes, "communication", (ahead[row], lower[row]), (-5, 0), ha="right")
        if hidden.drawn[row]:
            middle = (compute.drawn[row] - hidden.drawn[row] / 2, lower[row])
            style.note(axes, "hidden", middle, ha="center", color=style.on(style.HIDDEN))
        if waited.drawn[row]:
            middle = (compute.drawn[row] + waited.drawn[row] / 2, lower[row])
            style.note(axes, sticks_out, middle, ha="center", color=style.on(style.EXPOSED))
        style.note(axes, f"step {step.texts[row]}", (step.drawn[row], upper[row]), (6, 0), fontweight="bold")
        style.note(axes, f"{slowdown.texts[row]} slower", (step.drawn[row], lower[row]), (6, 0))

"""Cell Q: what a step leaves exposed against the tokens of a GPU: both passes wait, the backward pass does, or only the ends do."""

from __future__ import annotations

from math import ceil

from ..algebra.units import Amount, flop, show, show_number
from ..algebra.vocabulary import L, P_block, b_e, b_r, n_op, s
from ..reasoning.work import work
from ..scenarios.cells import CELLS
from . import style
from .columns import amount_of, measured, table
from .picture import Picture


def step(tokens: int) -> tuple[Amount, Amount, Amount]:
    """A layer's compute forward and backward at so many tokens, its parameters alone, and what the step leaves exposed."""
    given = CELLS["Q"].values
    forward = given[n_op].value * given[P_block].value * tokens
    there, back = (amount_of(work("Q", "compute_time", F=Amount(passes * forward, flop))) for passes in (1, 2))
    gather, reduction = on_the_link()
    return there, back, amount_of(work("Q", "exposed_with_prefetch", T_ag=gather, T_rs=reduction, T_lf=there, T_lb=back))


def on_the_link() -> tuple[Amount, Amount]:
    """How long a layer's gather takes, and the reduction of its gradients."""
    given = CELLS["Q"].values
    sizes = (Amount(given[P_block].value * given[width].value, given[width].dimension) for width in (b_e, b_r))
    gathered, reduced = (work("Q", formula, S=size) for formula, size in zip(("all_gather", "reduce_scatter"), sizes, strict=True))
    return amount_of(work("Q", "transfer_time", V=amount_of(gathered))), amount_of(work("Q", "transfer_time", V=amount_of(reduced)))


@style.styled
def draw() -> Picture:
    """One falling line over three shaded regimes."""
    given = CELLS["Q"].values
    forth, back = (ceil(amount_of(work("Q", name)).value) for name in ("critical_tokens", "critical_tokens_backward"))
    here = int(given[s].value)
    counts = sorted({here // 4, here // 2, here, forth, back, 2 * here, 3 * here})
    at_forth, at_back, at_here, last = (counts.index(n) for n in (forth, back, here, counts[-1]))
    found = [step(n) for n in counts]
    gather, reduction = on_the_link()

    tokens = measured("tokens a GPU", counts)
    there = measured("layer forward", [row[0] for row in found], "ms")
    again = measured("layer backward", [row[1] for row in found], "ms")
    gathers = measured("gather", [gather] * len(counts), "ms")
    reductions = measured("reduction", [reduction] * len(counts), "ms")
    waited = measured("exposed in a step", [row[2] for row in found], "ms")

    said = [show(row[2], "ms", 3).removeprefix("≈ ") for row in found]
    title = f"From {tokens.texts[at_back]} tokens a GPU on, only the ends of a step wait"
    figure = style.canvas(title, CELLS["Q"].source, 4.6)
    of_layers = f"exposed in {show_number(given[L].value)} layers (ms)"
    axes = style.panel(figure, (0.85, 0.6, 6.35, 3.05), "tokens of a micro-batch on each GPU", of_layers)
    axes.set_xlim(0, tokens.drawn[last])
    axes.set_ylim(0, top := 1.25 * max(waited.drawn))
    axes.set_xticks(ticks := [here // 2 * n for n in range(7)], [f"{tick:,}" for tick in ticks])
    axes.axvspan(0, tokens.drawn[at_forth], color=style.RULE, linewidth=0, label=tokens.header)
    axes.axvspan(tokens.drawn[at_forth], tokens.drawn[at_back], color=style.WASH, linewidth=0, label=tokens.header)
    style.line(axes, tokens, waited, color=style.EXPOSED)
    shown = (at_here, at_forth, at_back, last)
    style.points(axes, tokens.at(*shown), waited.at(*shown), style.EXPOSED, clip_on=False)
    for start, end, words in (
        (0.0, tokens.drawn[at_forth], "both passes wait"),
        (tokens.drawn[at_forth], tokens.drawn[at_back], "backward waits"),
        (tokens.drawn[at_back], tokens.drawn[last], "only the ends wait"),
    ):
        style.note(axes, words, ((start + end) / 2, 0.94 * top), ha="center")
    for row, words in ((at_here, "given"), (at_forth, "forward hides")):
        style.note(axes, f"{tokens.texts[row]} ({words}): {said[row]}", (tokens.drawn[row], waited.drawn[row]), (9, 7))
    at_the_ends = f"from {tokens.texts[at_back]} on {said[last]}:\ntwo gathers and a reduction"
    style.note(axes, at_the_ends, (tokens.drawn[at_back], waited.drawn[at_back]), (9, 24))
    return Picture(
        figure,
        table([tokens, there, again, gathers, reductions, waited]),
        f"Exposed communication of a step against the tokens of a micro-batch on each GPU: {said[at_here]} at "
        f"{tokens.texts[at_here]}, falling to {said[at_forth]} at {tokens.texts[at_forth]}, from where on the forward pass hides "
        f"its gathers, and to {said[at_back]} at {tokens.texts[at_back]}, from where on the backward pass hides as well; beyond, "
        f"it stays at {said[last]}: two gathers and a reduction.",
    )

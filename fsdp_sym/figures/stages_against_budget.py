"""Cell G: what each ZeRO stage leaves on a GPU, part by part, against the budget, and what it costs in traffic."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..algebra.units import Amount, byte, show
from ..algebra.vocabulary import STAGES, M_max, N, P
from ..reasoning.work import work
from ..scenarios.cells import CELLS
from . import style
from .columns import Column, amount_of, measured, named, table
from .picture import Picture

if TYPE_CHECKING:
    from matplotlib.figure import Figure

STATES = ("replicated_state", "zero_1_state", "zero_2_state", "sharded_state")
TRAFFIC = ("all_reduce", "zero_2_traffic", "zero_2_traffic", "layer_traffic")  # in the schedule of the ZeRO paper
PARTS = (
    ("parameters", style.BLUE, 0),
    ("gradients", style.SKY, -5),  # the budget line passes above
    ("optimizer\nstates", style.ORANGE, 0),
)
NO_OPTIMIZER = {"b_c": 0, "b_m": 0, "b_v": 0, "b_x": 0}


@style.styled
def draw() -> Picture:
    """Stacked bars, and memory against traffic, on one memory axis under one budget line."""
    given = CELLS["G"].values
    stage = named("stage", STAGES)
    parts = _parts()
    state = measured("state per GPU", [work("G", f) for f in STATES], "GB")
    budget = measured("budget", [given[M_max]] * len(STAGES), "GB")
    traffic = measured("received per step", [work("G", f) for f in TRAFFIC], "GB")
    pick = int(amount_of(work("G", "stage_for_budget")).value)
    more = work("G", "traffic_over_all_reduce").shown()

    figure = style.canvas(f"{STAGES[pick]} is the first to fit {budget.texts[0]}, and moves {more} times the bytes", CELLS["G"].source, 4.9)
    top = 1.1 * max(state.drawn)
    _bars(figure, top, stage, parts, state, budget, pick)
    _trade(figure, top, stage, traffic, state, budget, pick)
    each = "; ".join(
        f"{name} {held}, {moved} received per step" for name, held, moved in zip(STAGES, state.texts, traffic.texts, strict=True)
    )
    return Picture(
        figure,
        table([stage, *parts, state, budget, traffic]),
        f"Model state per GPU of {show(given[P])} parameters on {show(given[N])} GPUs for each ZeRO stage, as stacked bars under a "
        f"budget line of {budget.texts[0]}, and against traffic: {each}. {STAGES[pick]} is the first "
        f"below the line, and the only one that moves more.",
    )


def _parts() -> list[Column]:
    """What parameters, gradients and optimizer states take at each stage: the state with the later parts left out, and its growth."""
    alone, both, every = (
        [amount_of(work("G", f, **without)).value for f in STATES] for without in (NO_OPTIMIZER | {"b_g": 0}, NO_OPTIMIZER, {})
    )
    growth = (alone, [b - a for a, b in zip(alone, both, strict=True)], [e - b for b, e in zip(both, every, strict=True)])
    names = (name.replace("\n", " ") for name, *_ in PARTS)
    return [measured(name, [Amount(v, byte) for v in values], "GB") for name, values in zip(names, growth, strict=True)]


def _bars(figure: Figure, top: float, stage: Column, parts: list[Column], state: Column, budget: Column, pick: int) -> None:
    axes = style.panel(figure, (0.65, 0.65, 4.05, 3.25), y="model state per GPU (GB)")
    places = range(len(STAGES))
    axes.set_ylim(0, top)
    axes.set_xlim(-0.5, len(STAGES) - 0.5)
    axes.set_xticks(places, stage.texts)
    axes.tick_params(axis="x", length=0)
    style.stack(axes, places, [(part, colour) for part, (_, colour, _) in zip(parts, PARTS, strict=True)], 0.86, flat=False)
    below = 0.0
    for part, (name, colour, lift) in zip(parts, PARTS, strict=True):
        style.note(axes, name, (0, below + part.drawn[0] / 2), (0, lift), ha="center", color=style.on(colour))
        below += part.drawn[0]
    style.level(axes, budget)
    for place in places:
        said, weight = (f"{state.texts[place]} fits", "bold") if place == pick else (state.texts[place], "normal")
        style.note(axes, said, (place, state.drawn[place]), (0, 8), ha="center", fontweight=weight)


def _trade(figure: Figure, top: float, stage: Column, traffic: Column, state: Column, budget: Column, pick: int) -> None:
    axes = style.panel(figure, (4.95, 0.65, 2.4, 3.25), "received per GPU and step (GB)")
    axes.set_ylim(0, top)
    axes.set_xlim(0, 1.12 * max(traffic.drawn))
    axes.set_yticklabels([])
    axes.set_xticks([0, *sorted({*traffic.drawn})], ["0", *dict.fromkeys(text.partition(" ")[0] for text in traffic.texts)])
    style.level(axes, budget)
    style.note(axes, f"budget {budget.texts[0]}", (0, budget.drawn[0]), (4, -9))
    style.line(axes, traffic, state, color=style.QUIET, linewidth=1.4)
    rest = [row for row in range(len(STAGES)) if row != pick]
    style.points(axes, traffic.at(*rest), state.at(*rest), style.QUIET, markersize=10)
    style.points(axes, traffic.at(pick), state.at(pick), style.BLUE, markersize=12)
    for row, name in enumerate(stage.texts):
        chosen = row == pick
        look = {"ha": "center", "fontweight": "bold"} if chosen else {"ha": "right"}
        style.note(axes, name, (traffic.drawn[row], state.drawn[row]), (-4, -15) if chosen else (-9, 3), **look)

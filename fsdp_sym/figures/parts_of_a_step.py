"""Cell S: where the time of a step goes under four layouts, part by part, and what the fullest GPU holds under each."""

from __future__ import annotations

from typing import Final

from sympy import Rational

from ..algebra.units import Amount, byte, second, show
from ..algebra.vocabulary import G, K_mb, N_mesh, b, s
from ..reasoning.planner.job import Job
from ..reasoning.planner.layouts import Layout
from ..reasoning.planner.parts import Parts, peak_of, time_of
from ..scenarios.cells import CELLS
from ..scenarios.shapes import SHAPES
from . import style
from .columns import Column, measured, named, table
from .picture import Picture

# From the top.
LAYOUTS: Final = {
    "16 stages, no chunks": Layout(1, 64, 1, 8, 16, "ZeRO-1", "gate", 1, 1),
    "no pipeline, FSDP": Layout(1, 1024, 1, 8, 1, "FSDP", "full", 2, 1),
    "32 stages, context 4": Layout(1, 8, 4, 8, 32, "ZeRO-1", "none", 1, 1),
    "16 stages, 8 chunks": Layout(1, 64, 1, 8, 16, "ZeRO-1", "gate", 1, 8),
}
# What is drawn as one part, in which colour, on which bar its name has room, and whether beside it: above the first or below the last.
PARTS: Final = (
    ("matrix products", ("matrix products",), style.COMPUTE, 0, False),
    ("tensor\ngroup", ("tensor group",), style.SKY, 1, False),
    ("hidden vectors, keys and values", ("context group", "from stage to stage"), style.BLUE, 3, True),
    ("memory", ("elementwise kernels", "weights through memory", "optimizer"), style.ORANGE, 2, False),
    ("bubble", ("pipeline bubble",), style.YELLOW, 0, False),
    ("exposed", ("exposed gathers and reductions",), style.EXPOSED, 0, True),
)
BUBBLE: Final = 4


@style.styled
def draw() -> Picture:
    """Flat stacked bars, the published layout on top, each with its step's seconds at its end."""
    given = CELLS["S"].values
    batch = given[K_mb].value * given[N_mesh].value * given[b].value
    job = Job(SHAPES["Llama-3-405B"], int(given[s].value), int(given[G].value), int(batch * given[s].value))
    timed = [time_of(job, layout) for layout in LAYOUTS.values()]

    layout = named("layout", LAYOUTS)
    parts = [measured(_header(name), [_sum(one, of) for one in timed], "s") for name, of, *_ in PARTS]
    step = measured("step", [_sum(one, tuple(one.parts)) for one in timed], "s")
    held = measured("held", [Amount(peak_of(job, one), byte) for one in LAYOUTS.values()], "GB")

    bubble = parts[BUBBLE].drawn
    setting = f"Llama-3-405B on {show(given[G])} GPUs, a step of {batch} sequences of {show(given[s])} tokens, nominal times"
    title = f"Of {bubble[0]:.1f} s of bubble, chunks leave {bubble[-1]:.1f} s"
    figure = style.canvas(title, setting, 4.4)
    axes = style.panel(figure, (1.85, 0.6, 5.45, 3.0), x="time of a step (s)")
    places = [-row for row in range(len(LAYOUTS))]
    axes.set_xlim(0, 1.13 * max(step.drawn))
    axes.set_ylim(places[-1] - 0.9, 0.8)
    axes.set_xticks(ticks := list(range(0, int(axes.get_xlim()[1]), 5)), [str(tick) for tick in ticks])
    axes.set_yticks(places, [f"{name}\n{size:.1f} GB a GPU" for name, size in zip(layout.texts, held.drawn, strict=True)])
    axes.tick_params(axis="y", length=0)
    style.stack(axes, places, [(part, colour) for part, (_, _, colour, *_) in zip(parts, PARTS, strict=True)], 0.72, flat=True)
    for at, (name, _, colour, row, beside) in enumerate(PARTS):
        middle = (_before(parts, at, row) + parts[at].drawn[row] / 2, places[row])
        if beside:
            away = -1 if row else 1
            style.lead(axes, name, (middle[0], middle[1] + 0.36 * away), (0, 15 * away), ha="center")
        else:
            style.note(axes, name, middle, ha="center", color=style.on(colour))
    for row, place in enumerate(places):
        style.note(axes, f"{step.drawn[row]:.2f} s", (sum(part.drawn[row] for part in parts), place), (5, 0), fontweight="bold")
    each = "; ".join(
        f"{name} {total:.2f} s, of which {idle:.2f} s bubble and {out:.2f} s exposed, with {size:.1f} GB"
        for name, total, idle, out, size in zip(layout.texts, step.drawn, bubble, parts[-1].drawn, held.drawn, strict=True)
    )
    return Picture(
        figure,
        table([layout, *parts, step, held]),
        f"The time of a step under four layouts as stacked bars, and what the fullest GPU holds: {each}. "
        "Matrix products are the longest part of all.",
    )


def _header(name: str) -> str:
    return name.replace("\n", " ")


def _sum(one: Parts, names: tuple[str, ...]) -> Amount:
    """To the millisecond, which is more than is known."""
    return Amount(Rational(round(1000 * sum(one.parts[name] for name in names)), 1000), second)


def _before(parts: list[Column], at: int, row: int) -> float:
    return sum(part.drawn[row] for part in parts[:at])

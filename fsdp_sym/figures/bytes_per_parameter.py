"""Cell B: what each training plan keeps of one parameter, part by part, so that equal sums of other parts are seen."""

from __future__ import annotations

from ..algebra.vocabulary import b_c, b_g, b_m, b_v, b_w, b_x
from ..reasoning.work import Worked, work
from ..scenarios.plans import PLANS
from ..scenarios.rows import Row
from . import style
from .columns import Column, measured, named, table
from .picture import Picture

PARTS = {
    b_w: ("parameter", style.BLUE),
    b_g: ("gradient", style.SKY),
    b_c: ("master copy", style.RED),
    b_m: ("momentum", style.ORANGE),
    b_v: ("variance", style.YELLOW),
    b_x: ("other", style.QUIET),
}


@style.styled
def draw() -> Picture:
    """One flat stacked bar a plan, its parts in the order of the vocabulary."""
    plans = list(PLANS.values())
    names = named("plan", PLANS)
    parts = [measured(name, [plan.values[width] for plan in plans], "B/param") for width, (name, _) in PARTS.items()]
    totals = measured("together", [_total(plan) for plan in plans], "B/param")
    same = [row for row, text in enumerate(totals.texts) if text == totals.texts[0]]

    height = 0.46 * len(plans)
    figure = style.canvas(
        f"{_bare(totals, 0)} bytes a parameter, from different parts", "what each training plan keeps of one parameter", height + 1.35
    )
    axes = style.panel(figure, (2.0, 0.55, 5.4, height), "bytes kept per parameter (B/param)")
    rows = range(len(plans))
    axes.set_ylim(len(plans) - 0.5, -0.5)
    axes.set_xlim(0, 1.06 * max(totals.drawn))
    axes.set_xticks(range(0, int(max(totals.drawn)) + 1, 4))
    axes.set_yticks(list(rows), names.texts)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    style.stack(axes, rows, [(part, colour) for part, (_, colour) in zip(parts, PARTS.values(), strict=True)], 0.84, flat=True)
    start = [0.0] * len(plans)
    for part, (name, colour) in zip(parts, PARTS.values(), strict=True):
        kept = [row for row, width in enumerate(part.drawn) if width]
        for row in kept:
            said = f"{name} {_bare(part, row)}".replace(" ", "\n", 1) if row == kept[0] else _bare(part, row)
            style.note(axes, said, (start[row] + part.drawn[row] / 2, row), ha="center", color=style.on(colour))
        start = [left + width for left, width in zip(start, part.drawn, strict=True)]
    for row in rows:
        style.note(axes, _bare(totals, row), (totals.drawn[row], row), (5, 0), fontweight="bold" if row in same else "normal")
    sums = (" + ".join(_bare(part, row) for part in parts if part.drawn[row]) for row in rows)
    each = "; ".join(f"{name} keeps {kept} = {total}" for name, kept, total in zip(PLANS, sums, totals.texts, strict=True))
    return Picture(figure, table([names, *parts, totals]), f"Bytes per parameter as stacked bars: {each}.")


def _total(plan: Row) -> Worked:
    return work("B", "bytes_per_parameter", **{letter.name: width for letter, width in plan.values.items()})


def _bare(column: Column, row: int) -> str:
    """The number without its unit, which the axis names."""
    return column.texts[row].partition(" ")[0]

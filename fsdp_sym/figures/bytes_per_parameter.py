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
    b_w: ("parameter", style.BLUE, style.PAPER),
    b_g: ("gradient", style.SKY, style.INK),
    b_c: ("master copy", style.RED, style.PAPER),
    b_m: ("momentum", style.ORANGE, style.INK),
    b_v: ("variance", style.YELLOW, style.INK),
    b_x: ("other", style.QUIET, style.PAPER),
}


@style.styled
def draw() -> Picture:
    """One flat stacked bar a plan, its parts in the order of the vocabulary."""
    plans = list(PLANS.values())
    names = named("plan", PLANS)
    parts = [measured(name, [plan.values[width] for plan in plans], "B/param") for width, (name, _, _) in PARTS.items()]
    totals = measured("together", [_total(plan) for plan in plans], "B/param")
    same = [row for row, text in enumerate(totals.texts) if text == totals.texts[0]]

    height = 0.36 * len(plans)
    figure = style.canvas(
        f"{_bare(totals, 0)} bytes a parameter, from different parts", "what each training plan keeps of one parameter", height + 1.8
    )
    axes = style.panel(figure, (2.2, 0.55, 4.9, height), "bytes kept per parameter (B/param)")
    rows = range(len(plans))
    axes.set_ylim(len(plans) - 0.5, -0.5)
    axes.set_xlim(0, 1.05 * max(totals.drawn))
    axes.set_xticks(range(0, int(max(totals.drawn)) + 1, 4))
    axes.set_yticks(list(rows), names.texts)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    start = [0.0] * len(plans)
    for part, (_, colour, ink) in zip(parts, PARTS.values(), strict=True):
        style.flat_bars(axes, rows, part, start, color=colour, height=0.72)
        for row, width in enumerate(part.drawn):
            if width:
                style.note(axes, _bare(part, row), (start[row] + width / 2, row), ha="center", color=ink)
        start = [left + width for left, width in zip(start, part.drawn, strict=True)]
    for row in rows:
        style.note(axes, _bare(totals, row), (totals.drawn[row], row), (5, 0), fontweight="bold" if row in same else "normal")
    style.key(style.sheet(figure, (0.3, height + 0.78, 6.9, 0.3)), 0, 0.15, [(colour, name) for name, colour, _ in PARTS.values()])
    sums = (" + ".join(_bare(part, row) for part in parts if part.drawn[row]) for row in rows)
    each = "; ".join(f"{name} keeps {kept} = {total}" for name, kept, total in zip(PLANS, sums, totals.texts, strict=True))
    return Picture(figure, table([names, *parts, totals]), f"Bytes per parameter as stacked bars: {each}.")


def _total(plan: Row) -> Worked:
    return work("B", "bytes_per_parameter", **{letter.name: width for letter, width in plan.values.items()})


def _bare(column: Column, row: int) -> str:
    """The number without its unit, which the axis names."""
    return column.texts[row].partition(" ")[0]

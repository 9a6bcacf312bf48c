"""A sweep as lines: the formula's value against its longest axis, a line for every combination of the others."""

from __future__ import annotations

from itertools import product
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from ..algebra.errors import OutOfRange
from ..algebra.printing import to_text
from ..algebra.vocabulary import letter
from ..reasoning.sweeps.axes import Axis
from ..reasoning.sweeps.sweep import Sweep
from . import style
from .columns import table
from .picture import Picture
from .sweep_columns import SHORTEST, canvas_of, column_of, labelled, logarithmic, scaled, unit_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_LINES = 6
_MOST_POINTS = 2000
_COLOURS = (style.BLUE, style.RED, style.INK, style.GREY, style.BLUE, style.RED)
_STROKES = ("-", "-", "-", "-", style.DASHED, style.DASHED)
_APART = 12  # points between the names of two lines
_FEW = 20  # points that are marked one by one
_MAP = f"sweep two letters, over {SHORTEST} values each or more, and it is drawn as a map"


def draw_sweep(sweep: Sweep) -> Picture:
    """Draw a sweep over a grid.

    Raises
    ------
    OutOfRange
        Where it gives no picture that could be read.
    """
    chosen = sweep.formula
    if sweep.together:
        raise OutOfRange(f"{chosen.id} is drawn over a grid: give it every combination of its letters' values")
    if sweep.dtype == bool:
        raise OutOfRange(f"{chosen.id} answers yes or no: {_MAP}")
    x = max(sweep.axes, key=len)
    others = [axis for axis in sweep.axes if axis is not x]
    lines = prod(map(len, others))
    if lines > _MOST_LINES or len(x) > _MOST_POINTS:
        raise OutOfRange(f"{lines:,} lines of {len(x):,} points cannot be read: a picture has {_MOST_LINES} of {_MOST_POINTS:,} at most")
    with style.settings():
        return _drawn(sweep, x, others)


def _drawn(sweep: Sweep, x: Axis, others: list[Axis]) -> Picture:
    sweep.refuse_empty()
    rows = sweep.table()
    value = sweep.formula.defines
    if not np.isfinite(rows[value.name]).all():
        raise OutOfRange(f"{sweep.formula.id} is infinite at some of these points, and lines have no place for that: {_MAP}")
    columns = {s: column_of(s, rows[s.name]) for s in (*(axis.symbol for axis in sweep.axes), value)}
    across, up = columns[x.symbol], columns[value]
    figure = canvas_of(sweep, f"{sweep.formula.id} against {to_text(x.symbol)}")
    axes = style.panel(figure, (0.85, 0.6, 5.0, 3.05), labelled(x.symbol, across), labelled(value, up))
    for direction, symbol, column in (("x", x.symbol, across), ("y", value, up)):
        scaled(axes, direction, symbol, column)
        if not logarithmic(column) and direction == "x" and letter(x.symbol).whole and not unit_of(x.symbol):
            axes.locator_params(axis="x", integer=True)
        getattr(axes, f"{direction}axis").set_major_formatter(lambda tick, _: f"{tick:,.6g}")
    ends: list[tuple[float, float, str]] = []
    says = []
    for at, colour, stroke in zip(product(*(range(len(axis)) for axis in others)), _COLOURS, _STROKES, strict=False):
        own = np.ones(len(rows), bool)
        for axis, here in zip(others, at, strict=True):
            own &= rows[axis.symbol.name] == float(axis.value(here))
        line = np.flatnonzero(own).tolist()
        if line:
            named = ", ".join(f"{to_text(axis.symbol)} = {columns[axis.symbol].texts[line[0]]}" for axis in others)
            style.line(axes, across.at(*line), up.at(*line), color=colour, linestyle=stroke, marker="." if len(line) <= _FEW else "")
            ends.append((across.drawn[line[-1]], up.drawn[line[-1]], named))
            first, last = (f"{up.texts[row]} at {across.texts[row]}" for row in (line[0], line[-1]))
            says.append(f"{named + ': ' if named else ''}{first}, {last}")
    _name_lines(axes, ends)
    what = letter(value).says
    alt = f"{what[:1].upper()}{what[1:]} against {letter(x.symbol).says}. {'; '.join(says)}."
    return Picture(figure, table(list(columns.values())), alt)


def _name_lines(axes: Axes, ends: list[tuple[float, float, str]]) -> None:
    """Each line is named where it ends, names that would lie on each other moved apart."""
    axes.autoscale_view()
    points = 72 / style.DPI
    lowest = -float("inf")
    for x, y, named in sorted(ends, key=lambda end: end[1]):
        height = float(axes.transData.transform((x, y))[1]) * points
        lowest = max(height, lowest + _APART)
        style.note(axes, named, (x, y), (6, lowest - height))

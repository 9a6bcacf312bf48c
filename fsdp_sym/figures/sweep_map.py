"""A decision as a map: over two axes, where each answer of a formula holds."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

from ..algebra.errors import OutOfRange
from ..algebra.printing import to_text
from ..algebra.units import show_number, to_exact
from ..algebra.vocabulary import letter
from ..reasoning.sweeps.program import Array
from ..reasoning.sweeps.sweep import Sweep
from . import style
from .columns import Column, named, table
from .picture import Picture
from .sweep_columns import column_of, labelled, logarithmic, setting_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_ANSWERS: Final = 5
_FILLS: Final = (*style.STAGES, style.SKY)
_NONE: Final = style.PEACH  # where there is no answer but infinity
_MOST: Final = 40_000
_WIDER: Final = 3  # names are so much wider than they are high
_SHARE: Final = 1 / 60  # of the map: a smaller piece has no room for its name


def is_map(sweep: Sweep) -> bool:
    """Whether a sweep is of a decision over two axes of some length."""
    decision = sweep.dtype == bool or letter(sweep.formula.defines).whole
    return decision and not sweep.together and len(sweep.axes) == 2 and min(map(len, sweep.axes)) > 2


def draw_map(sweep: Sweep) -> Picture:
    """Draw where each answer holds.

    Raises
    ------
    OutOfRange
        Where there are more answers or points than could be read, or points at which the formula means nothing.
    """
    if len(sweep) > _MOST:
        raise OutOfRange(f"a map of {len(sweep):,} points cannot be read: give {_MOST:,} at most")
    for axis in sweep.axes:
        values = [axis.value(at) for at in range(len(axis))]
        if any(after <= before for before, after in pairwise(values)):
            raise OutOfRange(f"a map's axes ascend, and the values of {to_text(axis.symbol)} do not: give each once, the smallest first")
    rows = sweep.table()
    if len(rows) < len(sweep):
        raise OutOfRange(f"{sweep.formula.id} means nothing at {len(sweep) - len(rows):,} of these points: choose others")
    value = sweep.formula.defines
    answers = sorted(set(rows[value.name].tolist()))
    if len(answers) > _ANSWERS:
        raise OutOfRange(f"{sweep.formula.id} has {len(answers)} answers here, and a map has {_ANSWERS} at most: sweep one axis")
    with style.settings():
        return _drawn(sweep, rows, answers)


def _drawn(sweep: Sweep, rows: Array, answers: Sequence[float]) -> Picture:
    x, y = sweep.axes
    value = sweep.formula.defines
    across, up = (column_of(axis.symbol, rows[axis.symbol.name]) for axis in (x, y))
    said = named(to_text(value), [_answer(answer) for answer in rows[value.name].tolist()])
    figure = style.canvas(f"{sweep.formula.id} over {to_text(x.symbol)} and {to_text(y.symbol)}", setting_of(sweep), 4.6)
    axes = style.panel(figure, (0.85, 0.6, 6.2, 3.05), labelled(x.symbol, across), labelled(y.symbol, up))
    grid = rows[value.name].reshape(len(x), len(y)).T
    edges = [_edges(column, count, every) for column, count, every in ((across, len(x), len(y)), (up, len(y), 1))]
    for (column, _), direction in zip(((across, x), (up, y)), "xy", strict=True):
        if logarithmic(column):
            axes.set(**{f"{direction}scale": "log"})
        getattr(axes, f"{direction}axis").set_major_formatter(lambda tick, _: show_number(to_exact(Fraction(f"{tick:.6g}"))))
    fills = [_NONE if np.isinf(answer) else fill for answer, fill in zip(answers, _FILLS, strict=False)]
    style.regions(axes, edges, [(grid == answer, fill) for answer, fill in zip(answers, fills, strict=True)])
    shares = []
    for answer, fill in zip(answers, fills, strict=True):
        own = grid == answer
        shares.append(f"{_named(sweep, answer)} at {int(own.sum()):,} of {own.size:,} points")
        if own.mean() >= _SHARE:
            _write(axes, edges, own, _named(sweep, answer), fill)
    what = letter(value).says
    ranges = (f"{letter(axis.symbol).says} from {column.texts[0]} to {column.texts[-1]}" for axis, column in ((x, across), (y, up)))
    alt = f"{what[:1].upper()}{what[1:]}, over {' and '.join(ranges)}: {'; '.join(shares)}."
    return Picture(figure, table([across, up, said]), alt)


def _answer(answer: float) -> str:
    if isinstance(answer, bool):
        return "yes" if answer else "no"
    return "∞" if np.isinf(answer) else f"{answer:,.0f}"


def _named(sweep: Sweep, answer: float) -> str:
    """An answer as it is written on its region."""
    if isinstance(answer, bool):
        return _answer(answer)
    return "none" if np.isinf(answer) else f"{to_text(sweep.formula.defines)} = {_answer(answer)}"


def _edges(column: Column, count: int, every: int) -> list[float]:
    """Where the cell of each value begins and ends: half way to its neighbours, by ratio on a logarithmic axis."""
    values = np.array(column.drawn[: count * every : every])
    centres = np.log(values) if logarithmic(column) else values
    inner = [(before + after) / 2 for before, after in pairwise(centres.tolist())]
    ends = [2 * centres[0] - inner[0], *inner, 2 * centres[-1] - inner[-1]]
    return [float(end) for end in (np.exp(ends) if logarithmic(column) else np.array(ends))]


def _write(axes: Axes, edges: Sequence[Sequence[float]], own: Array, text: str, fill: str) -> None:
    """A region's name, where it is farthest from the region's border."""
    axes.autoscale_view()
    placed = axes.transData.transform
    corners = placed([(x, edges[1][0]) for x in edges[0]])[:, 0], placed([(edges[0][0], y) for y in edges[1]])[:, 1]
    room = np.minimum(_room(own, corners[0]), _WIDER * _room(own.T, corners[1]).T)
    row, column = (int(at) for at in np.unravel_index(int(np.argmax(np.where(own, room, -1))), own.shape))
    middle = [(corner[at] + corner[at + 1]) / 2 for corner, at in zip(corners, (column, row), strict=True)]
    x, y = axes.transData.inverted().transform(middle)
    style.note(axes, text, (float(x), float(y)), ha="center", color=style.on(fill))


def _room(own: Array, corners: Array) -> Array:
    """How far each cell's middle is from the end of the region along its row."""
    middles = (corners[:-1] + corners[1:]) / 2
    ends = []
    for cells, first, last in ((own, corners[:-1], corners[-1]), (own[:, ::-1], corners[1:][::-1], corners[0])):
        # Of the cells to the right that are not the region's, the nearest one's edge.
        stops = np.where(cells, last, first)[:, ::-1]
        nearest = np.minimum.accumulate(stops, axis=1) if last > first[0] else np.maximum.accumulate(stops, axis=1)
        ends.append(nearest[:, ::-1])
    found: Array = np.minimum(ends[0] - middles, middles - ends[1][:, ::-1])
    return found

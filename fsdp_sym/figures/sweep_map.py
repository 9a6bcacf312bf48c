"""A decision as a map: over two axes, where each answer of a formula holds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise, product
from typing import TYPE_CHECKING, Final

import numpy as np
from sympy import Max, Piecewise, fraction
from sympy.core.relational import Relational

from ..algebra.errors import OutOfRange
from ..algebra.printing import to_text
from ..algebra.units import show_number, to_exact
from ..algebra.vocabulary import letter
from ..reasoning.sweeps.program import Array
from ..reasoning.sweeps.sweep import Sweep
from . import style
from .columns import Column, named, table
from .picture import Picture
from .sweep_columns import SHORTEST, canvas_of, column_of, labelled, logarithmic, scaled

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_FILLS: Final = (*style.STAGES, style.RED)
_NONE: Final = style.PEACH  # where there is no answer but infinity
_MOST: Final = 40_000
_SHARE: Final = 1 / 60  # of the map: a smaller piece has no room for its name
_AROUND: Final = 1.15  # what a name takes, with the air around it


def is_map(sweep: Sweep) -> bool:
    """Whether a sweep is of a decision over two axes of some length."""
    decision = sweep.dtype == bool or letter(sweep.formula.defines).whole
    return decision and not sweep.together and len(sweep.axes) == 2 and min(map(len, sweep.axes)) >= SHORTEST


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
    if (finite := int(np.isfinite(answers).sum())) > len(_FILLS):
        raise OutOfRange(f"{sweep.formula.id} has {finite} answers here, and a map has {len(_FILLS)} at most: sweep one axis")
    with style.settings():
        return _drawn(sweep, rows, answers)


def _drawn(sweep: Sweep, rows: Array, answers: Sequence[float]) -> Picture:
    x, y = sweep.axes
    value = sweep.formula.defines
    across, up = (column_of(axis.symbol, rows[axis.symbol.name]) for axis in (x, y))
    words = named(to_text(value), [_answer(sweep, answer) for answer in rows[value.name].tolist()])
    title = f"{sweep.formula.id} over {to_text(x.symbol)} and {to_text(y.symbol)}"
    figure = canvas_of(sweep, title, f"{len(sweep):,} points, each in the middle of its cell")
    borders = _borders(sweep)
    axes = style.panel(figure, (0.85, 0.6, 6.2, 3.05), labelled(x.symbol, across), labelled(y.symbol, up))
    grid = rows[value.name].reshape(len(x), len(y)).T
    edges = [_edges(column, count, every) for column, count, every in ((across, len(x), len(y)), (up, len(y), 1))]
    for direction, axis, column in (("x", x, across), ("y", y, up)):
        scaled(axes, direction, axis.symbol, column)
        getattr(axes, f"{direction}axis").set_major_formatter(lambda tick, _: show_number(to_exact(Fraction(f"{tick:.6g}"))))
    # What has a name has its colour in every map.
    fills = [_NONE if np.isinf(answer) else _FILLS[int(answer) if letter(value).called else at] for at, answer in enumerate(answers)]
    style.regions(axes, edges, [(grid == answer, fill) for answer, fill in zip(answers, fills, strict=True)])
    style.borders(axes, edges, grid)
    shares = []
    for answer, fill in zip(answers, fills, strict=True):
        own, name = grid == answer, _named(sweep, answer)
        where = borders.get(answer, ())
        said = f" ({' and '.join(where)})" if where else ""
        shares.append(f"{name}{said} at {int(own.sum()):,} of {own.size:,} points")
        _write(figure, axes, edges, own, name, where, fill)
    what = letter(value).says
    ranges = (f"{letter(axis.symbol).says} from {column.texts[0]} to {column.texts[-1]}" for axis, column in ((x, across), (y, up)))
    alt = f"{what[:1].upper()}{what[1:]}, over {' and '.join(ranges)}: {'; '.join(shares)}."
    return Picture(figure, table([across, up, words]), alt)


def _borders(sweep: Sweep) -> dict[float, tuple[str, ...]]:
    """The inequalities by which each answer wins, of what fails for those before it, in the letters that the derivation starts from."""
    start = sweep.formula.start
    if not isinstance(start, Piecewise):
        return {}
    return {float(value): tuple(_inequalities(when)) for value, when in start.args if isinstance(when, Relational)}


def _inequalities(when: Relational) -> Iterator[str]:
    """A comparison as it is read: of several ratios that stay below one, each by itself."""
    left, right = when.lhs, when.rhs
    if isinstance(left, Max):
        for part in left.args:
            yield from _inequalities(when.func(part, right, evaluate=False))
    elif right == 1:
        yield to_text(when.func(*fraction(left), evaluate=False))
    else:
        yield to_text(when)


def _answer(sweep: Sweep, answer: float) -> str:
    if isinstance(answer, bool):
        return "yes" if answer else "no"
    return "∞" if np.isinf(answer) else letter(sweep.formula.defines).named(answer) or f"{answer:,.0f}"


def _named(sweep: Sweep, answer: float) -> str:
    """An answer as it is written on its region."""
    if isinstance(answer, bool) or letter(sweep.formula.defines).called:
        return "none" if answer == np.inf else _answer(sweep, answer)
    return "none" if np.isinf(answer) else f"{to_text(sweep.formula.defines)} = {_answer(sweep, answer)}"


def _edges(column: Column, count: int, every: int) -> list[float]:
    """Where the cell of each value begins and ends: half way to its neighbours, by ratio on a logarithmic axis."""
    values = np.array(column.drawn[: count * every : every])
    centres = np.log(values) if logarithmic(column) else values
    inner = [(before + after) / 2 for before, after in pairwise(centres.tolist())]
    ends = [2 * centres[0] - inner[0], *inner, 2 * centres[-1] - inner[-1]]
    return [float(end) for end in (np.exp(ends) if logarithmic(column) else np.array(ends))]


def _write(figure: Figure, axes: Axes, edges: Sequence[Sequence[float]], own: Array, name: str, where: Sequence[str], fill: str) -> None:
    """A region's name, with what decides for it where that has room, and upright where only so it has."""
    axes.autoscale_view()
    placed = axes.transData.transform
    corners = placed([(x, edges[1][0]) for x in edges[0]])[:, 0], placed([(edges[0][0], y) for y in edges[1]])[:, 1]
    beside, above = _room(own, corners[0]), _room(own.T, corners[1]).T
    for text, turned in product(_ways_to_say(name, where), (0, 90)):
        width, height = (_AROUND * size for size in style.size_of(figure, text, turned))
        inside = _holds(own, corners, width, height)
        if inside.any():
            break
    else:
        if own.mean() < _SHARE:
            return
        text, turned, inside = name, 0, own
    # Of places with as much room above and below, the one in the middle.
    room = np.minimum(beside / width, above / height) + beside / width / 1000
    row, column = (int(at) for at in np.unravel_index(int(np.argmax(np.where(inside, room, -1))), own.shape))
    middle = [(corner[at] + corner[at + 1]) / 2 for corner, at in zip(corners, (column, row), strict=True)]
    x, y = axes.transData.inverted().transform(middle)
    style.note(axes, text, (float(x), float(y)), ha="center", rotation=turned, multialignment="center", color=style.on(fill))


def _ways_to_say(name: str, where: Sequence[str]) -> list[str]:
    """A region's name with its inequalities, from the most lines to the fewest, and without them."""
    said = ", ".join(where)
    return list(dict.fromkeys(["\n".join([name, *where]), f"{name}\n{said}", f"{name}: {said}", name])) if where else [name]


def _holds(own: Array, corners: tuple[Array, Array], width: float, height: float) -> Array:
    """Around which cells' middles a box of this size lies in the region."""
    others = np.pad(np.cumsum(np.cumsum(~own, axis=0), axis=1), ((1, 0), (1, 0)))
    spans, inside = [], []
    for corner, size in zip(corners, (width, height), strict=True):
        middles = (corner[:-1] + corner[1:]) / 2
        low, high = middles - size / 2, middles + size / 2
        inside.append((low >= corner[0]) & (high <= corner[-1]))
        last = len(middles)
        spans.append((np.clip(np.searchsorted(corner, low, "right") - 1, 0, last), np.clip(np.searchsorted(corner, high), 0, last)))
    (left, right), (below, top) = spans
    met = others[np.ix_(top, right)] - others[np.ix_(below, right)] - others[np.ix_(top, left)] + others[np.ix_(below, left)]
    found: Array = (met == 0) & np.outer(inside[1], inside[0])
    return found


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

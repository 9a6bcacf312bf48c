"""The best of many choices under conditions, and which condition binds: the one without which a better choice would do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from math import prod
from typing import Any, Final

import numpy as np
from sympy import Integer, Symbol

from ...algebra.agreement import exact as to_sympy
from ...algebra.arithmetic import Surd, compiled
from ...algebra.errors import FsdpSymError, MissingValue, OutOfRange
from ...algebra.units import Amount
from ...algebra.vocabulary import letter
from ..work import Where, show_result
from .axes import Axis, asked_of
from .blocks import Layout, blocks, condition
from .constraints import Constraint, Side, read_constraint, side
from .nodes import Nodes
from .program import Array, exactly

_MOST: Final = 10**9
_NONE: Final = -1


@dataclass(frozen=True)
class Point:
    """A choice: the letters that were free, and what was to be made small or large."""

    values: Mapping[Symbol, Amount]
    goal: Amount

    @property
    def text(self) -> str:
        return ", ".join(f"{s.name} = {show_result(amount)}" for s, amount in self.values.items())


@dataclass(frozen=True)
class Choice:
    """What `choose` found.

    Attributes
    ----------
    best : Point or None
        None where nothing meets every condition.
    goal : str
        What was to be made small or large.
    reached : dict of str to Amount
        What each comparing condition's left side comes to at the best point.
    binding : dict of str to Point
        For each condition without which a better choice would do, or any would, that choice.
    nearest : dict of str to (Point, Amount)
        Where nothing meets every condition: for each comparing one how near its left side comes while all others are met.
    free : Point or None
        The best point without any condition, where it is a better one and none binds by itself.
    points : int
        How many were looked at.
    """

    best: Point | None
    goal: str
    reached: Mapping[str, Amount]
    binding: Mapping[str, Point]
    nearest: Mapping[str, tuple[Point, Amount]]
    free: Point | None
    points: int

    @property
    def text(self) -> str:
        if self.best is None:
            lines = [f"none of {self.points:,} choices meets every condition"]
        else:
            named = {s.name for s in self.best.values}
            lines = [self.best.text, *([] if self.goal in named else [f"{self.goal} = {show_result(self.best.goal)}"])]
            lines += [f"  {text}: it is {show_result(amount)}" for text, amount in self.reached.items()]
        lines += [f"  {text} binds: without it {self._said(point)}" for text, point in self.binding.items()]
        lines += [f"  {text}: the nearest is {show_result(amount)}, at {point.text}" for text, (point, amount) in self.nearest.items()]
        if self.free is not None:
            lines.append(f"  no condition binds by itself: without any of them {self._said(self.free)}")
        elif self.best is not None and not self.binding:
            lines.append("  no condition binds: it is the end of what was looked at")
        return "\n".join(lines)

    def _said(self, point: Point) -> str:
        named = {s.name for s in point.values}
        return point.text if self.goal in named else f"{point.text}, with {self.goal} = {show_result(point.goal)}"

    def __str__(self) -> str:
        return self.text

    __repr__ = __str__


def choose(
    over: Mapping[str | Symbol, object], where: Where | None = None,
    *, smallest: str | None = None, largest: str | None = None, such_that: Sequence[str] = (), **at: object,
) -> Choice:  # fmt: skip
    """Find the choice that makes something smallest or largest under conditions.

    Every combination is looked at, so that nothing need be known of how the formulas climb or fall.

    Parameters
    ----------
    over : mapping
        For each letter that is free its values, as `sweep` takes them.
    where : str, Cell or mapping
        A cell's letter, or values, for the other letters.
    smallest, largest : str
        A letter or a formula; one of the two. Of equal choices the first is taken.
    such_that : sequence of str
        Conditions: ``"sharded_state <= 10 GB"``, ``"N_t divides a"``, ``"tensor_group_fits_node"``.
    **at
        Other values for letters.

    Returns
    -------
    Choice

    Raises
    ------
    FsdpSymError
        In one line, where the request makes no sense.

    >>> print(choose({"N": range(1, 65)}, "B", smallest="N", such_that=["sharded_state <= 10 GB"]))
    N = 12
      sharded_state <= 10 GB: it is 28/3 GB ≈ 9.333333333 GB
      sharded_state <= 10 GB binds: without it N = 1
    """
    name = smallest if largest is None else largest
    if name is None or (smallest is not None and largest is not None):
        raise FsdpSymError("a choice is the smallest or the largest of something: give one of the two")
    goal, conditions = side(name), [read_constraint(text) for text in such_that]
    ranges = dict.fromkeys((*goal.ranges, *(h for c in conditions for h in c.ranges)))
    sides = [Integer(0) if c.left is None else c.left.expr for c in conditions]
    exprs = [goal.expr, *(c.expr for c in conditions), *sides, *map(condition, ranges)]
    asked = asked_of(exprs, over, where or {}, at, "the choice")
    if not asked.varying:
        raise MissingValue("a choice is among values: name a letter and those it may have, such as N=1..64")
    for s in (*asked.missing, *asked.endless):
        raise MissingValue(f"the choice needs {s.name} ({letter(s).says}): give {s.name}=..., or values to choose from")
    axes, given = asked.axes, asked.given
    total = prod(map(len, axes))
    if total > _MOST:
        raise OutOfRange(f"{total:,} choices are more than {_MOST:,}: give fewer values")
    nodes = Nodes(exprs, {axis.symbol: axis.column for axis in (*axes, *given)})
    found = _search(nodes, axes, given, conditions, largest is not None)
    return _worded(found, axes, given, goal, name, conditions, total)


class _Least:
    """The smallest value met so far, and where."""

    def __init__(self) -> None:
        self.value: float = float("inf")
        self.place = _NONE

    def meet(self, start: int, values: Array, allowed: Array) -> None:
        among = np.flatnonzero(allowed)
        if len(among) and values[at := among[values[among].argmin()]] < self.value:
            self.value, self.place = values[at].item(), start + int(at)


@dataclass(frozen=True)
class _Found:
    """Places of points: the best; for each condition, among those that meet all others, the best and the nearest; the best of all."""

    best: int
    binding: list[int]
    nearest: list[int]
    free: int


def _search(
    nodes: Nodes, axes: Sequence[Axis], given: Sequence[Axis], conditions: Sequence[Constraint], largest: bool
) -> _Found:
    """Go through all points once."""
    count = len(conditions)
    best, free = _Least(), _Least()
    without, nearest = [_Least() for _ in conditions], [_Least() for _ in conditions]
    layout = Layout.of([len(axis) for axis in axes], together=False)
    for start, (goal, *found) in blocks(nodes, exactly(nodes, "a number on the way"), axes, given, layout):
        values = -goal if largest else goal
        truths, sides, ranges = found[:count], found[count : 2 * count], found[2 * count :]
        best.meet(start, values, _all([*truths, *ranges], len(values)))
        free.meet(start, values, _all(ranges, len(values)))
        for at, one in enumerate(conditions):
            others = _all([*truths[:at], *truths[at + 1 :], *ranges], len(values))
            without[at].meet(start, values, others)
            nearest[at].meet(start, -sides[at] if one.upward else sides[at], others)
    # A condition binds where leaving it out gives something better, not merely something else.
    binds = [least.place if least.value < best.value else _NONE for least in without]
    alone = any(place != _NONE for place in binds) or not free.value < best.value
    return _Found(best.place, binds, [least.place for least in nearest], _NONE if alone else free.place)


def _all(truths: Sequence[Array], length: int) -> Array:
    return reduce(np.logical_and, truths) if truths else np.ones(length, bool)


def _worded(
    found: _Found, axes: Sequence[Axis], given: Sequence[Axis], goal: Side, name: str,
    conditions: Sequence[Constraint], total: int,
) -> Choice:  # fmt: skip
    def point(at: int) -> dict[Symbol, Any]:
        indices = np.unravel_index(at, [len(axis) for axis in axes])
        free = {axis.symbol: axis.value(int(i)) for axis, i in zip(axes, indices, strict=True)}
        return {**{axis.symbol: axis.value(0) for axis in given}, **free}

    def value(one: Side, numbers: Mapping[Symbol, Any]) -> Amount:
        letters = tuple(sorted(one.expr.free_symbols, key=str))
        try:
            worked = compiled(one.expr, letters)(*(numbers[s] for s in letters))
            return Amount(to_sympy(worked), one.dimension)
        except Surd:
            return Amount(one.expr.xreplace({s: to_sympy(v) for s, v in numbers.items()}), one.dimension)

    def told(at: int) -> Point:
        numbers = point(at)
        free = {axis.symbol: Amount(to_sympy(numbers[axis.symbol]), letter(axis.symbol).dimension) for axis in axes}
        return Point(free, value(goal, numbers))

    best = None if found.best == _NONE else told(found.best)
    reached = {} if best is None else {c.text: value(c.left, point(found.best)) for c in conditions if c.left is not None}
    binding = {c.text: told(at) for c, at in zip(conditions, found.binding, strict=True) if at != _NONE}
    nearest = {
        c.text: (told(at), value(c.left, point(at)))
        for c, at in zip(conditions, found.nearest, strict=True)
        if best is None and at != _NONE and c.left is not None
    }
    return Choice(best, name, reached, binding, nearest, None if found.free == _NONE else told(found.free), total)



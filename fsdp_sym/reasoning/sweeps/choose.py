"""The best of many choices under conditions, and which condition binds: the one without which a better choice would do."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from math import prod
from typing import Final

import numpy as np
from sympy import Expr, Symbol

from ...algebra.agreement import exact as to_sympy
from ...algebra.errors import FsdpSymError, MissingValue, OutOfRange
from ...algebra.hypotheses import Hypothesis
from ...algebra.units import Amount
from ...algebra.vocabulary import letter
from ..work import Where, show_result
from .axes import Axis, asked_of
from .blocks import Layout, blocks, condition, program
from .constraints import Constraint, Side, read_constraint, side
from .exact import Points, sign, value_at
from .nodes import Nodes
from .program import Array, exactly

_MOST: Final = 10**9
_NONE: Final = -1
_NEAR: Final = 1e-9  # of their size: two floats that differ by less may be equal


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
      sharded_state <= 10 GB: it is 9.333333344 GB
      sharded_state <= 10 GB binds: without it N = 1
    """
    name = smallest if largest is None else largest
    if name is None or (smallest is not None and largest is not None):
        raise FsdpSymError("a choice is the smallest or the largest of something: give one of the two")
    goal = side(name)
    if not goal.expr.free_symbols:
        raise FsdpSymError(f"{name} is the same for every choice: name a letter or a formula")
    conditions = [read_constraint(text) for text in such_that]
    ranges = tuple(dict.fromkeys((*goal.ranges, *(h for c in conditions for h in c.ranges))))
    asked = asked_of([goal.expr, *(c.expr for c in conditions), *map(condition, ranges)], over, where or {}, at, "the choice")
    if not asked.varying:
        raise MissingValue("a choice is among values: name a letter and those it may have, such as N=1..64")
    for s in (*asked.missing, *asked.endless):
        raise MissingValue(f"the choice needs {s.name} ({letter(s).says}): give {s.name}=..., or values to choose from")
    axes, given = asked.axes, asked.given
    total = prod(map(len, axes))
    if total > _MOST:
        raise OutOfRange(f"{total:,} choices are more than {_MOST:,}: give fewer values")
    search = _Search(goal, conditions, ranges, axes, given, largest is not None)
    return search.worded(name)


class _Least:
    """The point with the smallest value so far. Floats that are nearly equal are told apart exactly, and of equal ones the first stays."""

    def __init__(self, exactly_at: Callable[[int], Expr]) -> None:
        self._exactly_at = exactly_at
        self.value, self.place = float("nan"), _NONE

    def meet(self, start: int, values: Array, allowed: Array) -> None:
        among = np.flatnonzero(allowed & ~np.isnan(values))
        if not len(among):
            return
        own = values[among]
        least = own.min()
        if self.place != _NONE and least > self.value + _NEAR * abs(self.value):
            return
        near, first = np.unique(own[own <= least + _NEAR * abs(least)], return_index=True)
        places = among[own <= least + _NEAR * abs(least)][first]
        for value, at in zip(near.tolist(), places.tolist(), strict=True):
            self._take(value, start + at)

    def _take(self, value: float, place: int) -> None:
        if self.place == _NONE or value < self.value - _NEAR * abs(self.value) or self._before(value, place):
            self.value, self.place = value, place

    def _before(self, value: float, place: int) -> bool:
        """Of two that are nearly equal, whether this one is smaller, or as small and earlier."""
        if not value <= self.value + _NEAR * abs(self.value):
            return False
        gap = sign(self._exactly_at(place) - self._exactly_at(self.place))
        return gap < 0 or (gap == 0 and place < self.place)


class _Search:
    """A choice among all points of a grid."""

    def __init__(
        self, goal: Side, conditions: Sequence[Constraint], ranges: Sequence[Hypothesis],
        axes: Sequence[Axis], given: Sequence[Axis], largest: bool,
    ) -> None:  # fmt: skip
        self._goal, self._conditions, self._axes = goal, conditions, axes
        self._points = Points(axes, given)
        self._sign = -1 if largest else 1
        self._best, self._free = self._least(), self._least()
        self._without = [self._least() for _ in conditions]
        self._nearest = [_Least(partial(self._gap, one)) for one in conditions]
        sides = [side for c in conditions for side in (c.expr.lhs, c.expr.rhs)]
        exprs = [goal.expr, *(c.expr for c in conditions), *sides, *map(condition, ranges)]
        nodes = Nodes(exprs, {axis.symbol: axis.column for axis in (*axes, *given)})
        try:
            kind, held = exactly(nodes, "a number on the way"), True
        except OutOfRange:
            kind, held = np.float64, False  # then every comparison that is close is decided exactly
        self._sure = [held and nodes.listed[at].whole for at in nodes.results[1 : len(conditions) + 1]]
        layout = Layout.of([len(axis) for axis in axes], together=False)
        for start, found in blocks(program(nodes, kind, axes, given, layout), axes, layout):
            self._look(start, found)

    def _least(self) -> _Least:
        return _Least(self._exactly)

    def _gap(self, one: Constraint, place: int) -> Expr:
        """How far the sides of a condition lie apart."""
        numbers = self._points.at(place)
        return abs(value_at(one.expr.lhs, numbers) - value_at(one.expr.rhs, numbers))

    def _look(self, start: int, found: list[Array]) -> None:
        """At a block."""
        count = len(self._conditions)
        values, truths, sides = self._sign * found[0], found[1 : count + 1], found[count + 1 : 3 * count + 1]
        left, right = sides[::2], sides[1::2]
        inside = _all(found[3 * count + 1 :], len(values))
        for at, one in enumerate(self._conditions):
            if not self._sure[at]:
                truths[at] = self._points.decide(one.expr, start, truths[at], left[at], right[at])
        self._best.meet(start, values, _all([*truths, inside], len(values)))
        self._free.meet(start, values, inside)
        for at in range(count):
            others = _all([*truths[:at], *truths[at + 1 :], inside], len(values))
            self._without[at].meet(start, values, others)
            self._nearest[at].meet(start, np.abs(left[at] - right[at]), others)

    def _better(self, one: _Least) -> bool:
        """Whether it is a better point than the best that meets every condition, and not merely another."""
        if one.place == _NONE or self._best.place == _NONE:
            return one.place != _NONE
        return one.place != self._best.place and sign(self._exactly(one.place) - self._exactly(self._best.place)) < 0

    def _exactly(self, place: int) -> Expr:
        return self._sign * value_at(self._goal.expr, self._points.at(place))

    def worded(self, goal: str) -> Choice:
        """What was found, as amounts."""
        binding = {c.text: self._told(one.place) for c, one in zip(self._conditions, self._without, strict=True) if self._better(one)}
        told = [(c, c.told, near.place) for c, near in zip(self._conditions, self._nearest, strict=True) if c.told is not None]
        best = self._best.place
        return Choice(
            best=None if best == _NONE else self._told(best),
            goal=goal,
            reached={c.text: self._amount(side, best) for c, side, _ in told if best != _NONE},
            binding=binding,
            nearest={
                c.text: (self._told(near), self._amount(side, near)) for c, side, near in told if best == _NONE and near != _NONE
            },
            free=self._told(self._free.place) if not binding and self._better(self._free) else None,
            points=prod(map(len, self._axes)),
        )  # fmt: skip

    def _told(self, place: int) -> Point:
        numbers = self._points.at(place)
        free = {axis.symbol: Amount(to_sympy(numbers[axis.symbol]), letter(axis.symbol).dimension) for axis in self._axes}
        return Point(free, self._amount(self._goal, place))

    def _amount(self, one: Side, place: int) -> Amount:
        return Amount(value_at(one.expr, self._points.at(place)), one.dimension)


def _all(truths: Sequence[Array], length: int) -> Array:
    return reduce(np.logical_and, truths) if truths else np.ones(length, bool)

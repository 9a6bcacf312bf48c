"""What floats cannot tell: comparisons at single points, in exact arithmetic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Final

import numpy as np
from sympy import Expr, S, Symbol
from sympy.core.relational import Relational

from ...algebra.agreement import exact as to_sympy
from ...algebra.arithmetic import Surd, compiled
from .axes import Axis
from .program import Array

Numbers = Mapping[Symbol, Fraction]
_NEAR: Final = 1e-9  # of their size: two floats that differ by less may be equal
_DIGITS: Final = 60


def value_at(expr: Expr, numbers: Numbers) -> Expr:
    """An expression at exact values: a rational number, or one with roots."""
    letters = tuple(sorted(expr.free_symbols, key=str))
    try:
        found = compiled(expr, letters)(*(numbers[s] for s in letters))
    except Surd:
        return expr.xreplace({s: to_sympy(numbers[s]) for s in letters})
    return found if isinstance(found, Expr) else to_sympy(found)


def sign(number: Expr) -> int:
    """-1, 0 or 1; roots that cancel to so many digits are equal."""
    if number is S.NaN:  # both were infinite
        return 0
    if number.is_Rational:
        return bool(number > 0) - bool(number < 0)
    shown = number.evalf(_DIGITS, maxn=10 * _DIGITS)
    return 0 if abs(shown) < 10 ** (-_DIGITS // 2) else 1 if shown > 0 else -1


class Points:
    """The points of a grid, exactly, by their place in it."""

    def __init__(self, axes: Sequence[Axis], given: Sequence[Axis]) -> None:
        self._axes = axes
        self._fixed = {axis.symbol: axis.value(0) for axis in given}

    @cached_property
    def _lengths(self) -> list[int]:
        return [len(axis) for axis in self._axes]

    def at(self, place: int) -> dict[Symbol, Fraction]:
        indices = np.unravel_index(place, self._lengths)
        return self._fixed | {axis.symbol: axis.value(int(i)) for axis, i in zip(self._axes, indices, strict=True)}

    def decide(self, compared: Relational, start: int, truths: Array, left: Array, right: Array) -> Array:
        """The truth values of a block, those where both sides are nearly equal worked out exactly."""
        with np.errstate(invalid="ignore"):  # infinite sides are no closer than any others
            near = np.flatnonzero(np.abs(left - right) <= _NEAR * np.maximum(np.abs(left), np.abs(right)))
        if not len(near):
            return truths
        found = truths.copy()
        for at in near.tolist():
            numbers = self.at(start + at)
            gap = sign(value_at(compared.lhs, numbers) - value_at(compared.rhs, numbers))
            found[at] = {"<=": gap <= 0, ">=": gap >= 0, "<": gap < 0, ">": gap > 0, "==": gap == 0, "!=": gap != 0}[compared.rel_op]
        return found

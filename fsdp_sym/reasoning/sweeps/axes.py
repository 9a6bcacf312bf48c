"""What is gone through: for each letter its values, in base units and exact, and once more as an array."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any, Final

import numpy as np
from sympy import Expr, Symbol, oo
from sympy.core.basic import Basic

from ...algebra.errors import FsdpSymError, OutOfRange
from ...algebra.vocabulary import letter, read_value, symbol_named
from ..work import Where, plain, values_at
from .nodes import Column

_LARGEST_SCALE: Final = 10**6  # up to which fractions are kept as whole numbers of a common part


@dataclass(frozen=True)
class Axis:
    """The values of one letter.

    Attributes
    ----------
    symbol : Symbol
    values : array
        Whole numbers as ints or as floats, other floats, or exact fractions as objects.
    whole : bool
    """

    symbol: Symbol
    values: np.ndarray[Any, Any]
    whole: bool

    def __len__(self) -> int:
        return len(self.values)

    @cached_property
    def column(self) -> Column:
        low, high = _fraction(self.values.min()), _fraction(self.values.max())
        if self.values.dtype == object:
            scale = lcm(*(value.denominator for value in self.values))
            if scale <= _LARGEST_SCALE:
                return Column(low, high, True, scale)
        return Column(low, high, self.whole)

    def taken(self, kind: type[np.float64] | type[np.int64]) -> Callable[[int | slice], Any]:
        """What gives values, by their places, as a program takes them: whole ones in its kind of number, others as floats."""
        dtype = np.dtype(kind if self.column.whole else np.float64)
        if self.values.dtype == dtype:
            return self.values.__getitem__
        if self.values.dtype == object:
            return np.array([value * self.column.scale for value in self.values]).astype(dtype).__getitem__
        return lambda places: self.values[places].astype(dtype)

    def value(self, at: int) -> Fraction:
        """One of them, exactly."""
        return _fraction(self.values[at])


def _fraction(value: Any) -> Fraction:
    """A value of an array, exactly; numpy's own integers would overflow inside a fraction."""
    return Fraction(value.item() if isinstance(value, np.generic) else value)


def read_axis(symbol: Symbol, given: object) -> Axis:
    """The values for a letter: a range, an array, or a list of what a person writes.

    Raises
    ------
    FsdpSymError
        In one line, where there are none, or one lies outside the letter's range.
    """
    if isinstance(given, str) or not isinstance(given, Iterable):
        given = [given]
    if isinstance(given, np.ndarray):
        return Axis(symbol, *_array(symbol, given))
    values = _written(symbol, given)
    return Axis(symbol, values, values.dtype == np.int64)


def _written(symbol: Symbol, given: Iterable[object]) -> np.ndarray[Any, Any]:
    if isinstance(given, range) and given:
        for end in (given[0], given[-1]):
            read_value(symbol, end)
            _small(symbol, Fraction(end))
        return np.arange(given.start, given.stop, given.step, dtype=np.int64)
    read = [read_value(symbol, value).value for value in given]
    if not read:
        raise FsdpSymError(f"{symbol.name} has no values: give it one at least")
    if oo in read:
        raise OutOfRange(f"{symbol.name} is swept over numbers: give it one instead of ∞")
    exact = [Fraction(plain(value)) for value in read]
    if all(value.denominator == 1 for value in exact):
        _small(symbol, max(map(abs, exact)))
        return np.array([int(value) for value in exact], dtype=np.int64)
    return np.array(exact, dtype=object)


def _array(symbol: Symbol, given: np.ndarray[Any, Any]) -> tuple[np.ndarray[Any, Any], bool]:
    """An array is taken as it is, in base units, and whether it holds whole numbers; its ends are held against the letter's range."""
    entry = letter(symbol)
    if given.ndim != 1 or not given.size or given.dtype.kind not in "iuf":
        raise FsdpSymError(f"{symbol.name} is given an array of shape {given.shape} and type {given.dtype}: give one row of numbers")
    ends = given.min(), given.max()
    if not all(np.isfinite(end) for end in ends):
        raise OutOfRange(f"{symbol.name} has a value that is no number: leave it out")
    for end in ends:
        read_value(symbol, Fraction(end.item()))
        if entry.whole or given.dtype.kind in "iu":
            _small(symbol, Fraction(end.item()))
    if given.dtype.kind in "iu":
        return given.astype(np.int64, copy=False), True
    if entry.whole and (given != np.floor(given)).any():
        raise OutOfRange(f"{symbol.name} ({entry.says}) is a whole number, and some of the array's are not: round them")
    return given.astype(np.float64, copy=False), entry.whole


def _small(symbol: Symbol, value: Fraction) -> None:
    if abs(value) >= 2**63:
        raise OutOfRange(f"{symbol.name} has a value of {float(value):.3g}, and an array holds whole numbers below 2^63: give smaller ones")


@dataclass(frozen=True)
class Asked:
    """What expressions are to be worked over.

    Attributes
    ----------
    letters : tuple of Symbol
        All that they depend on, in vocabulary order.
    varying : dict of Symbol to object
        Those that go through values, and these as they were given.
    known : dict of Symbol to Expr
        The values of others.
    """

    letters: tuple[Symbol, ...]
    varying: dict[Symbol, object]
    known: dict[Symbol, Expr]

    @property
    def missing(self) -> list[Symbol]:
        """The letters without a value."""
        return [s for s in self.letters if s not in self.varying and s not in self.known]

    @property
    def endless(self) -> list[Symbol]:
        """The letters at infinity."""
        return [s for s in self.letters if self.known.get(s) == oo]

    @property
    def axes(self) -> tuple[Axis, ...]:
        return tuple(read_axis(symbol, given) for symbol, given in self.varying.items())

    @property
    def given(self) -> tuple[Axis, ...]:
        return tuple(_given_axis(s, Fraction(plain(self.known[s]))) for s in self.letters if s not in self.varying)


def asked_of(
    exprs: Iterable[Basic], over: Mapping[str | Symbol, object], where: Where, at: Mapping[str, object], who: str
) -> Asked:  # fmt: skip
    """Part the letters of some expressions into those that vary and those that do not.

    Raises
    ------
    FsdpSymError
        Where a value is given for a letter that varies, or for one that changes nothing.
    """
    letters = tuple(sorted({s for expr in exprs for s in expr.free_symbols}, key=lambda s: letter(s).order))
    varying = {symbol_named(s) if isinstance(s, str) else s: values for s, values in over.items()}
    for name in at:
        symbol = symbol_named(name)
        if symbol in varying:
            raise FsdpSymError(f"{name} goes through values and is fixed too: give it one or the other")
        if symbol not in letters:
            raise FsdpSymError(f"{who} does not depend on {name}: it takes {', '.join(s.name for s in letters)}")
    return Asked(letters, varying, {s: amount.value for s, amount in values_at(where, at).items() if s not in varying})


def _given_axis(symbol: Symbol, value: Fraction) -> Axis:
    """A letter that does not vary."""
    whole = value.denominator == 1 and abs(value) < 2**63
    return Axis(symbol, np.array([int(value)], dtype=np.int64) if whole else np.array([value], dtype=object), whole)

"""Does an expression rise or fall with a letter? And between which two that do does it lie?"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import Literal

from sympy import Add, Dummy, Expr, Integer, Max, Min, Mul, Piecewise, Poly, Pow, Symbol, cancel, ceiling, diff, floor, fraction
from sympy.core.basic import Basic

from ..algebra.vocabulary import LETTERS

Trend = Literal["rises", "falls", "constant"]

_TURNED: dict[Trend | None, Trend | None] = {"rises": "falls", "falls": "rises", "constant": "constant", None: None}


@lru_cache(maxsize=4096)
def trend(expr: Basic, letter: Symbol) -> Trend | None:
    """``rises`` or ``falls`` (not strictly), ``constant``, or None where that cannot be told."""
    if letter not in expr.free_symbols:
        return "constant"
    return _by_structure(expr, letter) or _by_slope(expr, letter) or _by_branches(expr, letter)


def _by_structure(expr: Basic, letter: Symbol) -> Trend | None:
    match expr:
        case Symbol():
            return "rises"
        case ceiling() | floor():
            return trend(expr.args[0], letter)
        case Add() | Max() | Min():
            return _together([trend(x, letter) for x in expr.args])
        case Mul():
            return _product(expr, letter)
        case Pow() if letter not in expr.exp.free_symbols and expr.base.is_nonnegative:
            inside = trend(expr.base, letter)
            return inside if expr.exp.is_positive else _TURNED[inside]
        case Piecewise():
            return _first_that_holds(expr, letter)
    return None


def _together(trends: list[Trend | None]) -> Trend | None:
    moving = {t for t in trends if t != "constant"}
    return moving.pop() if len(moving) == 1 else (None if moving else "constant")


def _product(expr: Mul, letter: Symbol) -> Trend | None:
    fixed = [x for x in expr.args if letter not in x.free_symbols]
    moving = [x for x in expr.args if letter in x.free_symbols]
    if any(x.is_nonnegative is not True for x in moving) and len(moving) > 1:
        return None
    found = _together([trend(x, letter) for x in moving])
    sign = Mul(*fixed)
    if sign.is_nonnegative:
        return found
    return _TURNED[found] if sign.is_nonpositive else None


def _first_that_holds(expr: Piecewise, letter: Symbol) -> Trend | None:
    """Of rising numbers the first whose condition holds: it falls as the conditions come true."""
    values = [value for value, _ in expr.args]
    if not all(x.is_number for x in values) or values != sorted(values):
        return None
    margins = [when.gts - when.lts for _, when in expr.args if when.is_Relational]
    return _TURNED[_together([trend(x, letter) for x in margins])]


def _by_slope(expr: Basic, letter: Symbol) -> Trend | None:
    """From the sign of the slope, for a rational function of one letter whose slope has no root in the letter's range."""
    if expr.free_symbols != {letter} or letter not in LETTERS or not expr.is_rational_function(letter):
        return None
    low = LETTERS[letter].low
    slope = cancel(diff(expr, letter))
    if slope == 0:
        return "constant"
    for part in fraction(slope):
        poly = Poly(part, letter)
        if not (poly.domain.is_QQ or poly.domain.is_ZZ) or poly.count_roots(low) > int(poly.eval(low) == 0):
            return None
    return "rises" if slope.xreplace({letter: Integer(low + 1)}) > 0 else "falls"


def _by_branches(expr: Basic, letter: Symbol) -> Trend | None:
    """Max and Min join their branches without a jump, so what all of these do the whole does."""
    if not expr.has(Max, Min) or expr.has(Piecewise):
        return None
    return _together([trend(branch, letter) for branch in branches(expr)[0]])


def branches(expr: Expr) -> tuple[list[Expr], list[Expr]]:
    """The expressions without Max, Min and cases that `expr` is in turn, and those whose zeros are the turns."""
    node = next(iter(expr.atoms(Max, Min, Piecewise)), None)
    if node is None:
        return [expr], []
    cases = isinstance(node, Piecewise)
    choices = [value for value, _ in node.args] if cases else list(node.args)
    sides = [(when.lhs, when.rhs) for _, when in node.args if when.is_Relational] if cases else combinations(choices, 2)
    # Where a comparison has cases of its own, it turns in each of them.
    turns = [turn for x, y in sides for found in branches(x - y) for turn in found]
    ends: list[Expr] = []
    for choice in choices:
        found, more = branches(expr.xreplace({node: choice}))
        ends, turns = ends + found, turns + more
    return ends, turns


def enclosure(expr: Basic, letter: Symbol) -> tuple[Expr, Expr] | None:
    """Two expressions without rounding of the letter between which `expr` lies; None where its parts pull both ways."""
    parts = [x for x in _outermost(expr) if letter in x.free_symbols]
    held = {part: Dummy(positive=True) for part in parts}
    low = high = expr.xreplace(held)
    for part, dummy in held.items():
        way, around = trend(low, dummy) or trend(low.expand(), dummy), _around(part, letter)
        if way is None or around is None:
            return None
        least, most = around if way == "rises" else around[::-1]
        low, high = low.xreplace({dummy: least}), high.xreplace({dummy: most})
    return low, high


def _outermost(expr: Basic) -> list[Basic]:
    if isinstance(expr, ceiling | floor | Max | Min):
        return [expr]
    return [part for x in expr.args for part in _outermost(x)]


def _around(part: Basic, letter: Symbol) -> tuple[Expr, Expr] | None:
    inside = [enclosure(x, letter) for x in part.args]
    sides = [x for x in inside if x is not None]
    if len(sides) < len(inside):
        return None
    lows, highs = zip(*sides, strict=True)
    match part:
        case ceiling():
            return lows[0], highs[0] + 1
        case floor():
            return lows[0] - 1, highs[0]
    return part.func(*lows), part.func(*highs)

"""Does an expression rise or fall with a letter? Read off its structure and the letters' signs."""

from __future__ import annotations

from typing import Literal

from sympy import Add, Max, Min, Mul, Pow, Symbol, ceiling, floor
from sympy.core.basic import Basic

Trend = Literal["rises", "falls", "constant"]


def trend(expr: Basic, letter: Symbol) -> Trend | None:
    """``rises`` or ``falls`` (not strictly), ``constant``, or None where the structure does not tell."""
    if letter not in expr.free_symbols:
        return "constant"
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
            return inside if expr.exp.is_positive else _turned(inside)
    return None


def _together(trends: list[Trend | None]) -> Trend | None:
    moving = {t for t in trends if t != "constant"}
    return moving.pop() if len(moving) == 1 else (None if moving else "constant")


def _turned(found: Trend | None) -> Trend | None:
    return {"rises": "falls", "falls": "rises", "constant": "constant"}[found] if found else None  # type: ignore[return-value]


def _product(expr: Mul, letter: Symbol) -> Trend | None:
    fixed = [x for x in expr.args if letter not in x.free_symbols]
    moving = [x for x in expr.args if letter in x.free_symbols]
    if any(x.is_nonnegative is not True for x in moving) and len(moving) > 1:
        return None
    found = _together([trend(x, letter) for x in moving])
    sign = Mul(*fixed)
    if sign.is_nonnegative:
        return found
    return _turned(found) if sign.is_nonpositive else None

"""A right answer, or a wrong one, as a student would type it: plain digits in the unit that is asked for."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from typing import Final

from sympy import Expr

from ...algebra.printing import to_text
from ...algebra.units import unit_size
from ...teaching.answers import Count, Expects, Quantity
from ...teaching.drills import Key, Part, Posed

_ROUNDED: Final = Context(prec=4, rounding=ROUND_HALF_EVEN)


def answer_text(value: Key, expects: Expects) -> str:
    """The text for a key or a rival's value; a number that is not a count has four significant digits."""
    match value:
        case None:
            return "none"
        case str():
            return value
        case tuple():
            return " x ".join(map(str, value))
        case Expr():
            return to_text(value)
    if isinstance(expects, Count):
        return str(value)
    unit = expects.unit if isinstance(expects, Quantity) else ""
    return f"{four_digits(in_unit(value, unit))}{f' {unit}' if unit else ''}"


def is_an_answer(value: Key, expects: Expects) -> bool:
    """Whether anybody would give it: a count is whole."""
    return not (isinstance(expects, Count) and isinstance(value, Fraction) and value.denominator != 1)


def in_unit(value: int | Fraction, unit: str) -> Fraction:
    """A value in base units as a number of these units; without a unit, itself."""
    size = unit_size(unit)[0] if unit else 1
    return Fraction(value) / Fraction(str(size))


def four_digits(number: Fraction) -> str:
    """Four significant digits, without grouping, exponent or trailing zeros."""
    return f"{_ROUNDED.divide(Decimal(number.numerator), Decimal(number.denominator)).normalize():f}"


def lettered(posed: Posed, part: Part) -> dict[str, str]:
    """The options of a choice whose lines begin with them, ``a) ...``, and what each line says; empty for any other part."""
    options = getattr(part.expects, "options", ())
    said = dict(line.split(") ", 1) for line in posed.lines if line[1:3] == ") ")
    return {option: said[option] for option in options if option in said}

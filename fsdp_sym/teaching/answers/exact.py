"""Exact arithmetic that cannot run away: every result has at most 4096 bits above and below, every exponent is at most 64.

An int stays an int where a value is whole.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor
from typing import Final

from ...algebra.arithmetic import Number, Surd, over, root

MOST_BITS: Final = 4096
MOST_EXPONENT: Final = 64
FUNCTIONS: Final = {"sqrt": 1, "ceil": 1, "floor": 1, "max": 2, "min": 2}  # and how many arguments at least


class Unworkable(ArithmeticError):
    """There is no such value, or it is not worked out; the message says what to write instead."""


def literal(digits: str, exponent: str) -> Number:
    """The number that is written as digits with at most one point, and a power of ten."""
    above, _, below = digits.partition(".")
    power = int(exponent or 0)
    if abs(power) > MOST_EXPONENT:
        raise _oversized()
    power -= len(below)
    mantissa = int(above + below)
    return mantissa * 10**power if power >= 0 else over(mantissa, 10**-power)


def combined(operator: str, left: Number, right: Number) -> Number:
    """The sum, difference, product, quotient or power of two numbers.

    Raises
    ------
    Unworkable
        In one line, with the remedy.
    """
    match operator:
        case "+":
            return _bounded(left + right)
        case "-":
            return _bounded(left - right)
        case "*":
            return _bounded(left * right)
        case "/" if right == 0:
            raise Unworkable("this divides by zero: write a finite number")
        case "/":
            return _bounded(over(left, right))
        case _:
            return _power(left, right)


def called(function: str, arguments: list[Number]) -> Number:
    """The exact value of one of `FUNCTIONS`."""
    match function:
        case "sqrt":
            return _root(arguments[0])
        case "ceil":
            return ceil(arguments[0])
        case "floor":
            return floor(arguments[0])
        case "max":
            return max(arguments)
        case _:
            return min(arguments)


def _bounded(value: Number) -> Number:
    if value.numerator.bit_length() > MOST_BITS or value.denominator.bit_length() > MOST_BITS:
        raise _oversized()
    return value.numerator if value.denominator == 1 else value


def _oversized() -> Unworkable:
    return Unworkable(f"this is too large or too small: write exponents of at most {MOST_EXPONENT}, as in 7e9 or 2^30")


def _power(base: Number, exponent: Number) -> Number:
    if exponent.denominator == 2:
        base, exponent = _root(base), exponent.numerator
    if exponent.denominator != 1:
        raise Unworkable("an exponent is a whole number or a half: write sqrt for a root")
    power = int(exponent)
    if abs(power) > MOST_EXPONENT or max(abs(base.numerator), base.denominator).bit_length() * abs(power) > MOST_BITS:
        raise _oversized()
    if power >= 0:
        return base**power
    if base == 0:
        raise Unworkable("this divides by zero: write a finite number")
    return over(Fraction(base).denominator ** -power, Fraction(base).numerator ** -power)


def _root(value: Number) -> Number:
    if value < 0:
        raise Unworkable("there is no root of a negative number: write a real one")
    try:
        return root(value, 2)
    except Surd:
        raise Unworkable("this root has no exact value: write digits, or a root of a product of letters") from None

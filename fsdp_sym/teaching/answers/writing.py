"""Exact numbers as text, for an echo."""

from __future__ import annotations

from decimal import Context, Decimal
from typing import Final

from ...algebra.arithmetic import Number

_LONGEST: Final = 30
_EXACT: Final = Context(prec=18)
_ROUNDED: Final = Context(prec=6)


def exact_text(value: Number) -> str:
    """The whole number in groups of three, the decimal that ends within 18 digits, or the quotient; it reads back equal."""
    if isinstance(value, int):
        return f"{value:,}" if abs(value) >= 10000 else str(value)
    decimal = _EXACT.divide(Decimal(value.numerator), Decimal(value.denominator))
    if decimal.as_integer_ratio() != (value.numerator, value.denominator):
        return f"{exact_text(value.numerator)}/{exact_text(value.denominator)}"
    text = f"{decimal.normalize():f}"
    whole, _, rest = text.partition(".")
    return f"{int(whole):,}.{rest}" if len(whole.lstrip("-")) > 4 else text


def number_text(value: Number) -> str:
    """The exact text where it is short, else ``≈`` and six digits."""
    if max(abs(value.numerator), value.denominator) < 10**_LONGEST:
        text = exact_text(value)
        if len(text) <= _LONGEST + 10:
            return text
    return f"≈ {_ROUNDED.divide(Decimal(value.numerator), Decimal(value.denominator)).normalize()}".replace("E", "e")

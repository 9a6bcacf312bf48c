"""Slips of unit: factors that compose with the truth and with every misconception."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from .form import Principle
from .principles import BITS, PREFIXES


@dataclass(frozen=True)
class Slip:
    """An answer off by a factor that has nothing to do with the formula.

    ``factor`` is what the typed value is, over what was meant, in base units. A binary slip depends on the prefix
    of the unit; its factor is taken once for each step from kilo.
    """

    id: str
    factor: Fraction
    per_prefix: bool
    violates: Principle
    tell: str

    def of(self, prefix_power: int) -> Fraction:
        """The factor for a unit such as GB, which is three steps of a thousand above the byte."""
        return self.factor**prefix_power if self.per_prefix else self.factor


BINARY: Final = Fraction(1024, 1000)

SLIPS: Final = (
    Slip("gib-for-gb", BINARY, True, PREFIXES, "Your number is right in GB; with GiB written behind it, it is too large. GiB is a power of two."),
    Slip("gb-for-gib", 1 / BINARY, True, PREFIXES, "You divided by a power of two and wrote a decimal unit: GB is a power of ten."),
    Slip("bits-for-bytes", Fraction(1, 8), False, BITS, "Your number is right in bytes; you wrote a small b, which is bits."),
    Slip("bytes-for-bits", Fraction(8), False, BITS, "Your number counts bits; a byte has eight of them."),
    Slip("a-thousand-too-large", Fraction(1000), False, PREFIXES, "You are a factor of a thousand too large: check the prefix of the unit."),
    Slip("a-thousand-too-small", Fraction(1, 1000), False, PREFIXES, "You are a factor of a thousand too small: check the prefix of the unit."),
    Slip("a-million-too-large", Fraction(10**6), False, PREFIXES, "You are a factor of a million too large: check the prefix of the unit."),
    Slip("a-million-too-small", Fraction(1, 10**6), False, PREFIXES, "You are a factor of a million too small: check the prefix of the unit."),
)

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
    Slip("gib-for-gb", BINARY, True, PREFIXES, "You wrote a binary unit where a decimal one was meant: GiB and MiB are powers of two, GB and MB powers of ten."),
    Slip("gb-for-gib", 1 / BINARY, True, PREFIXES, "You divided by a power of two and wrote a decimal unit: GB and MB are powers of ten."),
    Slip("bits-for-bytes", Fraction(1, 8), False, BITS, "You wrote a small b, which is bits, where bytes were meant."),
    Slip("bytes-for-bits", Fraction(8), False, BITS, "You counted bits and wrote bytes; a byte has eight bits."),
    Slip("a-thousand-too-large", Fraction(1000), False, PREFIXES, "You are a factor of a thousand too large: check the prefix of the unit."),
    Slip("a-thousand-too-small", Fraction(1, 1000), False, PREFIXES, "You are a factor of a thousand too small: check the prefix of the unit."),
    Slip("a-million-too-large", Fraction(10**6), False, PREFIXES, "You are a factor of a million too large: check the prefix of the unit."),
    Slip("a-million-too-small", Fraction(1, 10**6), False, PREFIXES, "You are a factor of a million too small: check the prefix of the unit."),
)

"""A row of a scenario: values keyed by vocabulary symbols, and the source they come from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sympy import Symbol

from ..algebra.units import Amount
from ..algebra.vocabulary import read_value


@dataclass(frozen=True)
class Row:
    """Named values with a source.

    Parameters
    ----------
    name : str
        What people call it.
    given : mapping
        Symbols to values as people write them (``"80 GB"``, ``"7B"``, ``8``); read and checked at once.
    source : str
        Where the values are written.
    """

    name: str
    given: Mapping[Symbol, object]
    source: str

    def __post_init__(self) -> None:
        if not self.source.strip():
            raise ValueError(f"the row {self.name!r} has no source: say where its values are written")

    @property
    def values(self) -> dict[Symbol, Amount]:
        return {symbol: read_value(symbol, value) for symbol, value in self.given.items()}

"""The columns a figure is drawn from: exact values, once as text for its table and once as floats for its pixels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..algebra.units import Amount, bit, show_readably, to_exact, unit_size
from ..reasoning.work import Worked
from .picture import Table


@dataclass(frozen=True)
class Column:
    """A column of a figure's table.

    Attributes
    ----------
    header : str
    texts : tuple of str
        What the table shows: exact, with units; what is no decimal and too long to be read is rounded.
    drawn : tuple of float
        The same in `unit`, for pixels alone; empty where the column is words.
    """

    header: str
    texts: tuple[str, ...]
    drawn: tuple[float, ...] = ()

    def at(self, *rows: int) -> Column:
        """Some of its rows."""
        return Column(self.header, tuple(self.texts[r] for r in rows), tuple(self.drawn[r] for r in rows))


def named(header: str, texts: Iterable[str]) -> Column:
    """A column of words."""
    return Column(header, tuple(texts))


def measured(header: str, values: Iterable[Worked | Amount | int], unit: str = "") -> Column:
    """A column of exact values in one unit (none for counts and ratios)."""
    amounts = [amount_of(value) for value in values]
    return Column(header, tuple(show_readably(a, unit) for a in amounts), tuple(_in_unit(a, unit) for a in amounts))


def amount_of(value: Worked | Amount | int) -> Amount:
    """The amount that a worked formula gives, or a plain count."""
    found = value.value if isinstance(value, Worked) else value
    return found if isinstance(found, Amount) else Amount(to_exact(found))


def _in_unit(amount: Amount, unit: str) -> float:
    if not unit:
        return float(amount.value)
    bits = 8 if amount.dimension.has(bit) else 1  # units keep a bit as an eighth of a byte
    return float(amount.value / (unit_size(unit)[0] * bits))


def table(columns: Sequence[Column]) -> Table:
    """The columns side by side."""
    return Table(tuple(c.header for c in columns), tuple(zip(*(c.texts for c in columns), strict=True)))

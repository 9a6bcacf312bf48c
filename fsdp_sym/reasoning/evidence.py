"""The third route: every record against the formula it names, without running what it was measured on."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache

from ..algebra.errors import FsdpSymError
from ..algebra.units import Amount, show, to_exact
from ..evidence.form import Record
from .catalogue import find
from .work import plain, work


@cache
def records() -> dict[str, Record]:
    """Every record by its id.

    Raises
    ------
    FsdpSymError
        Where two have one id.
    """
    from .. import evidence as wing

    found: dict[str, Record] = {}
    for record in find(wing, Record):
        if record.id in found:
            raise FsdpSymError(f"two records are called {record.id}: rename one")
        found[record.id] = record
    return found


def records_of(formula: str) -> Iterator[Record]:
    """The records that a formula must give."""
    return (record for record in records().values() if record.formula == formula)


def predicted(record: Record) -> Amount:
    """What the formula says at the record's values."""
    found = work(dict(record.at), record.formula).value
    if not isinstance(found, Amount):
        raise FsdpSymError(f"the record {record.id} names {record.formula}, which answers yes or no")
    return found


def disagreement(record: Record) -> str | None:
    """How a record and its formula differ, in one line; None where they agree."""
    try:
        amount = predicted(record)
    except FsdpSymError as error:
        return f"{record.id}: {error}"
    if record.digits is not None:
        printed = show(Amount(to_exact(record.value)), None, record.digits)
        ours = show(amount, record.unit or None, record.digits).removeprefix("≈ ").partition(" ")[0]
        return (
            None
            if Fraction(ours) == Fraction(printed.removeprefix("≈ "))
            else f"{record.id}: printed {printed}, {record.formula} gives {ours}"
        )
    value = Fraction(plain(amount.value))
    if abs(value - record.value) <= record.within * record.value:
        return None
    return f"{record.id}: {record.what}: {record.value} was found, {record.formula} gives {value}"

"""What was found beside what the formulas say, as a table: the found column comes from the records alone."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from ..algebra.errors import FsdpSymError
from ..algebra.units import Amount, byte, show, show_number, to_exact
from ..algebra.vocabulary import letter, symbol_named
from ..evidence.form import Record
from ..figures.picture import Table
from ..reasoning.evidence import disagreement, predicted, records_in
from ..reasoning.work import count, plain, values_at, work

Predict = Callable[[Record], Amount]


def by_counting(record: Record) -> Amount:
    """What plain counting says at the record's values, in place of the formula."""
    found = count(work(dict(record.at), record.formula))
    if not isinstance(found, Amount):
        raise FsdpSymError(f"the record {record.id} names {record.formula}, whose count is no number")
    return found


def evidence_table(group: str, predict: Predict = predicted) -> Table:
    """Predicted beside found, a row a record, for the records of one measurement.

    Parameters
    ----------
    group : str
        Such as ``persistent``, or ``printed`` for what others published.
    predict : callable
        What says what is to be expected: the formula, or its count.

    Raises
    ------
    FsdpSymError
        Where a record and its formula disagree.
    """
    rows = records_in(group)
    for record in rows:
        if wrong := disagreement(record):
            raise FsdpSymError(f"{wrong}: measure again, or mend the formula")
    return Table(("what", "at", "formula", "predicted", "found", "agree"), tuple(_row(record, rows, predict(record)) for record in rows))


def _row(record: Record, rows: list[Record], foreseen: Amount) -> tuple[str, ...]:
    said, found = _both(record, foreseen)
    return record.what, _telling(record, rows), record.formula, said, found, _agreement(record, foreseen)


def _both(record: Record, foreseen: Amount) -> tuple[str, str]:
    """The two numbers in one unit; a printed one is as long as it was printed."""
    value = to_exact(record.value)
    if record.digits is not None:
        unit = record.unit or None
        return show(foreseen, unit, record.digits), f"{show_number(value, record.digits)}{f' {unit}' if unit else ''}"
    unit = "B" if foreseen.dimension == byte else None
    return show(foreseen, unit), show(Amount(value, foreseen.dimension), unit)


def _telling(record: Record, rows: list[Record]) -> str:
    """The letters in which a record differs from others of the same words: ``N = 64``."""
    alike = [other for other in rows if (other.what, other.formula) == (record.what, record.formula)]
    names = [name for name in record.at if len({str(other.at.get(name)) for other in alike}) > 1]
    values = values_at(dict(record.at), {})
    return ", ".join(f"{name} = {show(values[symbol_named(name)])}" for name in sorted(names, key=lambda n: letter(symbol_named(n)).order))


def _agreement(record: Record, foreseen: Amount) -> str:
    if record.digits is not None:
        return f"to {record.digits} digits"
    off = abs(Fraction(plain(foreseen.value)) - record.value)
    return f"within {show(Amount(to_exact(off / Fraction(record.value))), '%', 2)}" if off else "exactly"

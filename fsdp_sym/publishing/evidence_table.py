"""What was found beside what the formulas say, as a table: the found column comes from the records alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from textwrap import wrap
from typing import Final, NamedTuple

from ..algebra.errors import FsdpSymError
from ..algebra.units import Amount, byte, show, show_number, to_exact
from ..evidence.form import Record
from ..reasoning.evidence import disagreement, predicted, records_in
from ..reasoning.work import count, plain, work

Predict = Callable[[Record], Amount]
_WORDS: Final = 46  # characters of a line before its numbers; the rest of a notebook's width is theirs


class Row(NamedTuple):
    """One record: what it is of, the formula that predicts it, both numbers, and how near the prediction comes."""

    what: str
    formula: str
    predicted: str
    found: str
    nearness: str


def by_counting(record: Record) -> Amount:
    """What plain counting says at the record's values, in place of the formula."""
    found = count(work(dict(record.at), record.formula))
    if not isinstance(found, Amount):
        raise FsdpSymError(f"the record {record.id} names {record.formula}, whose count is no number")
    return found


def evidence_rows(group: str, predict: Predict = predicted) -> list[Row]:
    """Predicted beside found, for the records of one measurement.

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
    return rows_of(records_in(group), predict)


def rows_of(records: Sequence[Record], predict: Predict = predicted) -> list[Row]:
    """The same for any records."""
    for record in records:
        if wrong := disagreement(record):
            raise FsdpSymError(f"{wrong}: measure again, or mend the formula")
    return [_row(record, predict(record)) for record in records]


def evidence_text(group: str, predict: Predict = predicted) -> str:
    """The same as lines of text, the records of a formula together under its name."""
    rows = evidence_rows(group, predict)
    numbers = [("predicted", "found"), *((row.predicted, row.found) for row in rows)]
    wide, wider = (max(len(line[at]) for line in numbers) for at in range(2))

    def line(what: str, one: str, other: str, near: str) -> str:
        *above, last = wrap(what, _WORDS) or [""]
        return "\n".join([*(f"  {part}" for part in above), f"  {last.ljust(_WORDS)}  {one.rjust(wide)}  {other.rjust(wider)}  {near}"])

    lines = [line("", "predicted", "found", "predicted is")]
    for formula in dict.fromkeys(row.formula for row in rows):
        lines += [formula, *(line(row.what, row.predicted, row.found, row.nearness) for row in rows if row.formula == formula)]
    return "\n".join(lines)


def _row(record: Record, foreseen: Amount) -> Row:
    value = to_exact(record.value)
    if record.digits is not None:
        unit = f" {record.unit}" if record.unit else ""
        said, found = show(foreseen, record.unit or None, record.digits), show_number(value, record.digits) + unit
        return Row(record.what, record.formula, said, found, f"right to {record.digits} digits")
    said, found = (show(Amount(x, foreseen.dimension), "B" if foreseen.dimension == byte else None) for x in (foreseen.value, value))
    return Row(record.what, record.formula, said, found, _nearness(record, foreseen))


def _nearness(record: Record, foreseen: Amount) -> str:
    off = Fraction(plain(foreseen.value)) / Fraction(record.value or 1) - 1 if record.value else Fraction(0)
    return f"{show(Amount(to_exact(abs(off))), '%', 2)} {'above' if off > 0 else 'below'}" if off else "exact"

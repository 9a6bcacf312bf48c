"""Gradebooks as CSV: plain, for Canvas, and as Moodle's grading worksheet. No field of them is a formula to a spreadsheet.

Where a learning system's own list lay beside the returned work, its rows come back with the marks in them, Moodle's on the scale
that it says. Who has no mark has an empty field, never a zero; Canvas is told of the exempt.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from .lists import System
from .record import Header
from .results import Result, points_text

_NUMBER: Final = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_PLAIN: Final = re.compile(rf"{_NUMBER}|-")
# Also behind what another spreadsheet takes for the end of a field, and in the wide forms of these characters.
_FORMULA: Final = re.compile(rf"(^|[;\t\r\n])(\s*)(?=[=+\-@＝＋－＠])(?!{_NUMBER}(?:[;\t\r\n]|$))")

_CANVAS_IDS: Final = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
_MOODLE_COLUMNS: Final = (
    "Identifier", "Full name", "Email address", "Status", "Grade", "Maximum Grade", "Grade can be changed",
    "Last modified (submission)", "Last modified (grade)", "Feedback comments",
)  # fmt: skip


def guarded(field: str) -> str:
    """A field that no spreadsheet takes for a formula: an apostrophe stands before what could begin one. Numbers stay as they are."""
    if _PLAIN.fullmatch(field):
        return field
    guard = "'" if field[:1] in ("\t", "\r", "\n") else ""
    return guard + _FORMULA.sub(r"\1\2'", field)


def csv_line(fields: Sequence[str]) -> str:
    """A row of a table, each field guarded."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerow([guarded(field) for field in fields])
    return out.getvalue()


Row = list[str]
Listed = Mapping[str, str]


@dataclass(frozen=True)
class Gradebook:
    """A gradebook's form.

    Parameters
    ----------
    file : str
        Its name.
    system : str, optional
        Whose list it is made from, where there is one.
    head : callable
        From the assignment and the list's columns to the rows above the students.
    row : callable
        From the assignment, a result, the list's columns and its row for the student to the student's; None where it has none.
    """

    file: str
    system: System | None
    head: Callable[[Header, Sequence[str]], list[Row]]
    row: Callable[[Header, Result, Sequence[str], Listed], Row | None]


def _out_of(header: Header) -> Fraction:
    return sum((Fraction(q.points) for q in header.questions), Fraction(0))


def _plain_head(header: Header, _: Sequence[str]) -> list[Row]:
    labels = [q.label for q in header.questions]
    return [["student", "name", "sheet", "status", "mark", "out of", *labels, "submitted", "minutes late", "notes"]]


def _plain_row(header: Header, result: Result, _: Sequence[str], __: Listed) -> Row:
    mark = "" if result.mark is None else points_text(result.mark)
    by_label = {q.label: points_text(q.counts * q.points) for q in result.questions}
    questions = [by_label.get(q.label, "") for q in header.questions]
    late = str(result.late) if result.late else ""
    who = [result.student, result.name, result.sheet, result.status]
    unread = [q.label for q in result.questions if any(part.verdict == "invalid" for part in q.parts)]
    notes = [*result.notes, *result.problems, *([f"cannot be read, so not marked: {', '.join(unread)}"] if unread else [])]
    return [*who, mark, points_text(result.out_of), *questions, result.submitted, late, "; ".join(notes)]


def _scaled(result: Result, scale: str) -> str:
    """The mark on the scale that the learning system has, where it says one."""
    if result.mark is None:
        return ""
    top = Fraction(scale) if re.fullmatch(r"\d{1,6}(\.\d{1,4})?", scale) else Fraction(0)
    return points_text(result.mark * top / result.out_of if top and result.out_of else result.mark)


def _canvas_column(header: Header, columns: Sequence[str]) -> str:
    """The assignment's column, with Canvas's own number where the list has it."""
    own = re.compile(rf"{re.escape(header.assignment)}(?: \(\d+\))?", re.IGNORECASE)
    return next((name for name in columns if own.fullmatch(name)), header.assignment)


def _canvas_head(header: Header, columns: Sequence[str]) -> list[Row]:
    return [[*_CANVAS_IDS, _canvas_column(header, columns)], ["    Points Possible", "", "", "", "", points_text(_out_of(header))]]


def _canvas_row(header: Header, result: Result, columns: Sequence[str], listed: Listed) -> Row:
    own = [result.name or result.student, "", result.student, result.student, ""]
    who = [listed.get(name, "") for name in _CANVAS_IDS] if listed else own
    return [*who, "EX" if result.status == "exempt" else _scaled(result, "")]


def _moodle_head(header: Header, columns: Sequence[str]) -> list[Row]:
    return [list(columns or _MOODLE_COLUMNS)]


def _moodle_row(header: Header, result: Result, columns: Sequence[str], listed: Listed) -> Row | None:
    if not listed and (columns or not result.number):
        return None  # Moodle knows a participant by its own number alone
    out_of = points_text(result.out_of)
    made = {"Identifier": f"Participant {result.number}", "Full name": result.name, "Maximum Grade": out_of, "Last modified (grade)": "-"}
    row = dict(listed or made)
    row["Grade"] = _scaled(result, row.get("Maximum Grade", ""))
    return [row.get(name, "") for name in columns or _MOODLE_COLUMNS]


GRADEBOOKS: Final = {
    "plain": Gradebook("gradebook.csv", None, _plain_head, _plain_row),
    "canvas": Gradebook("canvas.csv", "canvas", _canvas_head, _canvas_row),
    "moodle": Gradebook("moodle.csv", "moodle", _moodle_head, _moodle_row),
}

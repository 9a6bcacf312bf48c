"""Corrections after the fact: of a question for everybody, or of one student's mark, each with its reason.

As JSON::

    {"questions": {"Q7": {"also": ["gib-for-gb", "525 MB"], "reason": "..."}, "Q8": {"drop": true}, "Q9": {"full": true}},
     "students": {"s123": {"Q3": {"mark": 1, "reason": "..."}, "sheet": {"mark": 12.5, "reason": "..."}}}}

or as CSV with the columns ``student``, ``question``, ``correction``, ``value`` and ``reason``, whose student is empty for everybody:

* ``also``: an answer is right too if it is read as this value or option, or if it is diagnosed as this misconception or slip;
  of a question with parts, ``Q7.2`` names one of them;
* ``drop``: the question does not count, and the rest counts for all the points;
* ``full``: everybody whose sheet is marked gets full marks for it;
* ``mark``: a student gets so many points for a question, or, under ``sheet``, for everything.

A correction lowers nobody's mark unless that is allowed: where it would, the student keeps what was there.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

from ...algebra.errors import FsdpSymError, UnknownName
from ..answers import Count, Expects, Read, Symbolic, read, same_expression
from ..drills import Drill
from ..drills.separation import TOLERANCE
from ..misconceptions import MISCONCEPTIONS, SLIPS
from .expected import fields
from .record import Header
from .results import PartResult, QuestionResult, Result, points_text, total
from .submissions import separator

_MOST_BYTES: Final = 5_000_000
_KINDS: Final = ("also", "drop", "full", "mark")
SHEET: Final = "sheet"
_COLUMNS: Final = ("student", "question", "correction", "value", "reason")


@dataclass(frozen=True)
class Correction:
    """One correction: for whom (empty for everybody), of what (``Q7``, ``Q7.2`` or ``sheet``), what kind, to what, and why."""

    student: str
    field: str
    kind: str
    value: str
    reason: str

    @property
    def label(self) -> str:
        return self.field.partition(".")[0]

    @property
    def says(self) -> str:
        what = {"also": f"{self.value} is accepted too", "drop": "dropped", "full": "full marks", "mark": "marked by hand"}[self.kind]
        return f"{what}: {self.reason}" if self.reason else what


@dataclass(frozen=True)
class Corrections:
    """All corrections of an assignment; `lower` where they may lower a mark."""

    rows: tuple[Correction, ...] = ()
    lower: bool = False

    def of(self, student: str) -> tuple[Correction, ...]:
        """Those that concern a student."""
        return tuple(row for row in self.rows if row.student in ("", student))


NONE: Final = Corrections()


def read_corrections(path: Path, lower: bool = False) -> Corrections:
    """The corrections in a JSON or CSV file.

    Raises
    ------
    FsdpSymError
        For the first thing in it that is not understood.
    """
    try:
        with path.open("rb") as file:
            content = file.read(_MOST_BYTES + 1)
        if len(content) > _MOST_BYTES:
            raise FsdpSymError(f"{path} is too large to be a file of corrections: name another one")
        text = content.decode("utf-8-sig")
        found = _from_json(json.loads(text)) if path.suffix.lower() == ".json" else _from_csv(text)
        return Corrections(tuple(_checked(path, row) for row in found), lower)
    except OSError as error:
        raise FsdpSymError(f"{path} cannot be read: {error.strerror}: name a file of corrections") from None
    except (ValueError, TypeError, AttributeError, KeyError, RecursionError, csv.Error) as error:
        raise FsdpSymError(f"{path} is no file of corrections ({error}): see fsdp-sym grade --help for the form") from None


def _from_json(found: Any) -> Iterator[Correction]:
    if unknown := set(found) - {"questions", "students"}:
        raise ValueError(f"{sorted(unknown)[0]!r} is neither questions nor students")
    for field, what in found.get("questions", {}).items():
        yield from _each("", field, dict(what))
    for student, sheet in found.get("students", {}).items():
        for field, what in sheet.items():
            yield from _each(student, field, dict(what))


def _each(student: str, field: str, what: dict[str, Any]) -> Iterator[Correction]:
    reason = str(what.pop("reason", ""))
    for kind, value in what.items():
        for one in value if isinstance(value, list) else [value]:
            if one is not False:
                yield Correction(student, field, kind, "" if one is True else str(one), reason)


def _from_csv(text: str) -> Iterator[Correction]:
    rows = csv.DictReader(io.StringIO(text, newline=""), delimiter=separator(text.partition("\n")[0]))
    names = {name.strip().lower(): name for name in rows.fieldnames or ()}
    if missing := [name for name in _COLUMNS[:3] if name not in names]:
        raise ValueError(f"it has no column {missing[0]}")
    for row in rows:
        cells = [(row.get(names.get(name, "")) or "").strip() for name in _COLUMNS]
        if any(cells):
            yield Correction(*cells)


def _checked(path: Path, row: Correction) -> Correction:
    where = f"{path}: {row.student or 'everybody'}, {row.field or 'no question'}"
    if row.kind not in _KINDS:
        raise FsdpSymError(f"{where}: {row.kind[:40]!r} is no correction: write one of {', '.join(_KINDS)}")
    if not row.field:
        raise FsdpSymError(f"{where}: name a question such as Q7, or {SHEET} for the whole of a student's sheet")
    if row.kind == "mark":
        if not row.student:
            raise FsdpSymError(f"{where}: a mark is one student's: name the student, or use full or drop")
        if not row.reason:
            raise FsdpSymError(f"{where}: a mark given by hand needs a reason")
        _points(where, row.value)
    elif row.student:
        raise FsdpSymError(f"{where}: a student gets a mark, and {row.kind} is for everybody: leave the student out")
    elif row.kind == "also" and not row.value:
        raise FsdpSymError(f"{where}: say what is accepted too, a value, an option or a misconception's id")
    if row.field == SHEET and row.kind != "mark":
        raise FsdpSymError(f"{where}: name a question such as Q7")
    return row


def _points(where: str, text: str) -> Fraction:
    try:
        points = Fraction(text)
    except (ValueError, ZeroDivisionError):
        points = Fraction(-1)
    if points < 0:
        raise FsdpSymError(f"{where}: {text[:40]!r} is no mark: write points, such as 1 or 0.5")
    return points


def refuse_unfit(corrections: Corrections, header: Header, drills: Sequence[tuple[str, Drill]]) -> None:
    """Refuse corrections that fit no question of the assignment.

    Parameters
    ----------
    corrections : Corrections
    header : Header
    drills : sequence of (str, Drill)
        Of any sheet.

    Raises
    ------
    FsdpSymError
    """
    asked = {field: expects for label, drill in drills for field, expects in fields(label, drill.posed).items()}
    points = {question.label: Fraction(question.points) for question in header.questions} | {SHEET: Fraction(10**6)}
    for row in corrections.rows:
        if row.kind == "also" and row.field not in asked:
            raise UnknownName("answer", row.field, asked, f"the answers are {', '.join(asked)}")
        if row.kind != "also" and row.field not in points:
            raise UnknownName("question", row.field, points, f"the questions are {', '.join(q.label for q in header.questions)}")
        if row.kind == "also" and not _is_thought(row.value) and not isinstance(read(row.value, asked[row.field]), Read):
            raise FsdpSymError(f"{row.field}: {row.value[:60]!r} is no answer to it, and no misconception: fsdp-sym list misconceptions")
        if row.kind == "mark" and Fraction(row.value) > points[row.field]:
            raise FsdpSymError(f"{row.student}, {row.field}: {row.value} is more than the {points_text(points[row.field])} points it has")


def _is_thought(name: str) -> bool:
    return name in MISCONCEPTIONS or any(slip.id == name for slip in SLIPS)


def corrected(result: Result, corrections: Corrections, drills: Sequence[tuple[str, Drill]]) -> Result:
    """A student's result with the corrections that concern them; `before` stays what it was."""
    rows = corrections.of(result.student)
    if result.status == "marked" and rows:
        expects = {field: kind for label, drill in drills for field, kind in fields(label, drill.posed).items()}
        kept: list[str] = []
        of_label = {q.label: [row for row in rows if row.label == q.label] for q in result.questions}
        questions = tuple(_question(q, of_label[q.label], expects, corrections.lower, kept) for q in result.questions)
        result = replace(result, questions=questions, mark=total(questions), kept=tuple(kept))
        result = _without(result, {row.label for row in rows if row.kind == "drop"}, corrections.lower)
    for row in rows:
        if row.field == SHEET:
            mark = Fraction(row.value)
            if result.mark is None or corrections.lower or mark >= result.mark:
                result = replace(result, status="by hand", mark=mark, because=row.says)
            else:
                result = replace(result, kept=(*result.kept, _not_lowered(SHEET, mark, row.reason)))
    return result


def _not_lowered(what: str, points: Fraction, reason: str) -> str:
    return f"{what}: not lowered to {points_text(points)}{f': {reason}' if reason else ''}"


def _question(
    question: QuestionResult, rows: Sequence[Correction], expects: dict[str, Expects], lower: bool, kept: list[str]
) -> QuestionResult:
    for row in rows:
        if row.kind == "also":
            question = _accepting(question, row, expects[row.field])
    for row in rows:
        if row.kind in ("full", "mark"):
            points = question.points if row.kind == "full" else Fraction(row.value)
            share = points / question.points if question.points else Fraction(0)
            if share > question.counts or (share < question.counts and lower):
                question = replace(question, counts=share, because=row.says)
            elif share < question.counts:
                kept.append(_not_lowered(question.label, points, row.reason))
    return question


def _accepting(question: QuestionResult, row: Correction, expects: Expects) -> QuestionResult:
    """The question with what a correction accepts too made right."""
    parts = tuple(
        replace(part, verdict="right", thoughts=(), says=(f"Right: {row.says}.",), earned=Fraction(1))
        if part.field == row.field and part.verdict != "right" and accepted(part, row.value, expects)
        else part
        for part in question.parts
    )
    if parts == question.parts:
        return question
    share = sum((part.earned for part in parts), Fraction(0)) / len(parts)
    return replace(question, parts=parts, counts=share, because=row.says)


def _without(result: Result, dropped: set[str], lower: bool) -> Result:
    """The rest of the questions for all the points; as it was where that would be less and may not be."""
    rest = [q for q in result.questions if q.label not in dropped]
    left = sum((q.points for q in rest), Fraction(0))
    if not dropped or not left:
        return result
    mark = total(rest) * result.out_of / left
    assert result.mark is not None
    if mark < result.mark and not lower:
        return replace(result, kept=(*result.kept, _not_lowered(f"without {', '.join(sorted(dropped))}", mark, "")))
    questions = tuple(replace(q, because="dropped") if q.label in dropped else q for q in result.questions)
    return replace(result, mark=mark, questions=questions)


def accepted(part: PartResult, value: str, expects: Expects) -> bool:
    """Whether an answer is what a correction accepts too."""
    if _is_thought(value):
        return value in part.thoughts
    mine, other = read(part.typed, expects), read(value, expects)
    if not isinstance(mine, Read) or not isinstance(other, Read) or mine.dimension != other.dimension:
        return False
    if isinstance(expects, Symbolic):
        return same_expression(mine.value, other.value, expects.letters)
    if isinstance(mine.value, int | Fraction) and isinstance(other.value, int | Fraction) and not isinstance(expects, Count):
        return abs(Fraction(mine.value) - Fraction(other.value)) <= TOLERANCE * abs(Fraction(other.value))
    return mine.value == other.value

"""What grading finds out about a student, as plain data that can be kept in a line of JSON and sent to another process."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import lru_cache
from typing import Any, Literal

from ..drills.form import Verdict

Status = Literal["marked", "by hand", "missing", "flagged", "exempt"]


@dataclass(frozen=True)
class PartResult:
    """One answer.

    Parameters
    ----------
    field : str
        ``Q7``, or ``Q7.2`` where the question has several parts.
    typed : str
        As it was returned; it may be anything.
    read : str
        How it was understood; empty where it was not.
    verdict : str
    thoughts : tuple of str
        The misconceptions and slips that lead to it.
    says : tuple of str
        What the student is told.
    earned : Fraction
        The share of the part's marks.
    """

    field: str
    typed: str
    read: str
    verdict: Verdict
    thoughts: tuple[str, ...]
    says: tuple[str, ...]
    earned: Fraction


@dataclass(frozen=True)
class QuestionResult:
    """One question of a sheet: its parts, what of it was earned, and what of it counts after corrections, with the reason."""

    label: str
    question: str
    points: Fraction
    parts: tuple[PartResult, ...]
    earned: Fraction
    counts: Fraction
    because: str = ""

    @property
    def verdict(self) -> Verdict:
        """The worst of its parts', as a question is taught; ``invalid`` first, since somebody has to look at it."""
        order: tuple[Verdict, ...] = ("invalid", "wrong", "close", "not answered", "right")
        return min((part.verdict for part in self.parts), key=order.index)


@dataclass(frozen=True)
class Result:
    """One student.

    Parameters
    ----------
    sheet, student, name : str
    status : str
        ``marked``; ``by hand`` where a correction set the whole mark; else why there is no mark.
    mark : Fraction, optional
        In points; None where nothing is marked.
    before : Fraction, optional
        The mark without any correction.
    out_of : Fraction
        The points of the assignment.
    questions : tuple of QuestionResult
    file, submitted : str
        What was marked, and when it came.
    late : int
        Minutes.
    notes : tuple of str
        What was odd about who sent what, a line each; it may speak of others.
    problems : tuple of str
        What was odd in the file itself, a line each.
    number : str
        Moodle's for the student, where a folder's name has it.
    because : str
        Which correction set the whole mark.
    kept : tuple of str
        The corrections that would have lowered something and did not.
    """

    sheet: str
    student: str
    name: str
    status: Status
    mark: Fraction | None
    before: Fraction | None
    out_of: Fraction
    questions: tuple[QuestionResult, ...] = ()
    file: str = ""
    submitted: str = ""
    late: int = 0
    notes: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    number: str = ""
    because: str = ""
    kept: tuple[str, ...] = ()


@dataclass(frozen=True)
class About:
    """What an assignment's results are of: its name, and the questions by label: their ids, points, and how one sheet asks them."""

    assignment: str
    questions: dict[str, tuple[str, str, str]]


def about_line(about: About) -> str:
    """The line above the results."""
    return json.dumps(vars(about), ensure_ascii=False) + "\n"


def about_from(line: str) -> About:
    """What `about_line` wrote.

    Raises
    ------
    ValueError, KeyError, TypeError
        Where the line is none.
    """
    found = json.loads(line)
    questions = {str(label): (str(id_), str(points), str(asked)) for label, (id_, points, asked) in found["questions"].items()}
    return About(str(found["assignment"]), questions)


def total(questions: Iterable[QuestionResult]) -> Fraction:
    """The points that count."""
    return sum((q.counts * q.points for q in questions), Fraction(0))


def to_line(result: Result) -> str:
    """A result as a line of JSON; fractions are texts such as ``1/3``."""
    return json.dumps(vars(result), default=_plain, ensure_ascii=False) + "\n"


def _plain(value: object) -> object:
    return str(value) if isinstance(value, Fraction) else vars(value)


def from_line(line: str) -> Result:
    """The result in a line that `to_line` made.

    Raises
    ------
    ValueError, KeyError, TypeError
        Where it is none.
    """
    found: dict[str, Any] = json.loads(line)
    questions = tuple(
        QuestionResult(
            **_known(QuestionResult, question)
            | {"parts": tuple(_part(part) for part in question["parts"])}
            | {name: Fraction(question[name]) for name in ("points", "earned", "counts")}
        )
        for question in found["questions"]
    )
    marks = {name: None if found[name] is None else Fraction(found[name]) for name in ("mark", "before")}
    lines = {name: tuple(found[name]) for name in ("notes", "problems", "kept")}
    whole = {"out_of": Fraction(found["out_of"]), "questions": questions} | lines
    return Result(**_known(Result, found) | marks | whole)


def _part(found: dict[str, Any]) -> PartResult:
    lists = {name: tuple(found[name]) for name in ("thoughts", "says")}
    return PartResult(**_known(PartResult, found) | lists | {"earned": Fraction(found["earned"])})


def _known(kind: type, found: dict[str, Any]) -> dict[str, Any]:
    return {field.name: found[field.name] for field in fields(kind) if field.name in found}


@lru_cache(maxsize=4096)
def points_text(points: Fraction) -> str:
    """Points with at most two decimals, halves rounded up; no zeros at the end."""
    hundredths = (abs(points) * 200 + 1) // 2
    text = f"{hundredths // 100}.{hundredths % 100:02d}".rstrip("0").rstrip(".")
    return f"-{text}" if points < 0 and hundredths else text

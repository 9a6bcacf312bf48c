"""Marking one sheet: its drills are made again from the record, never drawn, and each answer is judged. Pure."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Final

from ..course import open_named_course
from ..drills import Drill, Judgement, Variant, diagnose
from .corrections import Corrections, corrected
from .desk import Chosen
from .expected import fields
from .record import Header, SheetRecord, restored
from .results import PartResult, QuestionResult, Result, total
from .submissions import shortened

SECONDS: Final = 10
"""For a whole sheet, which takes some milliseconds: whatever is not judged by then goes on the review list."""

_TOO_LONG: Final = Judgement("invalid", "", says=("The sheet took too long to judge: somebody will look at this answer.",))

Drills = Sequence[tuple[str, Drill]]
Page = Callable[[Header, Result, Drills], str]
"""What is written for a student, from their marks."""
Marked = tuple[int, Result, str]
"""The place in the record, the result, and the page where one was asked for and something was marked."""


@dataclass(frozen=True)
class Batch:
    """Some sheets to mark, as they are sent to a process.

    Parameters
    ----------
    header : Header
    corrections : Corrections
    page : callable, optional
    sheets : tuple of (int, SheetRecord, Chosen)
        With the place of each in the record.
    """

    header: Header
    corrections: Corrections
    page: Page | None
    sheets: tuple[tuple[int, SheetRecord, Chosen], ...]


def mark_batch(batch: Batch) -> list[Marked]:
    """The marks of some sheets."""
    open_named_course()
    found = []
    for at, handed, chosen in batch.sheets:
        drills = handed.drills(batch.header) if chosen.status == "marked" else ()
        result = mark(batch.header, handed, chosen, batch.corrections, drills)
        found.append((at, result, batch.page(batch.header, result, drills) if batch.page and drills else ""))
    return found


def mark(header: Header, handed: SheetRecord, chosen: Chosen, corrections: Corrections, drills: Drills) -> Result:
    """The marks of one sheet."""
    points = {question.label: Fraction(question.points) for question in header.questions}
    result = Result(
        handed.sheet, handed.student, handed.name, chosen.status, None, None, sum(points.values(), Fraction(0)),
        (), chosen.file, chosen.submitted, chosen.late, chosen.notes, chosen.problems, chosen.number,
    )  # fmt: skip
    if chosen.status == "marked":
        questions, foreign = _judged(drills, points, chosen.answers)
        earned = total(questions)
        result = replace(result, mark=earned, before=earned, questions=questions, problems=(*chosen.problems, *foreign))
    return corrected(result, corrections, drills)


def _judged(drills: Drills, points: dict[str, Fraction], answers: dict[str, str]) -> tuple[tuple[QuestionResult, ...], list[str]]:
    end = time.monotonic() + SECONDS
    found = []
    asked: set[str] = set()
    for label, drill in drills:
        names = list(fields(label, drill.posed))
        typed = [answers.get(name, "") for name in names]
        if label in answers and not any(typed):
            names, typed = [label], [answers[label]]  # all parts in one text
        asked.update(names)
        if time.monotonic() < end:
            found.append(_judged_alike(label, drill.variant, tuple(typed), points[label]))
        else:
            found.append(_question(label, drill, typed, _TOO_LONG, points[label]))
    foreign = sorted(label for label in answers.keys() - asked if answers[label])
    return tuple(found), [f"it answers {shortened(', '.join(foreign))}, which the sheet does not ask"] if foreign else []


@lru_cache(maxsize=4096)
def _judged_alike(label: str, variant: Variant, typed: tuple[str, ...], points: Fraction) -> QuestionResult:
    """The result of an answer, found once for all who were asked the same and typed the same."""
    drill = restored(variant)
    return _question(label, drill, typed, diagnose(drill, *typed), points)


def _question(label: str, drill: Drill, typed: Sequence[str], judged: Judgement, points: Fraction) -> QuestionResult:
    parts = judged.parts or (judged,) * len(drill.posed.parts)
    texts = typed if len(typed) == len(parts) else [typed[0]] * len(parts)
    found = tuple(
        PartResult(name, text, part.echo, part.verdict, tuple(sorted(part.diagnosis)), part.says, part.earned)
        for name, text, part in zip(fields(label, drill.posed), texts, parts, strict=True)
    )
    return QuestionResult(label, drill.posed.question, points, found, judged.earned, judged.earned)


def mark_alone(drill: Drill, text: str) -> QuestionResult:
    """The marks of one answer that belongs to no sheet; its label is the question's id."""
    return _question(drill.posed.question, drill, [text], diagnose(drill, text), Fraction(1))

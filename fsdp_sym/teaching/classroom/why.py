"""Why a student has the marks that they have for a question: everything that went into them, for a talk about it."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import islice
from pathlib import Path

from ...algebra.errors import FsdpSymError, UnknownName
from ..answers import Choice, Count, Expects, Symbolic, Triple
from ..drills.separation import TOLERANCE
from ..misconceptions import MISCONCEPTIONS
from .corrections import Corrections
from .expected import fields
from .grade import grading
from .marks import Drills, mark
from .record import read_record
from .results import PartResult, Result, points_text


def why(record: Path, returned: Path, corrections: Corrections, student: str, label: str) -> list[str]:
    """The lines that tell it.

    Parameters
    ----------
    record, returned : Path
        The hand-out record, and what came back.
    corrections : Corrections
    student : str
        By id or by full name.
    label : str
        Such as ``Q7``.

    Raises
    ------
    FsdpSymError
        Where there is no such student or question, or nothing of the student is marked.
    """
    with grading(record, returned, corrections=corrections) as graded:
        header = graded.header
        labels = [q.label for q in header.questions]
        if label not in labels:
            raise UnknownName("question", label, labels, f"the questions are {', '.join(labels)}")
        places = graded.desk.places(student)
        if len(places) != 1:
            how_many = "several students are" if places else "no student is"
            raise FsdpSymError(f"{how_many} called {student[:60]!r} in {record}: give an id as the roster has it")
        (handed,) = islice(read_record(record)[1], places[0], places[0] + 1)
        chosen = graded.desk.chosen(places[0], handed)
        drills = handed.drills(header) if chosen.status == "marked" else ()
        result = mark(header, handed, chosen, corrections, drills)
    if not result.questions:
        reasons = "; ".join(result.notes)
        raise FsdpSymError(f"nothing of {result.student} is marked: {result.status}{f', as {reasons}' if reasons else ''}")
    return list(_lines(drills, result, label))


def _lines(drills: Drills, result: Result, label: str) -> Iterator[str]:
    drill = dict(drills)[label]
    question = next(q for q in result.questions if q.label == label)
    came = f", submitted {result.submitted}" if result.submitted else ""
    yield f"{result.student}{f' ({result.name})' if result.name else ''}, sheet {result.sheet}, read from {result.file}{came}"
    yield from (f"note: {note}" for note in (*result.notes, *result.problems))
    worth = f"{points_text(question.points)} point{'' if question.points == 1 else 's'}"
    yield f"{label}: {question.question} ({drill.posed.kind}, cell {drill.posed.cell}), {worth}"
    yield drill.posed.prompt
    yield from (f"  {line}" for line in drill.posed.lines)
    if drill.posed.givens:
        yield f"givens: {', '.join(f'{name} = {value}' for name, value in drill.posed.givens)}"
    asked = fields(label, drill.posed)
    for part in question.parts:
        yield from _part(part, asked[part.field], several=len(question.parts) > 1)
    yield "worked answer:"
    yield from (f"  {line}" for line in drill.question.solution(drill.variant))
    yield f"marks: {points_text(question.earned * question.points)} of {points_text(question.points)}"
    yield from (f"kept: {line}" for line in result.kept)
    if result.because:
        yield f"the whole sheet: {result.because}; it counts {points_text(result.mark or Fraction(0))} of {points_text(result.out_of)}"
    if question.because:
        yield f"corrected: {question.because}; it counts {points_text(question.counts * question.points)}"


def _part(part: PartResult, expects: Expects, several: bool) -> Iterator[str]:
    if several:
        yield f"{part.field}:"
    yield f"typed: {part.typed!r}" if part.typed else "typed: nothing"
    yield f"read as: {part.read}" if part.read else "read as: nothing"
    yield f"right within: {_tolerance(expects)}"
    yield f"verdict: {part.verdict}"
    for thought in part.thoughts:
        known = MISCONCEPTIONS.get(thought)
        yield f"may be: {thought}{f' ({known.thinks})' if known else ''}"
    yield from (f"told: {line}" for says in part.says for line in says.splitlines())


def _tolerance(expects: Expects) -> str:
    if isinstance(expects, Symbolic):
        return "no tolerance: the same value wherever both formulas have one"
    if isinstance(expects, Choice | Count | Triple):
        return "no tolerance: exactly this"
    return f"{float(100 * TOLERANCE):g} %"

"""Choosing the questions of an assignment, and drawing a student's numbers for them.

Everybody gets the same questions in the same order, so that "Q7" means one thing; the numbers belong to the course's key, the
assignment and the student.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import Final

from ...algebra.errors import FsdpSymError, UnknownName
from ...scenarios.cells import CELLS
from ..drills import QUESTIONS, Drill, Question, pose, question_named
from .distinct import fingerprint
from .record import Header, SheetRecord
from .secret import seed
from .sheet import Sheet

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
_CLOCK: Final = re.compile(r"(?<![+-]\d)\d:\d\d(:\d\d)?$")
_TRIES: Final = 200
_TRIED: Final = 12


def checked_name(name: str) -> str:
    """An assignment's name, which begins every sheet's id.

    Raises
    ------
    FsdpSymError
        For anything but up to 40 letters, digits, ``_`` and ``-``.
    """
    if not _NAME.fullmatch(name):
        raise FsdpSymError(f"{name[:60]!r} is no name for an assignment: give one of letters, digits, _ and -, such as --name hw1")
    return name


def chosen(cells: Sequence[str], count: int) -> tuple[Question, ...]:
    """So many questions of these cells: the cells take turns, and each gives of the kind that there is least of so far.

    Of several, the one with the most variants comes first, and one that is the same for everybody is passed over.

    Raises
    ------
    FsdpSymError
        For an unknown cell, one named twice, or more questions than there are.
    """
    for at, cell in enumerate(cells):
        if cell not in CELLS:
            raise UnknownName("cell", cell, CELLS, f"the cells are {', '.join(CELLS)}")
        if cell in cells[:at]:
            raise FsdpSymError(f"cell {cell} is named twice: name each once")
    if count < 1 or not cells:
        raise FsdpSymError("an assignment has at least one question of at least one cell: such as --cells A,B,D --questions 10")
    left = {cell: [q for q in QUESTIONS.values() if q.cell == cell] for cell in cells}
    found: list[Question] = []
    while len(found) < count and any(left.values()):
        for cell in [cell for cell in cells if left[cell]][: count - len(found)]:
            kinds = Counter(q.kind for q in found)
            in_cell = Counter(q.kind for q in found if q.cell == cell)
            least = min((in_cell[q.kind], kinds[q.kind]) for q in left[cell])
            best = max((q for q in left[cell] if (in_cell[q.kind], kinds[q.kind]) == least), key=_variants)
            left[cell].remove(best)
            if _variants(best) > 1:
                found.append(best)
    if len(found) < count:
        raise FsdpSymError(f"cells {','.join(cells)} have {len(found)} questions, not {count}: ask for as many, or name more cells")
    return tuple(found)


@cache
def _variants(question: Question) -> int:
    """How many of a few seeds give something else."""
    return len({fingerprint(pose(question, at).posed) for at in range(_TRIED)})


def named(ids: Sequence[str]) -> tuple[Question, ...]:
    """The questions with these ids, in this order.

    Raises
    ------
    FsdpSymError
        For an unknown one, or one named twice.
    """
    if twice := [name for name, times in Counter(ids).items() if times > 1]:
        raise FsdpSymError(f"question {twice[0]} is named twice: name each once")
    return tuple(question_named(name) for name in ids)


def drawn(key: bytes, assignment: str, questions: Sequence[Question], student: str, sheet: int = 0) -> tuple[Drill, ...]:
    """A student's drills. No two questions of a kind share all their givens: the later one is drawn again.

    Parameters
    ----------
    key : bytes
        The course's.
    assignment : str
    questions : sequence of Question
    student : str
        The student's id.
    sheet : int
        How many sheets were drawn for this student before, as they were another's too.

    Raises
    ------
    FsdpSymError
        Where a question has no variant with other givens than those before it.
    """
    drills: list[Drill] = []
    asked: dict[tuple[str, frozenset[tuple[str, str]]], str] = {}
    for question in questions:
        for again in range(_TRIES):
            drill = pose(question, seed(key, assignment, student, question.id, sheet, again))
            givens = (drill.posed.kind, frozenset(drill.posed.givens))
            if not drill.posed.givens or givens not in asked:
                break
        else:
            raise FsdpSymError(f"{question.id} finds no other givens than {asked[givens]} has: leave one of them out")
        asked[givens] = question.id
        drills.append(drill)
    return tuple(drills)


def sheet_of(header: Header, record: SheetRecord, drills: Sequence[tuple[str, Drill]], large_print: bool) -> Sheet:
    """What the student is handed: of the drills no more than what is posed."""
    questions = tuple((label, drill.posed) for label, drill in drills)
    due = record.extension or record.due
    zone = " UTC" if _CLOCK.search(due) else ""  # what a time without a zone is taken for
    return Sheet(header.assignment, record.sheet, record.name or record.student, questions, due + zone, large_print)

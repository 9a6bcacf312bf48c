"""The hand-out record: which questions were asked, and what was drawn for whom. It tells the keys: it is the instructor's alone.

A line of JSON for the assignment, then one for each sheet. Grading makes the drills again from it and never draws, so that
marks do not depend on what has been added to the package since.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from ...algebra.errors import FsdpSymError
from ..drills import Drill, Variant, restore
from ..safely import whole

RECORD: Final = "record.jsonl"
_PRIVATE: Final = 0o600


@dataclass(frozen=True)
class Asked:
    """A question of the assignment: its label on every sheet, its id, and what it is worth."""

    label: str
    id: str
    points: int = 1


@dataclass(frozen=True)
class Header:
    """The assignment.

    Parameters
    ----------
    assignment : str
    questions : tuple of Asked
    version : str
        Of this package, when the sheets were drawn.
    made_with : tuple of (str, str)
        Of what else they depend on: names and versions.
    """

    assignment: str
    questions: tuple[Asked, ...]
    version: str
    made_with: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class SheetRecord:
    """One student's sheet.

    Parameters
    ----------
    sheet, student, name, due, extension : str
    exempt : bool
        The student was handed no sheet, and none is marked.
    variants : tuple of tuple of (str, str)
        What was drawn for each question of the assignment, in its order.
    """

    sheet: str
    student: str
    name: str
    due: str
    extension: str
    exempt: bool
    variants: tuple[tuple[tuple[str, str], ...], ...]

    def drills(self, header: Header) -> tuple[tuple[str, Drill], ...]:
        """The labels and the drills, made again from what was drawn.

        Raises
        ------
        FsdpSymError
            Where a question is not known any more.
        """
        asked = zip(header.questions, self.variants, strict=True)
        return tuple((question.label, restored(Variant(question.id, drawn))) for question, drawn in asked)


@lru_cache(maxsize=4096)
def restored(variant: Variant) -> Drill:
    """A variant's drill, made again once for all who were handed it."""
    return restore(variant)


def read_record(path: Path) -> tuple[Header, Iterator[SheetRecord]]:
    """The assignment, and its sheets one at a time.

    Raises
    ------
    FsdpSymError
        Where there is no record, or a line of it is damaged; of a sheet's line, when that is reached.
    """
    lines = _lines(path)
    header = _header(path, next(lines, ""))
    return header, _sheets(path, header, lines)


def write_record(path: Path, header: Header, sheets: Iterable[SheetRecord], beside: Path | None = None) -> None:
    """Write a record, to be read by its owner alone; an interruption leaves the old one, or none."""
    with whole(path, _PRIVATE, beside) as file:
        file.write(header_line(header).encode())
        for sheet in sheets:
            file.write(sheet_line(sheet).encode())


def header_line(header: Header) -> str:
    """The first line of a record."""
    questions = [{"label": q.label, "id": q.id, "points": q.points} for q in header.questions]
    head = {"fsdp_sym": header.version, "assignment": header.assignment, "questions": questions, "made_with": dict(header.made_with)}
    return json.dumps(head, ensure_ascii=False) + "\n"


def sheet_line(sheet: SheetRecord) -> str:
    """A sheet's line."""
    return json.dumps(vars(sheet), ensure_ascii=False) + "\n"


def _lines(path: Path) -> Iterator[str]:
    try:
        with path.open(encoding="utf-8", newline="\n") as file:
            yield from file
    except FileNotFoundError:
        raise FsdpSymError(f"no hand-out record is at {path}: name the folder that fsdp-sym assign wrote") from None
    except OSError as error:
        raise FsdpSymError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise FsdpSymError(f"{path} is damaged: it is not UTF-8: put a copy of it back") from None


def _header(path: Path, line: str) -> Header:
    try:
        found = json.loads(line)
        questions = tuple(Asked(q["label"], q["id"], q["points"]) for q in found["questions"])
        return Header(found["assignment"], questions, found["fsdp_sym"], tuple(found["made_with"].items()))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise _damaged(path, 1) from None


def _sheets(path: Path, header: Header, lines: Iterator[str]) -> Iterator[SheetRecord]:
    for at, line in enumerate(lines, 2):
        try:
            sheet = _sheet(json.loads(line))
            if len(sheet.variants) != len(header.questions):
                raise ValueError
        except (ValueError, KeyError, TypeError, RecursionError):
            raise _damaged(path, at) from None
        yield sheet


def _sheet(found: Mapping[str, Any]) -> SheetRecord:
    variants = tuple(tuple((str(name), str(text)) for name, text in drawn) for drawn in found["variants"])
    sheet, student, name, due, extension = (str(found[key]) for key in ("sheet", "student", "name", "due", "extension"))
    return SheetRecord(sheet, student, name, due, extension, found["exempt"] is True, variants)


def _damaged(path: Path, at: int) -> FsdpSymError:
    return FsdpSymError(f"{path} is damaged in line {at}: put a copy of it back")

"""A small class for the tests of the classroom: sheets handed out to it, and ways in which it may return them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from fsdp_sym import __version__
from fsdp_sym.publishing.exporters import sheet_notebook
from fsdp_sym.publishing.exporters.answer_text import answer_text
from fsdp_sym.teaching.classroom.assignment import drawn, named, sheet_of
from fsdp_sym.teaching.classroom.expected import fields
from fsdp_sym.teaching.classroom.marks import Drills, Page
from fsdp_sym.teaching.classroom.record import RECORD, Asked, Header, SheetRecord, write_record
from fsdp_sym.teaching.classroom.results import Result
from fsdp_sym.teaching.classroom.secret import sheet_id

KEY = bytes(range(32))
ASSIGNMENT = "hw1"
# One of each way to be answered: an amount, a formula, a choice with a reason, a count or none, several numbers, a letter.
QUESTIONS = ("D-all-gather", "D-write-all-gather", "A-fits", "H-missing-degree", "D-faded", "D-principle")
DUE = "2026-03-14 12:00"


def header(questions: Sequence[str] = QUESTIONS) -> Header:
    return Header(ASSIGNMENT, tuple(Asked(f"Q{at}", name, 2) for at, name in enumerate(questions, 1)), __version__)


def sheet(student: str, name: str = "", questions: Sequence[str] = QUESTIONS, **rest: str | bool) -> SheetRecord:
    """A student's sheet, as it is drawn."""
    drills = drawn(KEY, ASSIGNMENT, named(questions), student)
    variants = tuple(drill.variant.drawn for drill in drills)
    told = {"due": DUE, "extension": "", "exempt": False} | rest
    return SheetRecord(sheet_id(KEY, ASSIGNMENT, student, 0), student, name, **told, variants=variants)  # type: ignore[arg-type]


def hand_out(folder: Path, sheets: Iterable[SheetRecord], questions: Sequence[str] = QUESTIONS) -> Path:
    """The folder as `assign` leaves it, as far as grading needs it; the record's path."""
    place = folder / "keys" / RECORD
    place.parent.mkdir(parents=True)
    write_record(place, header(questions), sheets)
    return place


def keys(handed: SheetRecord, questions: Sequence[str] = QUESTIONS) -> dict[str, str]:
    """Every answer right, as a student types it."""
    found = {}
    for label, drill in handed.drills(header(questions)):
        for (field, expects), key in zip(fields(label, drill.posed).items(), drill.keys, strict=True):
            found[field] = answer_text(key, expects)
    return found


def thinking(handed: SheetRecord, thought: str, label: str, questions: Sequence[str] = QUESTIONS) -> str:
    """The answer to a question with one part that a misconception leads to."""
    drill = dict(handed.drills(header(questions)))[label]
    (rival,) = (r for r in drill.rivals() if r.misconception == thought and r.slip is None)
    return answer_text(rival.value, drill.posed.parts[0].expects)


def notebook(handed: SheetRecord, answers: Mapping[str, str], questions: Sequence[str] = QUESTIONS) -> bytes:
    """The student's notebook, filled in."""
    head = header(questions)
    found = json.loads(sheet_notebook.export(sheet_of(head, handed, handed.drills(head), False)))
    for cell in found["cells"]:
        for field, answer in answers.items():
            if f"Answer {field}**" in "".join(cell["source"]):
                cell["source"].append(answer)
    return json.dumps(found).encode()


def as_moodle(folder: Path, handed: SheetRecord, content: bytes, number: int = 1001, file: str = "hw1.ipynb", last: str = "_") -> Path:
    """A return as Moodle lays it out."""
    place = folder / f"{handed.name}_{number}_assignsubmission_file{last}" / file
    return written(place, content)


def as_nbgrader(folder: Path, student: str, content: bytes, timestamp: str = "") -> Path:
    """A return as nbgrader lays it out."""
    place = folder / "submitted" / student / ASSIGNMENT / "hw1.ipynb"
    if timestamp:
        written(place.with_name("timestamp.txt"), timestamp.encode())
    return written(place, content)


def written(place: Path, content: bytes) -> Path:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(content)
    return place


def a_hundred(tmp_path: Path) -> tuple[Path, Path]:
    """The record and the returned work of 120 students, of whom 108 returned something."""
    questions = QUESTIONS[:2]
    sheets = [sheet(f"s{at:03d}", f"Student {at}", questions) for at in range(120)]
    record = hand_out(tmp_path / ASSIGNMENT, sheets, questions)
    for at, handed in enumerate(sheets):
        if at % 10:
            typed = keys(handed, questions) if at % 3 else {"Q1": "7", "Q2": "S"}
            as_moodle(tmp_path / "returned", handed, notebook(handed, typed, questions), number=at)
    return record, tmp_path / "returned"


def page(head: Header, result: Result, drills: object) -> str:
    """A page as short as can be."""
    return f"{head.assignment} {result.student}"


def killing(marker: Path, written_by: Page, head: Header, result: Result, drills: Drills) -> str:
    """A page by another, whose writing ends its process once."""
    if result.student == "s017" and not marker.exists():
        marker.touch()
        os._exit(9)
    return written_by(head, result, drills)

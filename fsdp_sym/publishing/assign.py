"""Handing out: a sheet for each student of the roster, and the record, the keys and the rubric for the instructor alone.

The record is written first and whole, and everything else is made from it. So an interrupted run goes on where it stopped, a
second run writes the same bytes, and what a student has been handed is what will be marked.
"""

from __future__ import annotations

import csv
import io
import platform
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import Any, Final

import sympy

from .. import __version__
from ..algebra.errors import FsdpSymError, disk_remedy
from ..teaching.classroom.assignment import drawn, sheet_of
from ..teaching.classroom.distinct import fingerprint
from ..teaching.classroom.expected import fields
from ..teaching.classroom.jobs import chunks, in_order, processes
from ..teaching.classroom.names import file_stem
from ..teaching.classroom.record import RECORD, Asked, Header, SheetRecord, read_record, write_record
from ..teaching.classroom.roster import Student
from ..teaching.classroom.secret import sheet_id
from ..teaching.drills import Drill, Question, question_named
from ..teaching.safely import whole
from .exporters.answer_text import answer_text
from .handout_texts import report, rubric

FORMATS: Final = {"notebook": "sheet_notebook", "pdf": "sheet_pdf", "markdown": "sheet_markdown"}
SHEETS, KEYS, REPORT, _UNFINISHED = "sheets", "keys", "report.txt", ".fsdp_sym-unfinished"
_CHUNK: Final = 50
_PAYS: Final = 200  # students for whom a process more takes less time than it costs
_MOST_REDRAWN: Final = 100
_OPEN, _PRIVATE, _PRIVATE_FOLDER = 0o644, 0o600, 0o700

Progress = Callable[[str], None]


@dataclass(frozen=True)
class Order:
    """What is to be handed out.

    Parameters
    ----------
    name : str
        The assignment's.
    questions : tuple of Question
    students : tuple of Student
    key : bytes
        The course's, which everything is drawn with and which is written nowhere.
    formats : tuple of str
        Out of `FORMATS`.
    """

    name: str
    questions: tuple[Question, ...]
    students: tuple[Student, ...]
    key: bytes
    formats: tuple[str, ...]

    @property
    def header(self) -> Header:
        asked = tuple(Asked(f"Q{at}", question.id) for at, question in enumerate(self.questions, 1))
        return Header(self.name, asked, __version__, (("python", platform.python_version()), ("sympy", sympy.__version__)))


@dataclass(frozen=True)
class Assigned:
    """What was done.

    Parameters
    ----------
    written, there : int
        Sheets' files that were written now, and that were there already, byte for byte.
    exempt : int
        Students of the roster who get none.
    gone : int
        Students of the record who are not on the roster any more: what they were handed stays.
    says : str
        How different the sheets are, in a line.
    """

    written: int
    there: int
    exempt: int
    gone: int
    says: str


def assign(out: Path, order: Order, jobs: int, progress: Progress) -> Assigned:
    """Hand the sheets out into a folder.

    Students who have joined since are added. Whatever else would change what was handed out is refused.

    Parameters
    ----------
    out : Path
        Made if it is missing: ``sheets/`` is for the students, ``keys/`` for the instructor, with ``report.txt`` beside them.
    order : Order
    jobs : int
        How many processes work on it at most.
    progress : callable
        Is told what is being done.

    Raises
    ------
    FsdpSymError
        Where the folder holds another hand-out, or a file in it is not what would be handed out; where it cannot be written;
        where the questions have too few variants for so many students.
    """
    record = out / KEYS / RECORD
    try:
        _prepare(out)
        with processes(max(1, min(jobs, len(order.students) // _PAYS))) as executor:
            known = _known(record, order)
            header, earlier = read_record(record) if known else (order.header, iter(()))
            if new := tuple(student for student in order.students if student.id not in known):
                taken = _wholes(record, executor) if known else set()
                added = _drawn(order, header, new, set(known.values()), taken, executor, progress)
                write_record(record, header, chain(earlier, added), out / _UNFINISHED)
            return _handed_out(out, order, executor, progress)
    except OSError as error:
        place = error.filename or out
        raise FsdpSymError(f"{place} cannot be written: {error.strerror}: {disk_remedy(error)}; run this again and it goes on") from None
    finally:
        shutil.rmtree(out / _UNFINISHED, ignore_errors=True)


def _prepare(out: Path) -> None:
    """Make the folders; nothing is written through a link, nor beside sheets that no record knows."""
    for folder in (out, out / SHEETS, out / KEYS, out / _UNFINISHED):
        if folder != out and folder.is_symlink():
            raise FsdpSymError(f"{folder} is a symbolic link, which is not written through: move it away")
        if folder.exists() and not folder.is_dir():
            raise FsdpSymError(f"{folder} is no folder: move it away, or name another --out")
    if not (out / KEYS / RECORD).exists() and (out / SHEETS).is_dir() and any((out / SHEETS).iterdir()):
        raise FsdpSymError(f"{out / SHEETS} holds files, and no record of them is in {out / KEYS}: put it back, or name another --out")
    for folder, mode in ((out / SHEETS, 0o755), (out / KEYS, _PRIVATE_FOLDER)):
        folder.mkdir(mode, parents=True, exist_ok=True)
    shutil.rmtree(out / _UNFINISHED, ignore_errors=True)  # what a killed run left half-written
    (out / _UNFINISHED).mkdir(_PRIVATE_FOLDER)


# Drawing.


def _known(record: Path, order: Order) -> dict[str, str]:
    """The students who have a sheet, and its id; everything must be as this order would have it."""
    if not record.exists():
        return {}
    header, sheets = read_record(record)
    new = order.header
    if (header.assignment, header.questions) != (new.assignment, new.questions):
        raise FsdpSymError(f"{record} is of another name, {header.assignment}, or of other questions: name another --out")
    roster = {student.id: student for student in order.students}
    known = {}
    for sheet in sheets:
        if not any(sheet.sheet == sheet_id(order.key, order.name, sheet.student, again) for again in range(_MOST_REDRAWN)):
            raise FsdpSymError(f"{record} was drawn with another key: name that --key-file, or another --out")
        if student := roster.get(sheet.student):
            _refuse_change(record, sheet, student)
        known[sheet.student] = sheet.sheet
    return known


def _refuse_change(record: Path, sheet: SheetRecord, student: Student) -> None:
    for field in ("name", "due", "extension", "exempt"):
        there, now = getattr(sheet, field), getattr(student, field)
        if there != now:
            raise FsdpSymError(
                f"{record}: {field} of {student.id!r} is {there!r}, and on the roster {now!r}: what was handed out is not changed; "
                "put the roster right, or that line of the record, or name another --out"
            )


def _wholes(record: Path, executor: Executor | None) -> set[int]:
    """What the sheets of a record are, each as one number."""
    header, sheets = read_record(record)
    groups = in_order(partial(_prints, header), chunks(sheets, _CHUNK), executor)
    return {sum(prints) for group in groups for prints in group}


def _prints(header: Header, sheets: tuple[SheetRecord, ...]) -> list[list[int]]:
    return [[fingerprint(drill.posed) for _, drill in sheet.drills(header)] for sheet in sheets]


def _drawn(
    order: Order,
    header: Header,
    students: tuple[Student, ...],
    ids: set[str],
    taken: set[int],
    executor: Executor | None,
    progress: Progress,
) -> Iterator[SheetRecord]:
    """A record for each student, in their order. No sheet is another's, and no id of one: it is drawn again then."""
    draw = partial(_drawn_for, order.key, order.name, tuple(question.id for question in order.questions))
    everybody = chain.from_iterable(in_order(draw, chunks((student.id for student in students), _CHUNK), executor))
    for at, (student, (variants, total)) in enumerate(zip(students, everybody, strict=True)):
        again = 0
        while total in taken:
            again += 1
            if again == _MOST_REDRAWN:
                raise FsdpSymError(
                    f"{order.name}: its questions have too few variants to give {student.id!r}, number {at + 1} of {len(students)}, "
                    "a sheet that nobody has: ask more questions"
                )
            ((variants, total),) = draw((student.id,), again)
        taken.add(total)
        name = next(name for n in range(_MOST_REDRAWN) if (name := sheet_id(order.key, order.name, student.id, n)) not in ids)
        ids.add(name)
        record = SheetRecord(name, student.id, student.name, student.due, student.extension, student.exempt, variants)
        if at == 0:  # a format that cannot be made is known before anything is written
            list(_files(header, record, student, record.drills(header), order.formats))
        if at % _CHUNK == 0:
            progress(f"drawing sheets: {at} of {len(students)}")
        yield record


Variants = tuple[tuple[tuple[str, str], ...], ...]


def _drawn_for(key: bytes, name: str, questions: tuple[str, ...], students: tuple[str, ...], again: int = 0) -> list[tuple[Variants, int]]:
    """In a process of its own: what is drawn for some students, and each sheet as one number."""
    asked = [question_named(question) for question in questions]
    found = []
    for student in students:
        drills = drawn(key, name, asked, student, again)
        found.append((tuple(drill.variant.drawn for drill in drills), sum(fingerprint(drill.posed) for drill in drills)))
    return found


# Writing.


@dataclass(frozen=True)
class _Done:
    """What a process reports of one sheet: its fingerprints, its rows of the table of keys, and what became of its files."""

    prints: list[int]
    keys: str
    written: int
    there: int


def _handed_out(out: Path, order: Order, executor: Executor | None, progress: Progress) -> Assigned:
    """Write everything that the record is the source of."""
    header, sheets = read_record(out / KEYS / RECORD)
    roster = {student.id: student for student in order.students}
    groups = in_order(partial(_written, out, header, order.formats), _with_students(sheets, roster), executor)
    prints, written, there = [], 0, 0
    with whole(out / KEYS / "keys.csv", _PRIVATE, out / _UNFINISHED) as table:
        table.write(b"sheet,answer,key\r\n")
        for at, done in enumerate(chain.from_iterable(groups)):
            table.write(done.keys.encode())
            prints.append(done.prints)
            written, there = written + done.written, there + done.there
            if at % _CHUNK == 0:
                progress(f"writing sheets: {at} of {len(roster)}")
    first = next(read_record(out / KEYS / RECORD)[1])
    _put(out, f"{KEYS}/rubric.md", rubric(header, first).encode(), _PRIVATE)
    says, text = report(header, prints)
    _put(out, REPORT, text.encode(), _OPEN)
    return Assigned(written, there, sum(student.exempt for student in order.students), len(prints) - len(roster), says)


Pair = tuple[SheetRecord, Student | None]


def _with_students(sheets: Iterator[SheetRecord], roster: dict[str, Student]) -> Iterator[tuple[Pair, ...]]:
    return chunks(((sheet, roster.get(sheet.student)) for sheet in sheets), _CHUNK)


def _written(out: Path, header: Header, formats: tuple[str, ...], pairs: tuple[Pair, ...]) -> list[_Done]:
    """In a process of its own: the files of some students. Who left, or is exempt, gets none."""
    found = []
    for record, student in pairs:
        drills = record.drills(header)
        fates = []
        if student is not None and not student.exempt:
            for name, content in _files(header, record, student, drills, formats):
                if name.startswith(SHEETS):
                    fates.append(_hand(out, name, content))
                else:
                    _put(out, name, content, _PRIVATE)
        prints = [fingerprint(drill.posed) for _, drill in drills]
        found.append(_Done(prints, _keys(record.sheet, drills), fates.count(True), fates.count(False)))
    return found


Drills = tuple[tuple[str, Drill], ...]


def _files(header: Header, record: SheetRecord, student: Student, drills: Drills, formats: tuple[str, ...]) -> Iterator[tuple[str, bytes]]:
    """The sheet in each format, and its key where the format has one."""
    sheet, stem = sheet_of(header, record, drills, student.large_print), file_stem(student.id)
    for name in formats:
        format_: Any = import_module(f".exporters.{FORMATS[name]}", __package__)
        yield f"{SHEETS}/{stem}{format_.SUFFIX}", format_.export(sheet)
        if hasattr(format_, "export_key"):
            yield f"{KEYS}/{stem}{format_.SUFFIX}", format_.export_key(sheet, [drill for _, drill in drills])


def _keys(sheet: str, drills: Drills) -> str:
    """Rows of the table of keys: the sheet, the answer's name, the answer."""
    rows = io.StringIO()
    write = csv.writer(rows).writerow
    for label, drill in drills:
        for (field, expects), key in zip(fields(label, drill.posed).items(), drill.keys, strict=True):
            write((sheet, field, answer_text(key, expects)))
    return rows.getvalue()


def _hand(out: Path, name: str, content: bytes) -> bool:
    """Write a sheet that is not there; True where it was not. One that differs is never written over."""
    path = out / name
    if path.is_symlink() or (path.exists() and not path.is_file()):
        raise FsdpSymError(f"{path} is in the way of a sheet: move it away")
    if not path.exists():
        _put(out, name, content, _OPEN)
        return True
    if path.stat().st_size != len(content) or path.read_bytes() != content:
        raise FsdpSymError(
            f"{path} differs from what would be handed out and is not written over: "
            "move it away to have it written anew, or name another --out"
        )
    return False


def _put(out: Path, name: str, content: bytes, mode: int) -> None:
    with whole(out / name, mode, out / _UNFINISHED) as file:
        file.write(content)

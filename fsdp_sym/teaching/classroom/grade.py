"""Grading a class: what came back is read, laid beside what was handed out, and marked, sheet after sheet in the record's order.

Reading and marking are done in batches of plain data on any `concurrent.futures.Executor`, at most a few of them at a time; their
results are taken in order, so that a class is marked alike on one process, on many, and on a cluster. Nothing that a student
wrote is run, and nothing is kept in memory for the whole class.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import IO, Final

from ...algebra.errors import FsdpSymError
from .corrections import NONE, Corrections, refuse_unfit
from .desk import Desk
from .jobs import chunks, in_order
from .lists import participants, system_of
from .marks import Batch, Marked, Page, mark_batch
from .record import Header, read_record
from .returned import File, Sender, files_in, sender_of
from .submissions import Submission, read_json, read_notebook, read_rows, read_text, shortened

_SHEETS: Final = 50
_BYTES: Final = 4_000_000
_MOST_LINE: Final = 1_000_000
_MOST_OWN_ROWS: Final = 20  # of a table in one student's folder
_READERS: Final = {".ipynb": read_notebook, ".json": read_json, ".md": read_text}
DAMAGED: Final = (OSError, EOFError, RuntimeError, NotImplementedError, ValueError, zipfile.BadZipFile, zlib.error)
"""What reading a damaged file, or one in a damaged zip, can raise."""


Entry = tuple[str, bytes | Submission]
"""A returned file's ending and its bytes, or what is known of it already."""


@dataclass(frozen=True)
class Workers:
    """Who does the work: an executor, if any, and how many batches are under way at a time, twice as many as it can work on."""

    executor: Executor | None = None
    ahead: int = 8


ALONE: Final = Workers()


@dataclass(frozen=True)
class Grading:
    """A class being graded.

    Attributes
    ----------
    header : Header
    desk : Desk
        What came back; its notes are complete from the start.
    results : iterator of (int, Result, str)
        Once through: the place in the record, the result and the student's page.
    """

    header: Header
    desk: Desk
    results: Iterator[Marked]


@contextmanager
def grading(
    record: Path, returned: Path, workers: Workers = ALONE, corrections: Corrections = NONE, page: Page | None = None
) -> Iterator[Grading]:
    """Grade a class.

    Parameters
    ----------
    record : Path
        The hand-out record.
    returned : Path
        A folder or a zip of returned work.
    workers : Workers
        Without any everything is done in this process.
    corrections : Corrections
    page : callable, optional
        Writes a student's page, in the process that marks the sheet.

    Raises
    ------
    FsdpSymError
        Where the record, the folder or the corrections cannot be used. What a student returned raises nothing.
    """
    header, handed = read_record(record)
    with closing(Desk(handed)) as desk:
        _refuse_unfit(record, corrections, desk)
        for file in files_in(returned):
            _register(desk, file)
        _lay(desk, returned, workers)
        yield Grading(header, desk, _results(record, desk, workers, corrections, page))


def _refuse_unfit(record: Path, corrections: Corrections, desk: Desk) -> None:
    header, handed = read_record(record)
    first = next((sheet for sheet in handed if not sheet.exempt), None)
    if corrections.rows and first is not None:
        refuse_unfit(corrections, header, first.drills(header))
    for row in corrections.rows:
        if row.student and not desk.knows(row.student):
            raise FsdpSymError(f"the corrections name {shortened(row.student)}, who is not in {record}: write the id that the roster has")


def _register(desk: Desk, file: File) -> None:
    """Take in a learning system's list, which lies on top: below, it could be a student's own."""
    if len(file.path) == 1 and file.suffix == ".csv" and not file.problem:
        with _lines(file) as lines:
            system = system_of(next(lines, ""))
        if system is not None:
            with _lines(file) as lines:
                desk.register(participants(lines, system))


@contextmanager
def _lines(file: File) -> Iterator[Iterator[str]]:
    """The lines of a table; what cannot be read is none."""
    assert file.open is not None
    try:
        opened: IO[bytes] = file.open()
    except DAMAGED:
        yield iter(())
        return
    with opened, io.TextIOWrapper(opened, "utf-8-sig", "replace", newline="") as text:
        yield _until_damaged(text)


def _until_damaged(text: io.TextIOWrapper) -> Iterator[str]:
    try:
        while line := text.readline(_MOST_LINE):
            yield line
    except DAMAGED:
        return


# Reading.


def _lay(desk: Desk, returned: Path, workers: Workers) -> None:
    batches = _batched(_entries(desk, returned))
    for places, works in in_order(_read, batches, workers.executor, workers.ahead):
        for (file, sender, submitted), work in zip(places, works, strict=True):
            desk.lay(file, sender, work, submitted)


Place = tuple[str, Sender | None, str]  # the file, whose it is, and when it was submitted


def _entries(desk: Desk, returned: Path) -> Iterator[tuple[Place, Entry]]:
    """Every returned file, and every row of a table, in order."""
    for file in files_in(returned):
        sender = sender_of(file.path, bool(file.timestamp), desk.knows)
        # Beside Moodle's folders a timestamp would be the student's own.
        place = (file.name, sender, file.timestamp if sender and not sender.number else "")
        if file.problem:
            yield place, ("", Submission(problems=(file.problem,)))
        elif file.suffix == ".csv":
            yield from _rows(file, place)
        else:
            try:
                yield place, (file.suffix, file.content())
            except DAMAGED as error:
                yield place, ("", Submission(problems=(f"cannot be read ({shortened(str(error))})",)))


def _rows(file: File, place: Place) -> Iterator[tuple[Place, Entry]]:
    name, sender, _ = place
    with _lines(file) as lines:
        head = next(lines, "")
        if len(file.path) == 1 and system_of(head):
            return
        if "sheet" not in head.lower():
            yield place, ("", Submission(problems=("a table without a column sheet: not read",)))
            return
        rows = read_rows(_and(head, lines))
        if sender is not None:
            for row in islice(rows, _MOST_OWN_ROWS):
                yield place, ("", replace(row, sender="", submitted=""))
            return
        for at, row in enumerate(rows, 2):
            yield (f"{name}, row {at}", Sender(row.sender) if row.sender else None, row.submitted), ("", row)


def _and(head: str, lines: Iterable[str]) -> Iterator[str]:
    yield head
    yield from lines


Read = tuple[list[Place], list[Entry]]


def _batched(entries: Iterable[tuple[Place, Entry]]) -> Iterator[Read]:
    """The entries in groups that are neither many nor large."""
    places: list[Place] = []
    group: list[Entry] = []
    size = 0
    for place, entry in entries:
        places.append(place)
        group.append(entry)
        size += len(entry[1]) if isinstance(entry[1], bytes) else 0
        if len(group) == _SHEETS or size > _BYTES:
            yield places, group
            places, group, size = [], [], 0
    if group:
        yield places, group


def _read(batch: Read) -> tuple[list[Place], list[Submission]]:
    places, entries = batch
    return places, [found if isinstance(found, Submission) else _READERS[suffix](found) for suffix, found in entries]


# Marking.


def _results(record: Path, desk: Desk, workers: Workers, corrections: Corrections, page: Page | None) -> Iterator[Marked]:
    header, handed = read_record(record)
    taken = ((at, sheet, desk.chosen(at, sheet)) for at, sheet in enumerate(handed))
    batches = (Batch(header, corrections, page, group) for group in chunks(taken, _SHEETS))
    for marked in in_order(mark_batch, batches, workers.executor, workers.ahead):
        yield from marked

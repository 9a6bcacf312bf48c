"""Grading into a folder: the gradebooks, a page for each student, the class report, and the lists that a teacher works off.

``results.jsonl`` holds all of it as data, a line a student, and `report` makes the class report from it again. Every file is written
whole or not at all. ``feedback/`` is for the students; the rest is for the instructor.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree
from typing import BinaryIO, Final

from ..algebra.errors import FsdpSymError, disk_remedy
from ..teaching.classroom.corrections import NONE, Corrections
from ..teaching.classroom.grade import ALONE, Grading, Workers, grading
from ..teaching.classroom.gradebook import GRADEBOOKS, csv_line
from ..teaching.classroom.marks import mark_alone
from ..teaching.classroom.names import file_stem
from ..teaching.classroom.record import RECORD, Header, read_record
from ..teaching.classroom.responses import Response
from ..teaching.classroom.results import About, Result, about_from, about_line, from_line, points_text, to_line
from ..teaching.classroom.tally import OfQuestion, Tally, to_review
from ..teaching.classroom.times import minutes_text
from ..teaching.drills import restore
from ..teaching.safely import whole, write_whole
from .assign import KEYS
from .class_report import class_report, median
from .feedback_page import page

FEEDBACK, RESULTS, REPORT, LINES, REVIEW, MOVES = (
    "feedback", "results.jsonl", "class-report.html", "report.txt", "review.csv", "moves.csv",
)  # fmt: skip
_UNFINISHED: Final = ".unfinished"
_PRIVATE_FOLDER, _PRIVATE = 0o700, 0o600
_EVERY: Final = 100


@dataclass(frozen=True)
class Graded:
    """What became of a class.

    Parameters
    ----------
    assignment : str
    tally : Tally
    noted : int
        The lines about single files and students in report.txt.
    moved, kept : int
        Students whose marks the corrections moved, and whom one would have lowered.
    empty : tuple of (str, str)
        Gradebooks that hold nobody, each with the list it would be filled from.
    """

    assignment: str
    tally: Tally
    noted: int
    moved: int
    kept: int
    empty: tuple[tuple[str, str], ...] = ()

    @property
    def says(self) -> list[str]:
        """In a few lines, with the files that say more."""
        statuses, tally = self.tally.statuses, self.tally
        marked = statuses["marked"] + statuses["by hand"]
        middle = f"; the median is {points_text(median(tally.marks))} of {points_text(tally.out_of)} points" if tally.marks else ""
        lines = [f"{self.assignment}: {marked:,} of {statuses.total():,} marked{middle}"]
        told = {"missing": "nothing came back from", "flagged": "flagged, and not marked", "exempt": "exempt"}
        counts = [f"{says}: {statuses[status]:,}" for status, says in told.items() if statuses[status]]  # type: ignore[index]
        counts += [f"late: {tally.late:,}"] if tally.late else []
        lines += [", ".join(counts)] if counts else []
        reviews = sum(found.count for found in tally.review.values())
        lines += [f"answers to look at: {REVIEW}, lines: {reviews:,}"] if reviews else []
        lines += [f"what was odd about files and students: {LINES}, lines: {self.noted:,}"] if self.noted else []
        lines += [f"moved by the corrections: {MOVES}, students: {self.moved:,}"] if self.moved else []
        lines += [f"kept, since a correction would have lowered them: {MOVES}, students: {self.kept:,}"] if self.kept else []
        lines += [f"{name} has no row: put {system_list} into what came back, and grade again" for name, system_list in self.empty]
        return lines


def grade(
    handed_out: Path, returned: Path, out: Path, workers: Workers = ALONE, formats: Sequence[str] = ("plain",),
    corrections: Corrections = NONE, names: bool = False, told: Callable[[str], object] = lambda _: None,
) -> Graded:  # fmt: skip
    """Grade a class into a folder.

    Parameters
    ----------
    handed_out : Path
        The folder that `assign` wrote.
    returned : Path
        A folder or a zip of what came back.
    out : Path
        Made if it is missing; what an earlier run wrote there is replaced.
    workers : Workers
    formats : sequence of str
        Gradebooks, by their names in `GRADEBOOKS`.
    corrections : Corrections
    names : bool
        Whether the class report names students.
    told : callable
        Is told how far it is.

    Raises
    ------
    FsdpSymError
        Where something of the instructor's cannot be used, or a file cannot be written.
    """
    if returned.is_dir() and out.resolve().is_relative_to(returned.resolve()):
        raise FsdpSymError(f"{out} lies in {returned}, and would be read as returned work: choose another --out")
    record = handed_out / KEYS / RECORD
    try:
        out.mkdir(_PRIVATE_FOLDER, parents=True, exist_ok=True)
        (out / FEEDBACK).mkdir(exist_ok=True)
        told("reading what came back")
        with (
            grading(record, returned, workers, corrections, page) as graded,
            _Files(out, graded, formats, bool(corrections.rows)) as files,
        ):
            about = _about(record, graded.header)
            files.begin(about)
            for at, result, text in graded.results:
                files.add(at, result, text)
                if at % _EVERY == 0:
                    told(f"{at:,} graded")
            files.end(about, names)
            return Graded(about.assignment, files.tally, files.noted, files.moved, files.kept, files.empty)
    except OSError as error:
        raise FsdpSymError(f"{error.filename or out} cannot be written: {error.strerror}: {disk_remedy(error)}") from None


def _about(record: Path, header: Header) -> About:
    """The questions, asked as on the first sheet."""
    asked = {}
    for sheet in read_record(record)[1]:
        if not sheet.exempt:
            asked = {label: "\n".join((drill.posed.prompt, *drill.posed.lines)) for label, drill in sheet.drills(header)}
            break
    return About(header.assignment, {q.label: (q.id, str(q.points), asked.get(q.label, "")) for q in header.questions})


class _Files:
    """The files of a graded class while they are written; nothing takes its place until all of it is there."""

    def __init__(self, out: Path, graded: Grading, formats: Sequence[str], corrected: bool) -> None:
        self._out, self._unfinished, self._graded = out, out / _UNFINISHED, graded
        self._gradebooks = [GRADEBOOKS[name] for name in formats]
        self._columns = {book.file: graded.desk.columns(book.system) if book.system else [] for book in self._gradebooks}
        self._names = [RESULTS, LINES, REVIEW, *(book.file for book in self._gradebooks), *([MOVES] if corrected else [])]
        self._open: dict[str, BinaryIO] = {}
        self._stack = ExitStack()
        self.tally = Tally()
        self.noted = self.moved = self.kept = 0
        self.rows = dict.fromkeys((book.file for book in self._gradebooks), 0)

    def __enter__(self) -> _Files:
        # What a run leaves behind that was killed goes with the next one.
        rmtree(self._unfinished, ignore_errors=True)
        self._unfinished.mkdir()
        self._stack.callback(rmtree, self._unfinished, ignore_errors=True)
        self._open = {name: self._stack.enter_context(whole(self._out / name, _PRIVATE, self._unfinished)) for name in self._names}
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.__exit__(*error)  # type: ignore[arg-type]

    def _write(self, name: str, text: str) -> None:
        self._open[name].write(text.encode())

    @property
    def empty(self) -> tuple[tuple[str, str], ...]:
        """The gradebooks without a row, each with the list that would fill it."""
        lists = {"moodle": "Moodle's grading worksheet", "canvas": "Canvas's exported gradebook", None: "a sheet"}
        return tuple((book.file, lists[book.system]) for book in self._gradebooks if not self.rows[book.file])

    def begin(self, about: About) -> None:
        self.tally = _tally(about)
        self._write(RESULTS, about_line(about))
        for book in self._gradebooks:
            for row in book.head(self._graded.header, self._columns[book.file]):
                self._write(book.file, csv_line(row))
        self._write(REVIEW, csv_line(["sheet", "student", "name", "answer", "typed", "verdict", "why"]))
        if MOVES in self._open:
            self._write(MOVES, csv_line(["student", "name", "before", "after", "why"]))
        for place, says in self._graded.desk.notes():
            self._note(place, says)

    def add(self, at: int, result: Result, text: str) -> None:
        self.tally.add(result)
        self._write(RESULTS, to_line(result))
        for book in self._gradebooks:
            listed = self._graded.desk.listed(at, book.system) if book.system else {}
            row = book.row(self._graded.header, result, self._columns[book.file], listed)
            if row is not None:
                self.rows[book.file] += 1
                self._write(book.file, csv_line(row))
        for question in result.questions:
            for part in to_review(question):
                who = [result.sheet, result.student, result.name]
                self._write(REVIEW, csv_line([*who, part.field, part.typed, part.verdict, *part.says[:1]]))
        for note in _notes(result):
            self._note(result.student, note)
        self._moved(result)
        place = self._out / FEEDBACK / f"{file_stem(result.student)}.html"
        if text:
            with whole(place, beside=self._unfinished) as file:
                file.write(text.encode())
        else:
            place.unlink(missing_ok=True)

    def _note(self, place: str, says: str) -> None:
        self.noted += 1
        self._write(LINES, f"{_one_line(place)}: {_one_line(says)}\n")

    def _moved(self, result: Result) -> None:
        moved = result.mark != result.before
        if MOVES in self._open and (moved or result.kept):
            self.moved += moved
            self.kept += bool(result.kept)
            marks = ["" if mark is None else points_text(mark) for mark in (result.before, result.mark)]
            why = [f"{q.label}: {q.because}" for q in result.questions if q.because]
            why += [f"the whole sheet: {result.because}"] if result.because else []
            self._write(MOVES, csv_line([result.student, result.name, *marks, "; ".join((*why, *result.kept))]))

    def end(self, about: About, names: bool) -> None:
        # What an earlier run wrote and this one does not would tell of other marks.
        for name in {MOVES, *(book.file for book in GRADEBOOKS.values())} - set(self._names):
            (self._out / name).unlink(missing_ok=True)
        write_whole(self._out / REPORT, class_report(about.assignment, self.tally, names).encode())


def _notes(result: Result) -> Iterator[str]:
    if result.status == "missing":
        yield "nothing came back"
    if result.status == "flagged":
        yield f"flagged, and not marked: {'; '.join(result.notes)}"
    else:
        yield from result.notes
    yield from result.problems
    if result.late:
        yield f"{minutes_text(result.late)} late"


def _one_line(said: str) -> str:
    """A line for a terminal or a text file: whatever is not printed is a question mark."""
    return "".join(c if c.isprintable() else "?" for c in re.sub(r"\s+", " ", said))


def _tally(about: About) -> Tally:
    return Tally({label: OfQuestion(question, asked) for label, (question, _, asked) in about.questions.items()})


def report(graded: Path, names: bool = False) -> Path:
    """Make the class report of a graded class again, and return where it is.

    Raises
    ------
    FsdpSymError
        Where the folder holds no results, or damaged ones.
    """
    place = graded / RESULTS
    try:
        with place.open(encoding="utf-8") as lines:
            about = about_from(next(lines, ""))
            tally = _tally(about)
            for line in lines:
                tally.add(from_line(line))
    except OSError as error:
        raise FsdpSymError(f"{place} cannot be read: {error.strerror}: name the folder that fsdp-sym grade wrote") from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise FsdpSymError(f"{place} is damaged: run fsdp-sym grade again") from None
    write_whole(graded / REPORT, class_report(about.assignment, tally, names).encode())
    return graded / REPORT


def report_of_responses(title: str, responses: Iterable[Response], place: Path) -> None:
    """The class report of what a class answered in a learning system's own quiz. It has no marks: those are the system's."""
    tally = Tally()
    for response in responses:
        tally.add_answer(mark_alone(restore(response.variant), response.text))
    write_whole(place, class_report(title, tally).encode())

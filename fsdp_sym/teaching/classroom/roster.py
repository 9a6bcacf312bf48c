"""The roster: who is in the class, as a spreadsheet saves it.

A row is refused rather than guessed at: the message names its line and what to write there.
"""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Final

from ...algebra.errors import FsdpSymError
from .names import file_stem
from .times import moment

_MOST_BYTES: Final = 64 * 2**20
_LONGEST: Final = 400
_KNOWN: Final = {"id": "id", "student": "id", "name": "name"} | {x: x for x in ("due", "extension", "format", "exempt")}
_LARGE: Final = {"": False, "large print": True, "large-print": True, "large": True}
_EXEMPT: Final = {"": False, "no": False, "false": False, "0": False, "yes": True, "true": True, "1": True, "x": True}
# What turns the direction of the text after it around, and so could make a sheet say what it does not.
_TURNING: Final = {*range(0x202A, 0x202F), *range(0x2066, 0x206A)}


@dataclass(frozen=True)
class Student:
    """A row of the roster.

    Parameters
    ----------
    id : str
        As the course knows the student.
    name : str
    due, extension : str
        When the sheet is to be returned, and until when this student may, as `times.moment` reads it; or empty.
    large_print : bool
    exempt : bool
        In the record and in the gradebook, but handed no sheet.
    """

    id: str
    name: str = ""
    due: str = ""
    extension: str = ""
    large_print: bool = False
    exempt: bool = False


def read_roster(path: Path, due: str = "") -> tuple[Student, ...]:
    """The students of a CSV file, in its order; those without a due date of their own get this one.

    Commas, semicolons or tabs; with or without a byte-order mark; headings in any case. ``id`` (or ``student``) must be
    there; ``name``, ``due``, ``extension``, ``format`` and ``exempt`` may be; other columns are passed over.

    Raises
    ------
    FsdpSymError
        For the first thing that cannot be read, with its line; for two students whose ids, or whose file names, differ in
        nothing but case.
    """
    checked_date(due)
    rows = _rows(path)
    at, headings = next(rows, (0, []))
    columns = _columns(path, headings)
    students = []
    for at, row in rows:
        if any(row):
            if len(row) > len(headings) and any(row[len(headings) :]):
                raise _refused(path, at, f"has {len(row)} fields for {len(headings)} columns: put a name that holds a comma in quotes")
            students.append(_student(path, at, {name: row[place] for name, place in columns.items() if place < len(row)}))
    if not students:
        raise FsdpSymError(f"{path} holds no students: write a heading line such as id,name and a line for each of them")
    _refuse_twins(path, students)
    return tuple(replace(student, due=student.due or due) for student in students)


def checked_date(text: str) -> str:
    """A date, perhaps with a time, as it was written.

    Raises
    ------
    FsdpSymError
        For anything that can be read in two ways, such as 3/4/2026.
    """
    if text and moment(text) is None:
        raise FsdpSymError(f"{_quoted(text)} is no date: write it as 2026-03-14, 2026-03-14 23:59 or 2026-03-14 23:59 Europe/Berlin")
    return text


def _rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Each row with the line it ends on; fields without the spaces around them."""
    text = _text(path)
    first, _, rest = text.partition("\n")
    told = first.strip().lower()
    separator = max(",;\t", key=first.count)
    start = 1
    if told.startswith("sep=") and len(told) == 5:  # a line that Excel reads for itself
        text, separator, start = rest, told[4], 2
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    try:
        for row in reader:
            yield reader.line_num + start - 1, [field.strip() for field in row]
    except csv.Error as error:
        raise _refused(path, reader.line_num + start - 1, f"is no CSV: {error}: save the roster as CSV once more") from None


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            content = file.read(_MOST_BYTES + 1)
    except OSError as error:
        raise FsdpSymError(f"{path} cannot be read: {error.strerror}: name the roster's CSV file") from None
    if len(content) > _MOST_BYTES:
        raise FsdpSymError(f"{path} is too large to be a roster: name a CSV file with a line for each student")
    encoding = "utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        return content.decode(encoding)
    except UnicodeDecodeError:
        raise FsdpSymError(f"{path} is not in UTF-8: save it as CSV UTF-8, so that no name is garbled") from None


def _columns(path: Path, headings: list[str]) -> dict[str, int]:
    columns: dict[str, int] = {}
    for place, heading in enumerate(headings):
        spelled = " ".join(heading.lower().split())
        name = _KNOWN.get(spelled)
        if name is None:
            if near := get_close_matches(spelled[:40], _KNOWN, n=1, cutoff=0.8):
                raise FsdpSymError(f"{path} has a column {_quoted(heading)}: call it {near[0]}, or something else")
        elif name in columns:
            raise FsdpSymError(f"{path} has two columns for {name}: keep one")
        else:
            columns[name] = place
    if "id" not in columns:
        raise FsdpSymError(f"{path} has no column id, nor student: write a heading line such as id,name above the students")
    return columns


def _student(path: Path, at: int, row: dict[str, str]) -> Student:
    row["name"] = " ".join(row.get("name", "").split())
    for name, text in row.items():
        if len(text) > _LONGEST:
            raise _refused(path, at, f"has a {name} of {len(text)} characters: shorten it to {_LONGEST}")
        if any(unicodedata.category(c) in ("Cc", "Cs") or ord(c) in _TURNING for c in text):
            raise _refused(path, at, f"has a control character in its {name}, {_quoted(text)}: type it anew")
    if not row.get("id"):
        raise _refused(path, at, "names no student: give it an id, or delete the line")
    large, exempt = row.get("format", "").lower(), row.get("exempt", "").lower()
    if large not in _LARGE:
        raise _refused(path, at, f"asks for the format {_quoted(large)}: write large print, or leave it empty")
    if exempt not in _EXEMPT:
        raise _refused(path, at, f"says {_quoted(exempt)} under exempt: write yes, or leave it empty")
    due, extension = row.get("due", ""), row.get("extension", "")
    try:
        checked_date(due)
        checked_date(extension)
    except FsdpSymError as error:
        raise FsdpSymError(f"{path}, line {at}: {error}") from None
    return Student(row["id"], row["name"], due, extension, _LARGE[large], _EXEMPT[exempt])


def _refuse_twins(path: Path, students: Iterable[Student]) -> None:
    """No two students may be one to a file system or a spreadsheet that does not tell capitals apart."""
    ids: dict[str, str] = {}
    stems: dict[str, str] = {}
    for student in students:
        for known, name in ((ids, _folded(student.id)), (stems, file_stem(student.id).lower())):
            if name in known:
                one, other = _quoted(known[name]), _quoted(student.id)
                how = "is there twice" if one == other else f"and {other} can be taken for one another"
                raise FsdpSymError(f"{path}: the id {one} {how}: give every student an id of their own")
            known[name] = student.id


def _folded(text: str) -> str:
    """An id without differences of case, width and spaces, in which a system that it passes through may not keep it apart."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _refused(path: Path, at: int, what: str) -> FsdpSymError:
    return FsdpSymError(f"{path}: line {at} {what}")


def _quoted(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:40] + "...")

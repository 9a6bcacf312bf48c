"""The files of a folder of returned work, or of the zip of it that an LMS hands out. Nothing is extracted, followed or run.

Whose a file is stands in its path, as Moodle and nbgrader lay it out:

* ``Full Name_12345_assignsubmission_file_/x.ipynb``, with or without the last ``_``, or all of it in one file's name (Moodle);
* ``submitted/<student>/<assignment>/x.ipynb``, with a ``timestamp.txt`` beside it (nbgrader);
* a folder, or else a file, called as a student is on the record.

The topmost folder that says it counts: what is below it was named by the student. What is no plain file, lies outside, or is
larger than any sheet is a line in the report.
"""

from __future__ import annotations

import os
import re
import stat
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from ...algebra.errors import FsdpSymError
from .names import DEVICE
from .submissions import MOST_BYTES, shortened

MOST_OF_A_TABLE: Final = 64 * 2**20
_READ: Final = {".ipynb": MOST_BYTES, ".json": MOST_BYTES, ".md": MOST_BYTES, ".csv": MOST_OF_A_TABLE}
_MOST_FILES: Final = 200_000
_MOST_UNPACKED: Final = 4 * 2**30
_MOST_RATIO: Final = 200  # a sheet's text shrinks to a tenth or so; deflate can pretend a thousandfold
_MOST_DIRECTORY: Final = 64 * 2**20
_DEEPEST: Final = 8
_PASSED_OVER: Final = ("__MACOSX", "desktop.ini", "Thumbs.db")
SUBMITTED: Final = "submitted"
TIMESTAMP: Final = "timestamp.txt"
_HIDDEN: Final = "Participant"
_MOODLE: Final = re.compile(r"(?P<name>.+?)_(?P<number>\d+)_assignsubmission_file(?:_.*)?", re.DOTALL)


@dataclass(frozen=True)
class Sender:
    """Whose a file is, by where it lay.

    Parameters
    ----------
    name : str
        A student's id or full name, as the folder has it; empty where Moodle hides it.
    number : str
        Moodle's number of the participant.
    """

    name: str
    number: str = ""


@dataclass(frozen=True)
class File:
    """A file that came back.

    Parameters
    ----------
    path : tuple of str
        Below the folder or zip.
    open : callable, optional
        To its bytes; None where `problem` says why it is not read.
    problem : str
    timestamp : str
        What nbgrader's ``timestamp.txt`` beside it says.
    """

    path: tuple[str, ...]
    open: Callable[[], IO[bytes]] | None = None
    problem: str = ""
    timestamp: str = ""

    @property
    def name(self) -> str:
        return shortened("/".join(self.path))

    @property
    def suffix(self) -> str:
        return os.path.splitext(self.path[-1])[1].lower()

    def content(self) -> bytes:
        """All of it, but never more than one byte over what is read."""
        assert self.open is not None
        with self.open() as file:
            return file.read(_READ[self.suffix] + 1)


def files_in(place: Path) -> Iterator[File]:
    """Every file of a folder, in the order of its names, or of a zip, in its own.

    Raises
    ------
    FsdpSymError
        Where there is neither.
    """
    if place.is_dir():
        found = _in_folder(place)
    elif place.is_file() and zipfile.is_zipfile(place):
        found = _in_zip(place)
    else:
        raise FsdpSymError(f"{place} is neither a folder nor a zip of returned work: name the one that the LMS handed out")
    for count, file in enumerate(found):
        if count == _MOST_FILES:
            yield File(file.path, problem=f"after {_MOST_FILES:,} files the rest was not looked at")
            return
        yield file


def sender_of(path: tuple[str, ...], by_timestamp: bool, known: Callable[[str], bool]) -> Sender | None:
    """Whose a file is by its path; None where nothing says it."""
    *folders, file = path
    if len(folders) > 2 and folders[0] == SUBMITTED:
        return Sender(folders[1])
    for folder in folders:
        if found := _moodles(folder):
            return found
        if known(folder):
            return Sender(folder)
    if len(folders) > 1 and by_timestamp:
        return Sender(folders[0])
    stem = os.path.splitext(file)[0]
    return _moodles(file) or (Sender(stem) if known(stem) else None)


def _moodles(name: str) -> Sender | None:
    """The sender in a name that Moodle made."""
    found = _MOODLE.fullmatch(name)
    return Sender("" if found["name"] == _HIDDEN else found["name"], found["number"]) if found else None


def assignment_of(path: tuple[str, ...]) -> tuple[str, ...]:
    """The folder beside whose files nbgrader puts its timestamp; one deeper down would be the student's own."""
    return path[: 3 if path[0] == SUBMITTED else 2] if len(path) > (3 if path[0] == SUBMITTED else 2) else ("",)


def _judged(path: tuple[str, ...], size: int, open_: Callable[[], IO[bytes]], timestamp: str) -> File | None:
    """A file that may be read, or a line about it; None for what a computer puts there by itself."""
    if any(part.startswith(".") or part in _PASSED_OVER for part in path) or path[-1] == TIMESTAMP:
        return None
    suffix = os.path.splitext(path[-1])[1].lower()
    if suffix not in _READ:
        return File(path, problem="no notebook, Markdown, JSON or CSV: not read" if suffix != ".zip" else "a zip within: not opened")
    if size > _READ[suffix]:
        return File(path, problem=f"larger than {_READ[suffix] // 10**6} MB: not read")
    return File(path, open_, timestamp=timestamp)


# A folder.


def _in_folder(root: Path) -> Iterator[File]:
    # An nbgrader course can be named, whose other folders are none of ours, and its submitted/ as well.
    if (root / SUBMITTED).is_dir():
        root /= SUBMITTED
    yield from _walk(root, (SUBMITTED,) if root.name == SUBMITTED else (), "")


def _walk(folder: Path, above: tuple[str, ...], timestamp: str) -> Iterator[File]:
    try:
        with os.scandir(folder) as entries:
            found = sorted((entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries)
    except OSError as error:
        yield File((*above, ""), problem=f"a folder that cannot be looked into: {error.strerror}")
        return
    if above == assignment_of((*above, "")):
        timestamp = _small(folder / TIMESTAMP)
    for name, is_folder in found:
        path = (*above, _named(name))
        if not is_folder:
            if (file := _plain_file(folder / name, path, timestamp)) is not None:
                yield file
        elif len(path) > _DEEPEST:
            yield File(path, problem="a folder deeper than any LMS makes them: not looked into")
        elif not name.startswith("."):
            yield from _walk(folder / name, path, timestamp)


def _named(name: str) -> str:
    """A file's name as text, whatever bytes it is made of."""
    return os.fsencode(name).decode("utf-8", "replace")


def _plain_file(place: Path, path: tuple[str, ...], timestamp: str) -> File | None:
    try:
        found = os.lstat(place)
    except OSError as error:
        return File(path, problem=f"cannot be read: {error.strerror}")
    if not stat.S_ISREG(found.st_mode):
        return File(path, problem="a link, which is not followed" if stat.S_ISLNK(found.st_mode) else "no plain file: not read")
    return _judged(path, found.st_size, lambda: _opened(place), timestamp)


def _opened(place: Path) -> IO[bytes]:
    """A plain file, even where something else has taken its place since it was looked at."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    descriptor = os.open(place, flags)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(f"{place} is no plain file any more")
    return os.fdopen(descriptor, "rb")


def _small(place: Path) -> str:
    try:
        with _opened(place) as file:
            return shortened(file.read(200).decode("utf-8", "replace").strip())
    except OSError:
        return ""


# A zip.


def _in_zip(place: Path) -> Iterator[File]:
    _refuse_endless(place)
    try:
        archive = zipfile.ZipFile(place)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise FsdpSymError(f"{place} cannot be read as a zip ({error}): download it again") from None
    with archive:
        members = [member for member in archive.infolist() if not member.is_dir()]
        stamps = [member for member in members if member.filename.rpartition("/")[2] == TIMESTAMP]
        timestamps = {tuple(stamp.filename.split("/")[:-1]): _head(archive, stamp) for stamp in stamps}
        left = _MOST_UNPACKED
        for member in members:
            left -= member.file_size
            if left < 0:
                yield File((shortened(member.filename),), problem=f"beyond {_MOST_UNPACKED // 2**30} GiB: it and the rest are not read")
                return
            if (file := _member(archive, member, timestamps)) is not None:
                yield file


def _refuse_endless(place: Path) -> None:
    """Refuse a zip whose list of members alone would fill the memory, before the list is read."""
    with place.open("rb") as file:
        file.seek(max(0, place.stat().st_size - 2**16 - 100))
        tail = file.read()
    at = tail.rfind(b"PK\x05\x06")
    directory = int.from_bytes(tail[at + 12 : at + 16], "little") if at >= 0 else 0
    if b"PK\x06\x07" in tail or directory > _MOST_DIRECTORY:
        raise FsdpSymError(f"{place} holds more than one class returns: unpack it, and name the folder")


def _head(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> str:
    try:
        with archive.open(member) as file:
            return shortened(file.read(200).decode("utf-8", "replace").strip())
    except (zipfile.BadZipFile, OSError, RuntimeError, NotImplementedError, ValueError):
        return ""


def _member(archive: zipfile.ZipFile, member: zipfile.ZipInfo, timestamps: dict[tuple[str, ...], str]) -> File | None:
    path = tuple(shortened(part) for part in member.filename.split("/"))
    if _leads_elsewhere(member.orig_filename):
        return File((shortened(member.orig_filename),), problem="a name that leads out of the folder: not read")
    if any(DEVICE.fullmatch(part.partition(".")[0]) for part in path):
        return File(path, problem="the name of a device: not read")
    if stat.S_ISLNK(member.external_attr >> 16):
        return File(path, problem="a link, which is not followed")
    if member.flag_bits & 1:
        return File(path, problem="locked with a password: not read")
    if member.file_size > _MOST_RATIO * max(member.compress_size, 1):
        return File(path, problem=f"more than {_MOST_RATIO} times as large unpacked: not read")
    return _judged(path, member.file_size, lambda: archive.open(member), timestamps.get(assignment_of(path), ""))


def _leads_elsewhere(name: str) -> bool:
    return name.startswith("/") or "\\" in name or "\0" in name or ".." in name.split("/") or re.match(r"[A-Za-z]:", name) is not None

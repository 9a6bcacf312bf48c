"""What came back, laid beside what was handed out. It lies on disk, in a file without a name, so that a large class takes no memory.

The rules, by which nobody's work can change another's mark:

* Work is marked as the sheet that it names, if nothing says that somebody else sent it. Work that names no sheet is its
  sender's.
* A sheet that its owner did not send is flagged and not marked; the owner's own return of it is marked as if the other
  were not there. So is one that several people sent and nothing shows to be anybody's own.
* Of several returns the latest counts, by the time that the learning system gives. Where no time tells, those without an
  answer are passed over, and what then still differs is flagged and not marked.
"""

from __future__ import annotations

import json
import re
import sqlite3
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Final

from .lists import Participant, System
from .record import SheetRecord
from .results import Status
from .returned import Sender
from .submissions import Submission, shortened
from .times import minutes_late, moment

_TABLES: Final = """
CREATE TABLE handed (at INTEGER PRIMARY KEY, sheet TEXT, id TEXT, words TEXT);
CREATE INDEX by_sheet ON handed (sheet);
CREATE INDEX by_id ON handed (id);
CREATE INDEX by_words ON handed (words);
CREATE TABLE numbers (number TEXT PRIMARY KEY, ids TEXT, name TEXT, submitted TEXT);
CREATE TABLE listed (at INTEGER, system TEXT, row TEXT);
CREATE INDEX listed_at ON listed (at);
CREATE TABLE returned
    (at INTEGER, sender TEXT, number TEXT, own INTEGER, stamp REAL, submitted TEXT, file TEXT, answers TEXT, problems TEXT);
CREATE INDEX by_at ON returned (at);
CREATE TABLE flags (at INTEGER, why TEXT);
CREATE INDEX flagged ON flags (at);
CREATE TABLE notes (place TEXT, says TEXT);
"""


@dataclass(frozen=True)
class Chosen:
    """What is marked of one student.

    Parameters
    ----------
    status : str
        ``marked``, ``missing`` (nothing came back), ``flagged`` (something did, and why it is not marked is in `notes`) or ``exempt``.
    answers : dict of str to str
    file : str
        Where they were found.
    submitted : str
        When they came, as it was written; empty where nothing says it.
    late : int
        Minutes after the student's own last moment.
    notes : tuple of str
        What was odd about who sent what; it may speak of others.
    problems : tuple of str
        What was odd in the file itself.
    number : str
        Moodle's for the sender, where a folder's name has it.
    """

    status: Status
    answers: dict[str, str]
    file: str = ""
    submitted: str = ""
    late: int = 0
    notes: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    number: str = ""


class Desk:
    """A class's returned work, to be taken up a student at a time.

    Parameters
    ----------
    handed : iterable of SheetRecord
        What was handed out; a student is known by the place in it.
    """

    def __init__(self, handed: Iterable[SheetRecord]) -> None:
        self._store = sqlite3.connect("")
        self._store.row_factory = sqlite3.Row
        self._store.executescript(_TABLES)
        rows = ((at, sheet.sheet or None, _folded(sheet.student), _words(sheet.name)) for at, sheet in enumerate(handed))
        self._store.executemany("INSERT INTO handed VALUES (?, ?, ?, ?)", rows)

    def close(self) -> None:
        self._store.close()

    def knows(self, name: str) -> bool:
        """Whether a name is a student's id or full name."""
        return bool(self.places(name))

    def places(self, name: str) -> list[int]:
        """The places in the record of the student with this id, else of those with this full name, its words in any order."""
        found = self._store.execute("SELECT at FROM handed WHERE id = ?", (_folded(name),)).fetchall()
        if not found and (words := _words(name)):
            found = self._store.execute("SELECT at FROM handed WHERE words = ?", (words,)).fetchall()
        return [at for (at,) in found]

    def register(self, participants: Iterable[Participant]) -> None:
        """Take in a learning system's list of the class."""
        for one in participants:
            ids = [_folded(name) for name in one.ids]
            if one.system == "moodle" and one.number:
                row = (one.number, json.dumps(ids), one.name, one.submitted)
                self._store.execute("INSERT OR REPLACE INTO numbers VALUES (?, ?, ?, ?)", row)
            known = self._with_ids(ids) or self.places(one.name)
            if len(known) == 1:
                self._store.execute("INSERT INTO listed VALUES (?, ?, ?)", (known[0], one.system, json.dumps(one.row)))

    def listed(self, at: int, system: System) -> dict[str, str]:
        """The row that a learning system's list has for a student; empty where it has none."""
        found = self._store.execute("SELECT row FROM listed WHERE at = ? AND system = ? ORDER BY rowid DESC", (at, system)).fetchone()
        return json.loads(found[0]) if found else {}

    def columns(self, system: System) -> list[str]:
        """The columns of a learning system's list; none where there is no list."""
        found = self._store.execute("SELECT row FROM listed WHERE system = ? ORDER BY rowid", (system,)).fetchone()
        return list(json.loads(found[0])) if found else []

    def note(self, place: str, says: str) -> None:
        """Keep a line for the report."""
        self._store.execute("INSERT INTO notes VALUES (?, ?)", (place, says))

    def notes(self) -> Iterator[tuple[str, str]]:
        """The lines for the report, in the order in which they were kept."""
        with closing(self._store.execute("SELECT place, says FROM notes ORDER BY rowid")) as found:
            yield from map(tuple, found)

    def lay(self, file: str, sender: Sender | None, work: Submission, submitted: str = "") -> None:
        """Lay a return where it belongs, or keep a line that says why it belongs nowhere."""
        submitted, theirs = self._sent(sender, submitted or work.submitted)
        if not work.answers:
            for says in work.problems:
                self.note(file, says)
            self._flag(theirs if sender else [], f"{file}: {work.problems[0] if work.problems else 'nothing was found in it'}")
            return
        at, why = self._owner(sender, theirs, work.sheet)
        if why:
            self.note(file, f"{why}: not marked")
            self._flag(theirs, f"{file}: {why}")
        if at is None:
            return
        time = moment(submitted)
        problems = list(work.problems)
        if submitted and time is None:
            problems.append(f"its time {submitted!r} cannot be read: whether it is late is not known")
        if not work.sheet:
            problems.append("it names no sheet, and is marked as its sender's own")
        stamp = None if time is None else time.timestamp()
        who, number = (sender.name or sender.number, sender.number) if sender else ("", "")
        row = (at, who, number, at in theirs, stamp, submitted, file, json.dumps(work.answers), json.dumps(problems))
        self._store.execute("INSERT INTO returned VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)

    def chosen(self, at: int, handed: SheetRecord) -> Chosen:
        """What is marked of the student at a place of the record."""
        if handed.exempt:
            return Chosen("exempt", {})
        rows = self._store.execute("SELECT * FROM returned WHERE at = ? ORDER BY rowid", (at,)).fetchall()
        flags = tuple(row["why"] for row in self._store.execute("SELECT why FROM flags WHERE at = ? ORDER BY rowid", (at,)))
        if not rows:
            return Chosen("flagged" if flags else "missing", {}, notes=flags)
        own = [row for row in rows if row["own"]]
        if not own and len({row["sender"] for row in rows}) > 1:
            senders = ", ".join(row["sender"] or row["file"] for row in rows)
            return Chosen("flagged", {}, notes=(f"it came back from several, and none is known to be its owner: {shortened(senders)}",))
        latest = _latest(own or rows)
        files = shortened(", ".join(row["file"] for row in latest))
        if len({row["answers"] for row in latest}) > 1:
            return Chosen("flagged", {}, notes=(*flags, f"{files} differ, and nothing says which is the latest: keep one of them"))
        one = latest[0]
        others = shortened(", ".join(row["file"] for row in rows if row["file"] != one["file"]))
        notes = (*flags, *((f"passed over, as another return counts: {others}",) if others else ()))
        problems = tuple(json.loads(one["problems"]))
        late = minutes_late(one["submitted"], handed.due, handed.extension)
        return Chosen("marked", json.loads(one["answers"]), one["file"], one["submitted"], late, notes, problems, one["number"])

    def _owner(self, sender: Sender | None, theirs: list[int], sheet: str) -> tuple[int | None, str]:
        """Whose place it is laid at, or why it is nobody's."""
        if not sheet:
            if len(theirs) == 1:
                return theirs[0], ""
            return None, "it names no sheet, and nothing says whose it is"
        found = self._store.execute("SELECT at, id, words FROM handed WHERE sheet = ?", (sheet,)).fetchone()
        if found is None:
            return None, f"it answers {sheet}, which is no sheet of this assignment"
        at, student, words = found
        if sender is None or at in theirs:
            return at, ""
        if not theirs and sender.number and not (words and sender.name):
            return at, ""  # there is no name to hold against the other
        return None, f"{shortened(sender.name)} sent it, and it answers {sheet}, the sheet of {student}"

    def _sent(self, sender: Sender | None, submitted: str) -> tuple[str, list[int]]:
        """When it was sent, by the learning system's list where there is one, and the students who may have sent it."""
        if sender is None:
            return submitted, []
        row = self._store.execute("SELECT * FROM numbers WHERE number = ?", (sender.number,)).fetchone() if sender.number else None
        if row is None:
            return submitted, self.places(sender.name)
        _, ids, name, listed = row
        return listed, self._with_ids(json.loads(ids)) or self.places(name or sender.name)

    def _with_ids(self, ids: Iterable[str]) -> list[int]:
        found = (self._store.execute("SELECT at FROM handed WHERE id = ?", (one,)).fetchone() for one in ids)
        return list(dict.fromkeys(row[0] for row in found if row))

    def _flag(self, theirs: list[int], why: str) -> None:
        if len(theirs) == 1:
            self._store.execute("INSERT INTO flags VALUES (?, ?)", (theirs[0], why))


def _latest(rows: list[sqlite3.Row]) -> list[sqlite3.Row]:
    """The returns of which none is later than another, as far as their times tell; without the empty ones where others are not."""
    if all(row["stamp"] is not None for row in rows):
        last = max(row["stamp"] for row in rows)
        rows = [row for row in rows if row["stamp"] == last]
    return [row for row in rows if any(json.loads(row["answers"]).values())] or rows


def _folded(text: str) -> str:
    """An id as it compares: without differences of case, width and spaces."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _words(name: str) -> str:
    """A full name as it compares: its words, without accents, in no order, so that "Lovelace, Ada" is Ada Lovelace."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))
    return " ".join(sorted(re.findall(r"\w+", plain.casefold())))

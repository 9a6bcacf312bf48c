"""A learning system's own list of the class, put beside the returned work: who its numbers are, and when each submitted.

Moodle's is the grading worksheet of the assignment, downloaded in English; Canvas's is the exported gradebook. Both are told by
their columns. A gradebook for that system is then its own list with the marks in it.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from .submissions import separator, shortened

System = Literal["moodle", "canvas"]

_MOODLE: Final = ("Identifier", "Full name")
_CANVAS: Final = ("Student", "ID", "SIS Login ID")
_IDS: Final = ("ID number", "Username", "Email address", "SIS User ID", "SIS Login ID")
_NO_TIME: Final = ("", "-")


@dataclass(frozen=True)
class Participant:
    """A row of the list.

    Parameters
    ----------
    system : str
    number : str
        The system's own number; Moodle writes it into the names of folders.
    name : str
    ids : tuple of str
        Whatever else may be a student's id: an id number, a login, an address and what stands before its @.
    submitted : str
    row : mapping
        All of it.
    """

    system: System
    number: str
    name: str
    ids: tuple[str, ...]
    submitted: str
    row: Mapping[str, str]


def system_of(head: str) -> System | None:
    """The system whose list has this first line; None where it is no such list."""
    columns = {name.strip() for name in _row(head.lstrip("\ufeff"))}
    return "moodle" if columns >= {*_MOODLE} else "canvas" if columns >= {*_CANVAS} else None


def participants(lines: Iterable[str], system: System) -> Iterator[Participant]:
    """The rows of a list; one that cannot be read is passed over."""
    lines = iter(lines)
    head = next(lines, "").lstrip("\ufeff")
    rows = csv.DictReader(lines, fieldnames=[name.strip() for name in _row(head)], delimiter=separator(head))
    while True:
        try:
            found = next(rows)
        except StopIteration:
            return
        except csv.Error:
            continue
        row = {name: shortened(text, 1000) for name, text in found.items() if name and isinstance(text, str)}
        ids = [known for name in _IDS if (known := row.get(name, "").strip())]
        ids += [address.partition("@")[0] for address in ids if "@" in address]
        if system == "moodle":
            number = re.sub(r"\D", "", row.get("Identifier", ""))
            submitted = row.get("Last modified (submission)", "").strip()
            yield Participant(system, number, row.get("Full name", "").strip(), tuple(ids), "" if submitted in _NO_TIME else submitted, row)
        else:
            yield Participant(system, row.get("ID", ""), row.get("Student", "").strip(), tuple(ids), "", row)


def _row(line: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=separator(line)), [])
    except csv.Error:
        return []

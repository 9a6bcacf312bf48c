"""What a student is told of a filled-in sheet before it is handed in: how each answer is read, never whether it is right.

No key is needed, nor known: what an answer is read as stands in the sheet's own text.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from ...algebra.errors import FsdpSymError
from ..answers import Expects, Invalid, NotAnswered, Read, read
from ..answers.characters import printable
from .expected import expected_in
from .submissions import MOST_BYTES, read_notebook

State = Literal["read", "invalid", "not answered", "not known"]


@dataclass(frozen=True)
class Reading:
    """How one answer is read.

    Parameters
    ----------
    field : str
        Such as ``Q7`` or ``Q7.1``.
    state : str
        ``not known`` where the copy has lost the line that says what is asked.
    says : tuple of str
        The reading, or why there is none, with the typed text and a caret under the place.
    """

    field: str
    state: State
    says: tuple[str, ...]


@dataclass(frozen=True)
class Checked:
    """A sheet as it would be read.

    Parameters
    ----------
    sheet : str
        Its id; empty where it has lost it.
    readings : tuple of Reading
        All that it asks for, in its order, and then what else was answered.
    problems : tuple of str
        What was odd, a line each.
    """

    sheet: str
    readings: tuple[Reading, ...]
    problems: tuple[str, ...]

    @property
    def complete(self) -> bool:
        return bool(self.sheet) and bool(self.readings) and all(reading.state == "read" for reading in self.readings)


def check(path: Path) -> Checked:
    """Read a sheet's answers.

    Raises
    ------
    FsdpSymError
        Where the file cannot be read, or is no notebook with answers.
    """
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise FsdpSymError(f"{path} cannot be read: {error.strerror}: name your sheet") from None
    submission = read_notebook(content)
    expected = _expected(content)
    if not submission.answers and not expected:
        raise FsdpSymError(f"{path}: {'; '.join(submission.problems)}: name the notebook that you were handed")
    names = dict.fromkeys((*expected, *submission.answers))
    readings = tuple(_reading(name, submission.answers.get(name), expected.get(name)) for name in names)
    lost = () if submission.sheet else ("it has lost the line that begins with Sheet: copy it back from the sheet that you were handed",)
    return Checked(submission.sheet, readings, submission.problems + lost)


def _expected(content: bytes) -> dict[str, Expects]:
    """What the notebook's text says of its answers."""
    try:
        cells = json.loads(content)["cells"] if len(content) <= MOST_BYTES else []
        return expected_in("\n".join("".join(cell["source"]) for cell in cells))
    except (ValueError, KeyError, TypeError, RecursionError):
        return {}


def _reading(field: str, text: str | None, expects: Expects | None) -> Reading:
    if text is None:
        return Reading(field, "not answered", (f'the line "Answer {field}" is missing: put it back and write below it',))
    if expects is None:
        return Reading(field, "not known", (f"this copy does not say what is asked here; what stands there is {printable(text)}",))
    match read(text, expects):
        case NotAnswered():
            return Reading(field, "not answered", ("nothing stands below its line",))
        case Invalid(message, _, caret):
            return Reading(field, "invalid", (message, *caret.splitlines()))
        case Read(_, echo):
            return Reading(field, "read", (echo,))

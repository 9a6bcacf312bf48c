"""Returned work, read without running any of it: a notebook, a JSON file of answers, or a table with a row a student.

An answer is found by the line of text above it (see `marker`), in a cell of any type, so that a copy that lost its cell ids,
and cells that were split, merged or doubled, are read all the same. The rules:

* What stands below the line, up to the next such line, the next question or the end of the cell, is the answer; quotes,
  backticks, dollars and asterisks around the whole of it are dropped.
* Where an answer stands in several cells, that is reported and the last one that is not empty counts.
* Where nothing stands below the line, a single line of text behind it, or in the next cell, counts, and that is reported.
* Only text is looked at. Outputs, attachments and metadata are not, but for the sheet's name where the text has lost it.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from ..answers.reading import LONGEST
from .marker import answer_in, begins_question, may_mark, sheet_in

MOST_BYTES: Final = 5_000_000
_MOST_ANSWERS: Final = 1000
_MOST_NAMED: Final = 100
_MOST_LINES: Final = 100_000
_AROUND: Final = "\"'`$*_"
_CUT_OFF: Final = "it may be damaged or cut off: ask for it again"


@dataclass(frozen=True)
class Submission:
    """What one student returned.

    Parameters
    ----------
    sheet : str
        The name of the sheet that is answered; empty where none is named.
    answers : dict of str to str
        By label, such as ``Q7`` or ``Q7.1``; an empty text is an answer that was not given.
    problems : tuple of str
        What was odd, a line each.
    sender : str
        Who it is from, where a table says so.
    submitted : str
        When it was returned, where a table says so.
    """

    sheet: str = ""
    answers: dict[str, str] = field(default_factory=dict)
    problems: tuple[str, ...] = ()
    sender: str = ""
    submitted: str = ""


def read_notebook(content: bytes) -> Submission:
    """The answers in a notebook. It is text throughout: nothing in it is run, and nothing that it could hold raises."""
    found = _json(content, "notebook")
    if isinstance(found, Submission):
        return found
    if not isinstance(found.get("cells"), list):
        return Submission(problems=("this is no notebook: it has no cells",))
    reading = _Reading()
    for source in _sources(found):
        reading.cell(source)
    return reading.done(_named_in_metadata(found))


def texts(content: bytes) -> list[str]:
    """The text of each cell of a notebook; none where it cannot be read."""
    found = _json(content, "notebook")
    return [] if isinstance(found, Submission) else list(_sources(found))


def read_text(content: bytes) -> Submission:
    """The answers in a text, such as a sheet that was handed out as Markdown."""
    if len(content) > MOST_BYTES:
        return _too_large()
    reading = _Reading()
    reading.cell(content.decode("utf-8-sig", "replace"))
    return reading.done("")


def read_json(content: bytes) -> Submission:
    """The answers in ``{"sheet": "hw1-...", "answers": {"Q1": "525 MB", ...}}``; a number is read as it is written."""
    found = _json(content, "JSON")
    if isinstance(found, Submission):
        return found
    sheet, answers = found.get("sheet"), found.get("answers")
    if not isinstance(answers, dict) or not isinstance(sheet, str):
        return Submission(problems=('this holds no answers: {"sheet": "...", "answers": {"Q1": "..."}} is read',))
    if len(answers) > _MOST_ANSWERS:
        return Submission(problems=(f"it has more than {_MOST_ANSWERS} answers, which no sheet asks for",))
    odd = [label for label, text in answers.items() if not isinstance(text, str | None)]
    texts = {_clean(label).upper(): bare(text) for label, text in answers.items() if isinstance(text, str)}
    problems = (f"{shortened(', '.join(odd))}: no text and no number, so not read",) if odd else ()
    return Submission(shortened(sheet), texts, problems)


def read_rows(lines: Iterable[str]) -> Iterator[Submission]:
    """The answers in a table with a column ``sheet``, one for each label, and perhaps ``student`` and ``submitted``.

    A row at a time, so that a table of any length can be read. Comma, semicolon and tab are told apart by the first line.
    """
    lines = iter(lines)
    head = next(lines, "")
    columns = [_column(name) for name in next(csv.reader([head], delimiter=separator(head)), [])]
    rows = csv.reader(lines, delimiter=separator(head))
    while True:
        try:
            row = next(rows)
        except StopIteration:
            return
        except csv.Error as error:
            yield Submission(problems=(f"row {rows.line_num + 1} cannot be read ({error})",))
            continue
        if not any(row):
            continue
        cells = dict(zip(columns, row, strict=False))
        texts = {name: bare(text) for name, text in cells.items() if name.startswith("Q")}
        named = {name: shortened(cells.get(name, "").strip()) for name in ("sheet", "student", "submitted")}
        yield Submission(named["sheet"], texts, (), named["student"], named["submitted"])


def separator(head: str) -> str:
    """What separates the columns of a table, by its first line."""
    return max(",;\t", key=head.count)


def _column(name: str) -> str:
    name = name.strip().lstrip("\ufeff")
    return name.upper() if begins_question(name) else name.lower()


def _json(content: bytes, what: str) -> dict[str, Any] | Submission:
    """The object in a JSON text, its numbers as they are written; or a submission that says why there is none."""
    if len(content) > MOST_BYTES:
        return _too_large()
    try:
        found = json.loads(content.decode("utf-8-sig"), parse_float=str, parse_int=str, parse_constant=str)
    except (ValueError, RecursionError):
        return Submission(problems=(f"this cannot be read as {what}; {_CUT_OFF}" if content.strip() else "the file is empty",))
    return found if isinstance(found, dict) else Submission(problems=(f"this is no {what} of answers: it holds no object",))


def _too_large() -> Submission:
    return Submission(problems=(f"it is larger than {MOST_BYTES // 10**6} MB, so not read: ask for it without pictures",))


def _sources(notebook: dict[str, Any]) -> Iterator[str]:
    """The text of each cell, which is a string or a list of its lines."""
    cells = notebook.get("cells")
    for cell in cells if isinstance(cells, list) else ():
        source = cell.get("source") if isinstance(cell, dict) else None
        if isinstance(source, list):
            source = "".join(line for line in source if isinstance(line, str))
        if isinstance(source, str):
            yield source


def _named_in_metadata(notebook: dict[str, Any]) -> str:
    """The sheet that the notebook's metadata name."""
    for key in ("metadata", "fsdp_sym", "sheet"):
        notebook = notebook.get(key) if isinstance(notebook, dict) else None  # type: ignore[assignment]
    return shortened(notebook) if isinstance(notebook, str) else ""


class _Reading:
    """A notebook's text, cell after cell."""

    def __init__(self) -> None:
        self.lines = 0
        self.sheets: dict[str, None] = {}
        self.found: dict[str, list[str]] = {}
        self.problems: list[str] = []
        self.waiting = ""  # the label whose answer may still come in the next cell

    def cell(self, source: str) -> None:
        lines = source.splitlines()
        self.lines += len(lines)
        if self.lines > _MOST_LINES:
            return
        label, behind, below = "", "", list[str]()
        if self.waiting and (text := _single(lines)):
            self._keep(self.waiting, text, "in the cell below its own")
            self.waiting = ""
            return
        if source.strip():
            self.waiting = ""
        for line in lines:
            if not may_mark(line):
                if label:
                    below.append(line)
                continue
            marked = answer_in(line)
            if marked or begins_question(line):
                self._ends(label, behind, below)
                label, behind = marked or ("", "")
                below = []
            elif named := sheet_in(line):
                if len(self.sheets) < _MOST_NAMED:
                    self.sheets[named] = None
            elif label:
                below.append(line)
        self._ends(label, behind, below)
        if label in self.found and not self.found[label][-1]:
            self.waiting = label

    def _ends(self, label: str, behind: str, below: list[str]) -> None:
        if label in self.found or (label and len(self.found) < _MOST_ANSWERS):
            text = bare("\n".join(below))
            self.found.setdefault(label, []).append(text)
            if behind and not text:
                self._keep(label, behind, "behind the line that it belongs below")

    def _keep(self, label: str, text: str, where: str) -> None:
        self.found[label][-1] = bare(text)
        self.problems.append(f"{label} was answered {where}: it is read as {shortened(bare(text))!r}")

    def done(self, in_metadata: str) -> Submission:
        for label, texts in self.found.items():
            if len(texts) > 1:
                self.problems.append(f"{label} stands in {len(texts)} places: the last one that is not empty counts")
        if self.lines > _MOST_LINES or len(self.found) >= _MOST_ANSWERS:
            self.problems.insert(0, "it is longer than any sheet: only its beginning was read")
        answers = {label: next((t for t in reversed(texts) if t), "") for label, texts in self.found.items()}
        sheet = next(iter(self.sheets), in_metadata)
        if others := sorted({*self.sheets, in_metadata} - {sheet, ""}):
            self.problems.append(f"it names several sheets, {sheet} first and then {shortened(', '.join(others))}")
        if not answers:
            self.problems.append('no line that says "Answer Q1" or the like was found in it')
        return Submission(sheet, answers, tuple(self.problems[:_MOST_NAMED]))


def _single(lines: list[str]) -> str:
    """The text of a cell that could be an answer without its mark: one short line, and no head of anything."""
    filled = [line.strip() for line in lines if line.strip() and not line.strip().startswith("```")]
    if len(filled) != 1 or len(filled[0]) > LONGEST:
        return ""
    line = filled[0]
    return "" if line.startswith(("#", "---")) or answer_in(line) or begins_question(line) or sheet_in(line) else line


def bare(text: str) -> str:
    """An answer without what was put around the whole of it; one too long to be read is cut, and still too long."""
    text = _clean(text.strip()[: 4 * LONGEST])
    while len(text) > 1 and text[0] == text[-1] and text[0] in _AROUND:
        text = text[1:-1].strip()
    return text if len(text) <= LONGEST else text[:LONGEST] + "…"


def shortened(text: str, length: int = 100) -> str:
    """A name from outside, short enough for a line of a report."""
    text = _clean(text)
    return text if len(text) <= length else text[: length - 1] + "…"


def _clean(text: str) -> str:
    """The text with half characters, which no file can hold, replaced."""
    return text.encode("utf-8", "replace").decode()

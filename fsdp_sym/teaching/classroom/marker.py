"""The lines of text by which a returned sheet is understood. They survive what a copy loses: cell ids, types and metadata."""

from __future__ import annotations

import re
from typing import Final

BELOW: Final = "(write below this line)"
_LONGEST_LINE: Final = 200
# What no line below begins otherwise than with; most lines of a sheet do.
_ANY: Final = re.compile(r"[\W_]*[aqs]", re.IGNORECASE)
_ANSWER: Final = re.compile(r"[\W_]*answer\s+(Q\d{1,4}(?:\.\d{1,3})?)(?![\d])", re.IGNORECASE)
_QUESTION: Final = re.compile(r"[\W_]*Q\d{1,4}(?:\.\d{1,3})?(?!\w)", re.IGNORECASE)
_SHEET: Final = re.compile(r"[\W_]*sheet:[\W_]*(\w[\w.-]{0,99})", re.IGNORECASE)


def answer_line(label: str) -> str:
    """The line, in Markdown, below which an answer is written."""
    return f"**Answer {label}** {BELOW}"


def sheet_line(sheet: str) -> str:
    """The line that names the sheet."""
    return f"Sheet: {sheet}"


def answer_in(line: str) -> tuple[str, str] | None:
    """The label that a line marks an answer of, and what stands behind it on the same line; None where it marks none."""
    found = _ANSWER.match(line[:_LONGEST_LINE])
    if found is None:
        return None
    return found[1].upper(), line[found.end() :].replace(BELOW, "").strip(" \t*_:.")


def may_mark(line: str) -> bool:
    """Whether a line can be any of these at all, which is quickly told."""
    return _ANY.match(line[:_LONGEST_LINE]) is not None


def begins_question(line: str) -> bool:
    """Whether a line is the head of a question, where an answer above it ends."""
    return _QUESTION.match(line[:_LONGEST_LINE]) is not None


def sheet_in(line: str) -> str | None:
    """The sheet that a line names."""
    found = _SHEET.match(line[:_LONGEST_LINE])
    return found[1] if found else None

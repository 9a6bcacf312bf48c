"""What a class answered in Moodle: the Responses report of a quiz, as Moodle's quiz downloads it, read back with the bank's index.

The form is that of Moodle's mod/quiz/report/responses, in English: comma-separated, a row for each attempt, and for each place of
the quiz the columns ``Question 1``, ``Response 1`` and, if it was ticked, ``Right answer 1``. A random place holds another variant for
each student; which one, the question's text says, since its code stands in it. Names and addresses are not read.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from io import StringIO
from typing import Final, NamedTuple

from ...algebra.errors import FsdpSymError
from ..drills import Variant

_CODE: Final = re.compile(r"\bQuestion ([A-Za-z][A-Za-z0-9-]*-[0-9]{3,})\b")
_NOT_ANSWERED: Final = "-"
_REMEDY: Final = "in Moodle's Responses report show the question text and the response, in English, and download comma-separated values"


class Response(NamedTuple):
    """One answer to one variant, by nobody in particular: what was typed, or the letter that was chosen."""

    question: str
    variant: Variant
    text: str


class _Known(NamedTuple):
    """A question of the bank: its variant and the letters of its choices by their texts."""

    variant: Variant
    choices: dict[str, str]


def read_responses(table: bytes, bank: bytes) -> tuple[Response, ...]:
    """Read a class's responses.

    Parameters
    ----------
    table : bytes
        The Responses report of a quiz, as comma-separated values.
    bank : bytes
        The ``bank.json`` that was written beside the question bank.

    Returns
    -------
    tuple of Response
        In the order of the file; questions that are not of this bank are passed over.

    Raises
    ------
    FsdpSymError
        Where a file is not what it should be, or no question of the bank stands in the table.
    """
    known = _known(bank)
    try:
        rows = list(csv.reader(StringIO(table.decode("utf-8-sig"), newline="")))
    except (UnicodeDecodeError, csv.Error) as error:
        raise FsdpSymError(f"the responses are no table of comma-separated values ({error}): {_REMEDY}") from None
    places = _places(rows[0] if rows else [])
    if not places:
        raise FsdpSymError(f"the responses have no columns 'Question 1' and 'Response 1': {_REMEDY}")
    found = tuple(_found(rows[1:], places, known))
    if not found:
        raise FsdpSymError("no question of this bank stands in the responses: give the bank.json that was written with these questions")
    return found


def _known(bank: bytes) -> dict[str, _Known]:
    try:
        return {
            code: _Known(
                Variant(row["question"], tuple((name, text) for name, text in row["drawn"])),
                {_plain(text): letter for text, letter in row["choices"].items()},
            )
            for code, row in json.loads(bank)["questions"].items()
        }
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise FsdpSymError("the index is not a bank.json: give the one that fsdp-sym export wrote beside bank.xml") from None


def _places(header: list[str]) -> list[tuple[int, int]]:
    """The columns of each question's text and of its response."""
    titles = {title: at for at, title in enumerate(header)}
    asked = {title.removeprefix("Question "): at for title, at in titles.items() if title.startswith("Question ")}
    return [(at, titles[f"Response {name}"]) for name, at in asked.items() if f"Response {name}" in titles]


def _found(rows: list[list[str]], places: list[tuple[int, int]], known: dict[str, _Known]) -> Iterator[Response]:
    for row in rows:
        for asked, answered in places:
            if max(asked, answered) >= len(row):
                continue
            code = _CODE.search(row[asked])
            if code and code[1] in known:
                variant, choices = known[code[1]]
                typed = row[answered].strip()
                yield Response(variant.question, variant, choices.get(_plain(typed), "" if typed == _NOT_ANSWERED else typed))


def _plain(text: str) -> str:
    return " ".join(text.split())

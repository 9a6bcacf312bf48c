"""What each answer on a sheet is read as, in a line of its text: enough to read an answer, and nothing of the right one.

It travels with the sheet, so that `check` needs no key, no record, and not even the bank that the questions came from.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final

from ...algebra.errors import FsdpSymError
from ...algebra.units import unit_size
from ...algebra.vocabulary import symbol_named
from ..answers import Choice, Count, Expects, Number, Quantity, Symbolic, Triple
from ..drills import Posed

_COMMENT: Final = re.compile(r"(?m)^<!-- fsdp-sym reads (\{.*\}) -->\s*$")
# A comment ends at two hyphens, and a notebook looks for formulas between dollars.
_ESCAPED: Final = {ord(c): f"\\u{ord(c):04x}" for c in "-<>&$"}


def fields(label: str, posed: Posed) -> dict[str, Expects]:
    """The answers that a question asks for: ``Q7``, or ``Q7.1`` and ``Q7.2``, and what each is read as."""
    return {f"{label}.{part.label}" if part.label else label: part.expects for part in posed.parts}


def comment(expected: Mapping[str, Expects]) -> str:
    """A line, not to be seen where Markdown is shown, that says how these answers are read."""
    told = json.dumps({field: _told(expects) for field, expects in expected.items()}).translate(_ESCAPED)
    return f"<!-- fsdp-sym reads {told} -->"


def expected_in(text: str) -> dict[str, Expects]:
    """What such lines in a text say; a damaged one says nothing."""
    found: dict[str, Expects] = {}
    for line in _COMMENT.findall(text):
        try:
            found |= {str(field): _expects(*told) for field, told in json.loads(line).items()}
        except (ValueError, TypeError, FsdpSymError):
            continue
    return found


def _told(expects: Expects) -> list[Any]:
    match expects:
        case Quantity(_, unit):
            return ["quantity", unit]
        case Count(or_none):
            return ["count", or_none]
        case Number():
            return ["number"]
        case Choice(options, synonyms):
            return ["choice", options, synonyms]
        case Symbolic(letters):
            return ["formula", *(s.name for s in letters)]
        case Triple(names, or_none):
            return ["whole numbers", names, or_none]


def _expects(kind: str, *told: Any) -> Expects:
    match kind, told:
        case "quantity", (str(unit),):
            return Quantity(unit_size(unit)[1], unit)
        case "count", (bool(or_none),):
            return Count(or_none)
        case "number", ():
            return Number()
        case "choice", (options, synonyms):
            return Choice(tuple(map(str, options)), tuple((str(spelling), str(option)) for spelling, option in synonyms))
        case "formula", letters:
            return Symbolic(tuple(symbol_named(name) for name in letters))
        case "whole numbers", (names, bool(or_none)):
            return Triple(tuple(map(str, names)), or_none)
    raise ValueError(kind)

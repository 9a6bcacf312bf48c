"""A sheet as a typeset PDF, tagged as PDF/UA-1, and its worked key for whoever marks it.

The template beside this file takes everything as data: no text from a roster or a course is ever read as markup. The
bytes are the same on every run and machine, but for a name in a script that the compiler's own fonts lack.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from unicodedata import category

from ...algebra.errors import FsdpSymError
from ...teaching.answers import Choice
from ...teaching.classroom.expected import fields
from ...teaching.classroom.sheet import Sheet
from ...teaching.drills import Drill, Posed
from ...teaching.drills.separation import TOLERANCE
from .answer_text import answer_text
from .wrong_answers import thoughts

if TYPE_CHECKING:
    from typst import Fonts

SUFFIX: Final = ".pdf"
_TEMPLATE: Final = Path(__file__).with_name("sheet.typ")
_TURNING: Final = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_TO_STUDENTS: Final = (
    "Write each answer in its box; the space above a box is for your working. A number has four significant digits, its decimal mark is a "
    "point, and its unit stands behind it where one is asked. GB is 10⁹ bytes and GiB is 2³⁰ bytes; B is a byte and b is a bit."
)
_TO_MARKERS: Final = (
    f"For whoever marks this sheet. A number is right within {float(TOLERANCE):.1%}. A slip of unit (a binary prefix for a decimal "
    "one, bits for bytes, a prefix too far) can come on top of each wrong answer below, or alone."
)


def export(sheet: Sheet) -> bytes:
    """The sheet as a student gets it.

    Parameters
    ----------
    sheet : Sheet
        Nothing else is known here, the answers least of all. With `large_print` no letter is smaller than 18 points.

    Raises
    ------
    FsdpSymError
        Where the compiler is not installed.
    """
    questions = [_question(label, posed, list(_fields(label, posed))) for label, posed in sheet.questions]
    return _compiled(_head(sheet, "sheet", sheet.assignment, _TO_STUDENTS, sheet.large_print) | {"questions": questions})


def export_key(sheet: Sheet, drills: Sequence[Drill]) -> bytes:
    """The worked key: each answer, how it is found, and which wrong thought leads to which wrong answer.

    Parameters
    ----------
    sheet : Sheet
    drills : sequence of Drill
        Those of the sheet's questions, in their order.

    Raises
    ------
    FsdpSymError
        Where the compiler is not installed.
    """
    questions = []
    for (label, posed), drill in zip(sheet.questions, drills, strict=True):
        parts = [field | _known(drill, at) for at, field in enumerate(_fields(label, posed))]
        solution = [line for text in drill.question.solution(drill.variant) for line in text.split("\n")]
        questions.append(_question(label, posed, parts) | {"solution": solution})
    return _compiled(_head(sheet, "key", f"Key to {sheet.assignment}", _TO_MARKERS, large_print=False) | {"questions": questions})


def _head(sheet: Sheet, kind: str, title: str, says: str, large_print: bool) -> dict[str, Any]:
    texts = {"title": title, "id": sheet.id, "student": sheet.student, "due": sheet.due}
    return {name: _plain(text) for name, text in texts.items()} | {"kind": kind, "says": says, "large_print": large_print}


def _plain(text: str) -> str:
    """A text on one line; what no font can show, or what would turn the letters around, is seen as such."""
    return "".join(" " if category(c) == "Cc" else "\N{REPLACEMENT CHARACTER}" if category(c) == "Cs" or c in _TURNING else c for c in text)


def _question(label: str, posed: Posed, parts: list[dict[str, Any]]) -> dict[str, Any]:
    return {"label": label, "prompt": posed.prompt, "lines": posed.lines, "parts": parts}


def _fields(label: str, posed: Posed) -> Iterator[dict[str, Any]]:
    """The boxes to write in; what is picked from a list takes no working."""
    for (name, expects), part in zip(fields(label, posed).items(), posed.parts, strict=True):
        yield {"name": name, "ask": part.ask, "working": not isinstance(expects, Choice)}


def _known(drill: Drill, at: int) -> dict[str, Any]:
    key = answer_text(drill.keys[at], drill.posed.parts[at].expects)
    return {"key": key, "rivals": [{"value": text, "tells": tells} for text, tells in thoughts(drill, at).items()]}


def _compiled(data: dict[str, Any]) -> bytes:
    try:
        from typst import TypstError, compile
    except ImportError:
        raise FsdpSymError("a PDF sheet needs the package typst: pip install 'fsdp_sym[export]'") from None
    template, inputs = _TEMPLATE.read_bytes(), {"data": json.dumps(data)}
    try:
        return compile(template, font_paths=_fonts(system=False), sys_inputs=inputs, pdf_standards="ua-1")
    except TypstError:
        # PDF/UA forbids a letter that no font has. The machine's fonts may have it; else it comes out as an empty box.
        return compile(template, font_paths=_fonts(system=True), sys_inputs=inputs)


@cache
def _fonts(system: bool) -> Fonts:
    from typst import Fonts

    return Fonts(include_system_fonts=system)

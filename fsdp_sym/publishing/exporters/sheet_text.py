"""A sheet as Markdown, in the pieces that become a notebook's cells or one text. All of it comes from the sheet alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ...teaching.classroom.expected import comment, fields
from ...teaching.classroom.marker import answer_line, sheet_line
from ...teaching.classroom.sheet import Sheet
from ...teaching.drills import Posed

# A notebook typesets what stands between dollars or after a backslash, however these were written: so they are written as
# the wide characters that look the same. HTML and links are written by number, which no renderer takes for anything else.
_WIDE: Final = {ord(c): chr(ord(c) + 0xFEE0) for c in "$\\"}
_SPECIAL: Final = _WIDE | {ord(c): f"&#{ord(c)};" for c in "<>&[]"} | {ord(c): f"\\{c}" for c in "*_`~"}
_OUTSIDE: Final = _WIDE | {ord(c): f"&#{ord(c)};" for c in '!"#%&()*+./:;<=>?@[]^_`{|}~'}
_BEGINS: Final = re.compile(r"(?m)^(\d{0,9})([-+=#.):|])")


def plain(text: str) -> str:
    """A text as itself: nothing in it is taken for Markdown, HTML or a formula."""
    return _BEGINS.sub(r"\1\\\2", "\n".join(line.strip() for line in text.splitlines()).translate(_SPECIAL))


def from_outside(text: str) -> str:
    """A name that somebody else chose, on a line that begins with something else; not even an address in it becomes a link."""
    return text.translate(_OUTSIDE)


def pieces(sheet: Sheet) -> Iterator[tuple[str, str]]:
    """The pieces in order, each with a name: ``sheet``, ``Q1``, ``Q1-answer``, ``Q7-1-answer``."""
    yield "sheet", _text([f"# {plain(sheet.assignment)}", *(_sized(line, sheet) for line in _head(sheet))])
    for label, posed in sheet.questions:
        answers = fields(label, posed)
        head = f"# {label}" if sheet.large_print else f"## {label}"
        yield label, _text([head, *(_sized(line, sheet) for line in _asked(label, posed)), comment(answers)])
        for field in answers:
            yield f"{field.replace('.', '-')}-answer", _sized(answer_line(field), sheet) + "\n\n"


def _text(paragraphs: list[str]) -> str:
    return "\n\n".join(paragraphs)


def _sized(paragraph: str, sheet: Sheet) -> str:
    """Large print as headings, which every renderer shows large; most of them drop a size that is given in HTML."""
    return f"## {paragraph}" if sheet.large_print else paragraph


def _head(sheet: Sheet) -> Iterator[str]:
    yield f"For: {from_outside(sheet.student)}"
    yield sheet_line(sheet.id)
    if sheet.due:
        yield f"Due: {from_outside(sheet.due)}"
    first = next(iter(fields(*sheet.questions[0])))
    yield (
        f"**How to answer.** Write below the line that says *Answer {first}*, and so on; in a notebook, double-click the line first. "
        "Your answers are found by these lines, and you by the line *Sheet* above: leave them as they are."
    )
    yield (
        "**Numbers.** Give four significant digits where a number is not whole. `12.5 GB`, `0.0125 TB`, `1.25e10 B`, `2*6.25 GB` "
        "and `12_500 MB` are one and the same; the decimal mark is a point. "
        "GB is 10^9 bytes and GiB is 2^30 bytes; B is a byte and b is a bit."
    )
    yield (
        "**Other answers.** A formula is written as in `(N-1)/N*S`, a split as in `2 x 3 x 5`, a choice by its letter or its name; "
        "where there is no such number, write `none`."
    )
    yield "**Before you hand it in:** `fsdp-sym check FILE` shows how each of your answers is read, and which one is missing."


def _asked(label: str, posed: Posed) -> Iterator[str]:
    yield plain(posed.prompt)
    yield from map(plain, posed.lines)
    for field, part in zip(fields(label, posed), posed.parts, strict=True):
        yield f"**{field}** {plain(part.ask)}" if part.label else plain(part.ask)

"""Drills -> an exercise sheet in Markdown and, in a file of its own, its key for instructors.

``questions.md`` is made from posed questions alone, which hold no key. ``key.md`` has for each variant the right answers, the
worked answer and the wrong answers to look for, each with the sentence that its thought deserves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, TypeVar

from ...teaching.drills import KINDS, Drill, Posed
from ...teaching.drills.diagnose import CLOSE
from ...teaching.drills.separation import TOLERANCE
from .answer_text import answer_text
from .form import Bank, Exporter
from .sheet_text import plain
from .wrong_answers import thoughts

T = TypeVar("T")
_HOW: Final = (
    "In another unit of the same kind an answer is the same: `12.5 GB` and `1.25e10 B`. GB is 10^9 bytes and GiB is 2^30 bytes; B is a "
    "byte and b is a bit. A formula is written as in `(N-1)/N*S`, a split as in `2 x 3 x 5`; where there is no such number, write `none`."
)
_RUBRIC: Final = (
    f"A number is right within {float(TOLERANCE):.1%}; one that is off by up to {float(CLOSE):.0%} has too few digits and earns nothing. "
    "Counts, splits and choices are right or wrong. Of several parts each earns the same share, and what follows rightly from an earlier "
    "wrong part earns its share: an error is marked once. A slip of unit (GiB for GB, bits for bytes, a power of ten) may stand on top of "
    "any wrong answer below, and of the right one."
)


def _files(bank: Bank) -> dict[str, bytes]:
    posed = [[drill.posed for drill in variants] for variants in bank.questions]
    return {"questions.md": _text(_questions(bank.title, posed)), "key.md": _text(_key(bank))}


def _text(paragraphs: Iterable[str]) -> bytes:
    return ("\n\n".join(paragraphs) + "\n").encode()


def _questions(title: str, questions: list[list[Posed]]) -> Iterator[str]:
    yield f"# {plain(title)}"
    yield _HOW
    for number, variants in enumerate(questions, 1):
        for name, posed in _named(number, variants):
            yield f"## {name}"
            yield plain(posed.prompt)
            yield from map(plain, posed.lines)
            yield from (f"**Part {part.label}.** {plain(part.ask)}" if part.label else plain(part.ask) for part in posed.parts)


def _key(bank: Bank) -> Iterator[str]:
    yield f"# Key: {plain(bank.title)}"
    yield _RUBRIC
    for number, variants in enumerate(bank.questions, 1):
        first = variants[0].posed
        yield f"## Question {number}: {plain(first.question)} (cell {plain(first.cell)}, {first.kind})"
        for name, drill in _named(number, variants):
            yield f"### {name}"
            yield from _answers(drill)


def _named(number: int, variants: Iterable[T]) -> Iterator[tuple[str, T]]:
    return ((f"Question {number}, variant {at}", variant) for at, variant in enumerate(variants, 1))


def _answers(drill: Drill) -> Iterator[str]:
    for at, part in enumerate(drill.posed.parts):
        head = f"Part {part.label}" if part.label else "Answer"
        yield f"**{head}:** {plain(answer_text(drill.keys[at], part.expects))}"
        yield from _to_look_for(drill, at)
    yield "**Worked.**"
    yield from map(plain, drill.question.solution(drill.variant))


def _to_look_for(drill: Drill, at: int) -> Iterator[str]:
    """A table of what each misconception leads to."""
    rows = [f"| {_cell(text)} | {_cell(says)} |" for text, says in thoughts(drill, at).items()]
    if rows:
        yield "\n".join(("| Wrong answer | What to say |", "| --- | --- |", *rows))


def _cell(text: str) -> str:
    return plain(text).replace("|", "\\|")


MARKDOWN = Exporter(
    "markdown",
    "an exercise sheet in Markdown, and its key in a file of its own",
    frozenset(KINDS),
    frozenset(),
    self_study=False,
    files=_files,
)

"""Drills -> Canvas: a quiz in QTI 1.2, made by text2qti, in which each question is a group that draws one of its variants.

**Every question is multiple choice where it can be**, and wrong thoughts are the wrong choices: QTI gives feedback for a
choice but not for a number, so that only so does Canvas say which mistake was made. What is right, and what is said of each
choice, comes from `diagnose`. A number for which fewer than three wrong answers are known (a count, a ratio) is asked as a
numerical question instead, within 0.1 %, which tells right from wrong and no more; text2qti rounds its bounds to four
decimals and takes no zero, so neither a number below 0.1 nor a count of none is asked so. A formula about which too few
thoughts are known is offered beside multiples of itself.

A question with several parts becomes one item a part, each worth its share. Nothing is carried from one item to the next,
which is why worked examples with several blanks are refused. A variant that reads like an earlier one is left out, since
text2qti takes no two alike.

The archive has fixed dates and is stored without compression: the same bytes on every day and machine.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from typing import Final

from sympy import Expr, Integer, Rational

from ...algebra.errors import FsdpSymError
from ...teaching.answers import Choice, Count, Number
from ...teaching.drills import KINDS, Drill, Judgement, Key, Part, Rival
from ...teaching.drills.separation import SEPARATED_SLIPS
from .answer_text import answer_text, four_digits, in_unit, is_an_answer, lettered
from .form import Bank, Exporter
from .wrong_answers import judged

FEWEST: Final = 3  # wrong choices
_MOST: Final = 4
_SMALLEST_CHOICE: Final = Fraction(1, 10**4)  # smaller ones are not written without an exponent
_SMALLEST_NUMBER: Final = Fraction(1, 10)
_WORTH: Final = 2  # points a question: a group's are whole, and a part is worth half
_MULTIPLES: Final = (Integer(2), Rational(1, 2), Rational(3, 2), Integer(3))
_DAY: Final = "1980-01-01"
_NAME: Final = "canvas-quiz.zip"
_CHOOSE: Final = "Choose one of these."
_PLAIN_NUMBER: Final = "Answer with a plain number of four significant digits: 0.25, not 25 %."


@dataclass(frozen=True)
class _Offer:
    """One of the choices."""

    text: str
    right: bool
    says: str


@dataclass(frozen=True)
class _Item:
    """One item of the quiz: choices, or else a number."""

    title: str
    stem: tuple[str, ...]
    offers: tuple[_Offer, ...] = ()
    number: str = ""
    hint: str = ""

    def lines(self) -> Iterator[str]:
        yield f"Title: {_one_line(self.title)}"
        yield from _indented("1. ", *self.stem)
        if self.offers:
            for offer in self.offers:
                yield from _indented("*a) " if offer.right else "a) ", offer.text)
                yield from _indented("... ", offer.says)
        else:
            yield from _indented("+ ", "Right.")
            yield from _indented("- ", self.hint)
            yield f"= {self.number}"
        yield ""


def _files(bank: Bank) -> dict[str, bytes]:
    return {_NAME: _archive("\n".join(_source(bank)))}


def _source(bank: Bank) -> Iterator[str]:
    """The quiz in text2qti's own notation."""
    yield f"Quiz title: {_one_line(bank.title)}"
    yield ""
    for parts, items in _groups(bank):
        yield from ("GROUP", "pick: 1", f"points per question: {_WORTH // parts}", "")
        for item in items:
            yield from item.lines()
        yield from ("END_GROUP", "")


def _groups(bank: Bank) -> list[tuple[int, list[_Item]]]:
    """For each part of each question, how many parts the question has, and the part's items."""
    found: list[tuple[int, list[_Item]]] = []
    met: set[tuple[str, ...]] = set()
    refused: dict[str, None] = {}
    for variants in bank.questions:
        parts = len(variants[0].posed.parts)
        for at in range(parts):
            items = {item.stem: item for item in (_item(drill, at) for drill in variants) if item and item.stem not in met}
            if not items:
                refused[variants[0].posed.question] = None
            met |= set(items)
            found.append((parts, list(items.values())))
    if refused:
        raise FsdpSymError(
            f"qti has no item for {', '.join(refused)}: there are fewer than {FEWEST} wrong answers to offer, or an item before it reads "
            "the same; leave it out, or take more variants"
        )
    return found


def _item(drill: Drill, at: int) -> _Item | None:
    """A part as an item; None where there is too little to choose from and no number to ask for."""
    posed, part = drill.posed, drill.posed.parts[at]
    title = posed.question + (f", part {part.label}" if part.label else "")
    offers = _options(drill, at) if isinstance(part.expects, Choice) else _thoughts(drill, at)
    said = lettered(posed, part)
    # Lines that are the choices stand there, and how to write an answer is said only where one is written.
    shown = [line for line in posed.lines if line[:1] not in said]
    asked = [_CHOOSE if said else part.ask] if part.label else []
    stem = (posed.prompt, *shown, *asked)
    if offers:
        return _Item(title, stem, offers)
    key, hint = drill.keys[at], f"Not this. {drill.question.hints(drill.variant)[0]}"
    if isinstance(part.expects, Count) and isinstance(key, int | Fraction) and key:
        return _Item(title, (*stem, "Answer with a whole number."), number=str(key), hint=hint)
    if isinstance(part.expects, Number) and isinstance(key, int | Fraction) and key >= _SMALLEST_NUMBER:
        return _Item(title, (*stem, _PLAIN_NUMBER), number=f"{four_digits(Fraction(key))} +- 0.1%", hint=hint)
    return None


def _options(drill: Drill, at: int) -> tuple[_Offer, ...]:
    """The options of a choice, in the order in which they were posed."""
    part = drill.posed.parts[at]
    said = lettered(drill.posed, part)
    return tuple(_offer(said.get(option, option), judged(drill, at, option)) for option in part.expects.options)  # type: ignore[union-attr]


def _thoughts(drill: Drill, at: int) -> tuple[_Offer, ...]:
    """The right answer among those that wrong thoughts lead to, the simplest first; none where they are too few."""
    part, key = drill.posed.parts[at], drill.keys[at]
    right = answer_text(key, part.expects)
    found: dict[str, _Offer] = {}
    for text in _wrong_texts(drill, at):
        said = judged(drill, at, text)
        if text != right and said.verdict == "wrong":
            found.setdefault(text, _offer(text, said))
        if len(found) == _MOST:
            break
    if len(found) < FEWEST:
        return ()
    offers = (_offer(right, judged(drill, at, right)), *found.values())
    return tuple(sorted(offers, key=lambda offer: _drawn(drill, at, offer.text)))


def _wrong_texts(drill: Drill, at: int) -> Iterator[str]:
    part = drill.posed.parts[at]
    rivals = [rival for rival in drill.rivals(at) if _can_be_shown(rival.value, part)]
    if getattr(part.expects, "or_none", False):
        yield "none"
    texts = {answer_text(r.value, part.expects): _far_fetched(r) for r in sorted(rivals, key=_far_fetched, reverse=True)}
    yield from sorted(texts, key=lambda text: (texts[text], _drawn(drill, at, text)))
    if isinstance(key := drill.keys[at], Expr):
        yield from (answer_text(factor * key, part.expects) for factor in _MULTIPLES)


def _far_fetched(rival: Rival) -> int:
    """A wrong thought alone, one that may have a binary or a bit slip on top, and a power of ten, which everybody sees through."""
    return 0 if rival.slip is None else 1 if rival.slip in SEPARATED_SLIPS else 2


def _can_be_shown(value: Key, part: Part) -> bool:
    small = isinstance(value, int | Fraction) and abs(in_unit(value, getattr(part.expects, "unit", ""))) < _SMALLEST_CHOICE
    return is_an_answer(value, part.expects) and not small


def _drawn(drill: Drill, at: int, text: str) -> bytes:
    """A place that depends on the variant, and on nothing that tells right from wrong."""
    return sha256(f"{drill.variant}:{at}:{text}".encode()).digest()


def _offer(text: str, said: Judgement) -> _Offer:
    return _Offer(text, said.verdict == "right", " ".join(said.says))


def _indented(mark: str, *paragraphs: str) -> Iterator[str]:
    for at, text in enumerate(paragraphs):
        if at:
            yield ""
        yield f"{' ' * len(mark) if at else mark}{_plain(text)}"


def _plain(text: str) -> str:
    """A text as entities, but for letters, digits and spaces: no sign is left for Markdown or LaTeX to see."""
    return re.sub("[^A-Za-z0-9 ]", lambda sign: f"&#{ord(sign[0])};", _one_line(text))


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _archive(source: str) -> bytes:
    try:
        from text2qti.config import Config
        from text2qti.qti import QTI
        from text2qti.quiz import Quiz
        from text2qti.xml_imsmanifest import imsmanifest
    except ImportError:
        raise FsdpSymError("qti needs text2qti: pip install 'fsdp_sym[export]'") from None
    qti = QTI(Quiz(source, config=Config()))
    manifest = imsmanifest(
        manifest_identifier=qti.manifest_identifier,
        assessment_identifier=qti.assessment_identifier,
        dependency_identifier=qti.dependency_identifier,
        images={},
        date=_DAY,
    )
    folder = qti.assessment_identifier
    files = {
        "imsmanifest.xml": manifest,
        "non_cc_assessments/": "",
        f"{folder}/assessment_meta.xml": qti.assessment_meta,
        f"{folder}/{folder}.xml": qti.assessment,
    }
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content)
    return stream.getvalue()


QTI_QUIZ = Exporter(
    "qti",
    "a Canvas quiz (QTI 1.2): multiple choice, with misconceptions as the wrong choices",
    frozenset(KINDS) - {"faded"},
    frozenset({"right", "wrong"}),
    self_study=False,
    files=_files,
)

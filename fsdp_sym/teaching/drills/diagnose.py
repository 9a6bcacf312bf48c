"""Judging an answer: right, close, or wrong and why. Pure: the same drill and text give the same judgement everywhere."""

from __future__ import annotations

from bisect import bisect_left
from fractions import Fraction
from functools import cache
from typing import Final

from ...algebra.vocabulary import letter
from ...reasoning.catalogue import formula as formula_named
from ..answers import Count, Expects, Invalid, NotAnswered, Number, Quantity, Read, read
from ..misconceptions import MISCONCEPTIONS, SLIPS
from .form import Drill, Judgement, Question, Rival
from .questions import QUESTIONS

TOLERANCE: Final = Fraction(1, 1000)
CLOSE: Final = Fraction(2, 100)
_SLIPS: Final = {slip.id: slip for slip in SLIPS}
_BY_ID: Final = {question.id: question for question in QUESTIONS}


@cache
def expects(question: Question) -> Expects:
    """What the reader is told that this question asks for."""
    defined = letter(formula_named(question.formula).defines)
    if question.unit and question.unit != "%":
        return Quantity(defined.dimension, question.unit)
    return Count() if defined.whole else Number()


def diagnose(drill: Drill, text: object) -> Judgement:
    """Judge what a student typed.

    Parameters
    ----------
    drill : Drill
    text : object
        The answer as it was typed; anything but a text or a number is refused as invalid.

    Returns
    -------
    Judgement
        ``right`` within 0.1 %, ``wrong`` with every misconception and slip whose value lies within 0.1 % of the answer,
        ``close`` up to 2 % from the truth, ``invalid`` where the text could not be read: that costs nothing.
    """
    asked = expects(_BY_ID[drill.posed.question])
    outcome = read(text, asked)
    match outcome:
        case NotAnswered():
            return Judgement("not answered", "", says=("Nothing was typed.",))
        case Invalid(message, _, caret):
            return Judgement("invalid", "", says=(message, *((caret,) if caret else ())))
        case Read(value, echo):
            if not isinstance(value, int | Fraction):
                return Judgement("wrong", echo)
            if isinstance(asked, Quantity) and outcome.dimension != asked.dimension:
                return Judgement("wrong", echo, says=(f"The answer is asked in another dimension: give it in {asked.unit}.",))
            return _judged(drill, Fraction(value), echo, exact=isinstance(asked, Count))


def _judged(drill: Drill, value: Fraction, echo: str, exact: bool) -> Judgement:
    off = abs(value - drill.key)
    if off == 0 or (not exact and off <= TOLERANCE * drill.key):
        return Judgement("right", echo, says=("Right.",))
    met = [rival for rival in _near(drill.rivals, value) if not exact or rival.value == value]
    if met:
        names = frozenset(part for rival in met for part in (rival.misconception, rival.slip) if part)
        return Judgement("wrong", echo, names, tuple(_told(rival) for rival in _simplest(met)))
    if not exact and off <= CLOSE * drill.key:
        return Judgement("close", echo, says=("Close, but with too few digits: give four significant digits.",))
    counted = formula_named(_BY_ID[drill.posed.question].formula).title
    return Judgement("wrong", echo, says=(f"Not this. Begin with what is counted: {counted}.",))


def _near(rivals: tuple[Rival, ...], value: Fraction) -> list[Rival]:
    start = bisect_left(rivals, value / (1 + TOLERANCE), key=lambda rival: rival.value)
    found = []
    for rival in rivals[start:]:
        if rival.value > value / (1 - TOLERANCE):
            break
        if abs(value - rival.value) <= TOLERANCE * rival.value:
            found.append(rival)
    return found


def _simplest(met: list[Rival]) -> list[Rival]:
    """The readings with the fewest errors: a single one is likelier than a misconception with a slip on top."""
    fewest = min((r.misconception is not None) + (r.slip is not None) for r in met)
    return [r for r in met if (r.misconception is not None) + (r.slip is not None) == fewest]


def _told(rival: Rival) -> str:
    parts = []
    if rival.misconception is not None:
        parts.append(MISCONCEPTIONS[rival.misconception].tell)
    if rival.slip is not None:
        parts.append(_SLIPS[rival.slip].tell)
    return " ".join(parts)

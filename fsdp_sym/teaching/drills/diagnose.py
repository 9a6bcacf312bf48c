"""Judging an answer: right, close, or wrong and why. Pure: the same drill and text give the same judgement everywhere."""

from __future__ import annotations

from bisect import bisect_left
from fractions import Fraction
from typing import Final

from ..answers import Count, Invalid, NotAnswered, Quantity, Read, Symbolic, Triple, read
from ..answers.expressions import agree, values
from ..misconceptions import MISCONCEPTIONS, SLIPS
from .form import Drill, Judgement, Key, Rival, Verdict
from .separation import TOLERANCE
from .written import Written

CLOSE: Final = Fraction(2, 100)
PARTS_BY: Final = ";"
_SLIPS: Final = {slip.id: slip for slip in SLIPS}
_WORST: Final[tuple[Verdict, ...]] = ("invalid", "wrong", "close", "not answered", "right")


def diagnose(drill: Drill, *texts: object) -> Judgement:
    """Judge what a student typed.

    Parameters
    ----------
    drill : Drill
    *texts : object
        The answer as it was typed, one text for each part, or one text with its parts between semicolons; anything but
        a text or a number is refused as invalid.

    Returns
    -------
    Judgement
        ``right`` within 0.1 %, ``wrong`` with every misconception and slip whose value lies within 0.1 % of the answer,
        ``close`` up to 2 % from the truth, ``invalid`` where the text could not be read: that costs nothing. A part that
        follows from a wrong part before it is right: an error is marked once.
    """
    parts = drill.posed.parts
    if len(parts) == 1:
        return _part(drill, 0, texts[0] if len(texts) == 1 else "", ())[0]
    typed = _by_part(texts, len(parts))
    found: list[Judgement] = []
    earlier: list[Key] = []
    for at in range(len(parts)):
        judged, value = _part(drill, at, typed[at], tuple(earlier))
        found.append(judged)
        earlier.append(value)
    return Judgement(
        min((j.verdict for j in found), key=_WORST.index),
        "; ".join(j.echo or "nothing" for j in found),
        frozenset().union(*(j.diagnosis for j in found)),
        tuple(f"Part {part.label}: {line}" for part, j in zip(parts, found, strict=True) for line in j.says),
        sum((j.earned for j in found), Fraction(0)) / len(found),
        tuple(found),
    )


def _by_part(texts: tuple[object, ...], wanted: int) -> list[object]:
    if len(texts) == 1 and isinstance(texts[0], str):
        texts = tuple(text.strip() for text in texts[0].split(PARTS_BY))
    return [texts[at] if at < len(texts) else "" for at in range(wanted)]


def _part(drill: Drill, at: int, text: object, earlier: tuple[Key, ...]) -> tuple[Judgement, Key]:
    """The judgement of one part, and the value that was read; the key stands in for what could not be read."""
    key, expects = drill.keys[at], drill.posed.parts[at].expects
    outcome = read(text, expects)
    match outcome:
        case NotAnswered():
            return Judgement("not answered", "", says=("Nothing was typed.",)), key
        case Invalid(message, _, caret):
            return Judgement("invalid", "", says=(message, *((caret,) if caret else ()))), key
        case Read(_, echo):
            if isinstance(expects, Quantity) and outcome.dimension != expects.dimension:
                return Judgement("wrong", echo, says=(f"The answer is asked in another dimension: give it in {expects.unit}.",)), key
    if isinstance(expects, Symbolic):
        return _formula(drill, outcome), None
    value: Key = outcome.value
    exact = isinstance(expects, Count | Triple)
    if _is_right(value, key, exact):
        return Judgement("right", echo, says=("Right.",), earned=Fraction(1)), value
    carried = drill.question.carried(drill.variant, at, earlier) if earlier and earlier != drill.keys[:at] else None
    if carried is not None and _is_right(value, carried, exact):
        return Judgement("right", echo, says=("Right, given what stands before it: an error is marked once.",), earned=Fraction(1)), value
    return _wrong(drill, at, value, echo, exact), value


def _is_right(value: Key, key: Key, exact: bool) -> bool:
    if isinstance(value, int | Fraction) and isinstance(key, int | Fraction):
        off, size = abs(Fraction(value) - key), abs(Fraction(key))
        return off == 0 or (not exact and off <= TOLERANCE * size)
    return bool(value == key)


def _wrong(drill: Drill, at: int, value: Key, echo: str, exact: bool) -> Judgement:
    key, rivals = drill.keys[at], drill.rivals(at)
    number = isinstance(value, int | Fraction)
    met = [r for r in rivals if r.value == value] if exact or not number else _near(rivals, Fraction(value))  # type: ignore[arg-type]
    if met:
        return _diagnosed(echo, met)
    if number and not exact and isinstance(key, int | Fraction) and abs(value - key) <= CLOSE * abs(key):  # type: ignore[operator]
        return Judgement("close", echo, says=("Close, but with too few digits: give four significant digits.",))
    return Judgement("wrong", echo, says=(f"Not this. {drill.question.differs(drill.variant, at, value)}",))


def _diagnosed(echo: str, met: list[Rival]) -> Judgement:
    names = frozenset(part for rival in met for part in (rival.misconception, rival.slip) if part)
    return Judgement("wrong", echo, names, tuple(dict.fromkeys(told(rival) for rival in _simplest(met))))


def _formula(drill: Drill, outcome: Read) -> Judgement:
    question, letters = drill.question, drill.posed.parts[0].expects.letters  # type: ignore[union-attr]
    assert isinstance(question, Written)
    typed = values(outcome.value, letters)
    if any(agree(typed, values(right, letters)) for right in question.accepted(drill.variant)):
        return Judgement("right", outcome.echo, says=("Right.",), earned=Fraction(1))
    met = [rival for rival in drill.rivals() if agree(typed, values(rival.value, letters))]
    if met:
        return _diagnosed(outcome.echo, met)
    return Judgement("wrong", outcome.echo, says=(f"Not this. {question.differs(drill.variant, 0, None)}",))


def _near(rivals: tuple[Rival, ...], value: Fraction) -> list[Rival]:
    """The rivals within the tolerance; they are numbers in ascending order."""
    start = bisect_left(rivals, value / (1 + TOLERANCE), key=lambda rival: rival.value)  # type: ignore[arg-type, return-value]
    found = []
    for rival in rivals[start:]:
        other = Fraction(rival.value)  # type: ignore[arg-type]
        if other > value / (1 - TOLERANCE):
            break
        if abs(value - other) <= TOLERANCE * other:
            found.append(rival)
    return found


def _simplest(met: list[Rival]) -> list[Rival]:
    """The readings with the fewest errors: a single one is likelier than a misconception with a slip on top."""
    fewest = min((r.misconception is not None) + (r.slip is not None) for r in met)
    return [r for r in met if (r.misconception is not None) + (r.slip is not None) == fewest]


def told(rival: Rival) -> str:
    """What a student who gave a rival's value is told."""
    parts = []
    if rival.misconception is not None:
        parts.append(MISCONCEPTIONS[rival.misconception].tell)
    if rival.slip is not None:
        parts.append(_SLIPS[rival.slip].tell)
    return " ".join(parts)

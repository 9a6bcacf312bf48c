"""Givens as they are printed, and as exact numbers: what is computed with is what the student reads."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from typing import Final, TypeVar

from sympy import Symbol

from ...algebra.printing import to_text
from ...algebra.units import Amount
from ...algebra.vocabulary import FIXED, LETTERS, letter, read_value, symbol_named
from ...reasoning.work import plain
from ...scenarios.plans import BUFFERS, PLANS, WIDTHS
from .form import Variant

_PLACE: Final = re.compile(r"\[\[(\w+)\]\]")
PLAN: Final = "plan"
_TRIES: Final = 500
NONE_IS_RIGHT: Final = 1 / 3  # how often there is no answer, where there may be none
_T = TypeVar("_T")

Draws = Mapping[Symbol, tuple[str, ...]]
Numbers = dict[Symbol, int | Fraction]
Givens = tuple[tuple[str, str], ...]


def drawn(draws: Draws, plans: Sequence[str], uniform: Callable[[], float]) -> Givens:
    """A value for each letter and, where there are several, a plan."""
    found = [(s.name, one_of(values, uniform)) for s, values in draws.items()]
    return (*found, (PLAN, one_of(plans, uniform))) if plans else tuple(found)


def one_of(values: Sequence[str], uniform: Callable[[], float]) -> str:
    """One of several, each as likely as the others."""
    return values[int(uniform() * len(values))]


def shuffled(values: Sequence[_T], uniform: Callable[[], float]) -> list[_T]:
    """The values in a drawn order."""
    rest = list(values)
    return [rest.pop(int(uniform() * len(rest))) for _ in values]


@cache
def _amount(name: str, text: str) -> Amount:
    return read_value(symbol_named(name), text)


@cache
def _number(name: str, text: str) -> tuple[Symbol, int | Fraction]:
    return symbol_named(name), plain(_amount(name, text).value)


@cache
def widths(plan: str) -> Numbers:
    """What a plan keeps of each parameter, in bytes."""
    values = PLANS[plan].values
    return {s: plain(values[s].value) for s in WIDTHS}


@lru_cache(maxsize=1 << 14)
def numbers_of(givens: Givens) -> Numbers:
    """The exact values of givens; not to be changed by the caller."""
    found: Numbers = dict(FIXED)
    for name, text in givens:
        if name == PLAN:
            found |= widths(text)
        else:
            symbol, value = _number(name, text)
            found[symbol] = value
    return found


def numbers(variant: Variant, draws: Draws) -> Numbers:
    """The exact values of a variant's givens; not to be changed by the caller."""
    return numbers_of(given_texts(variant, draws))


def given_texts(variant: Variant, draws: Draws) -> Givens:
    """The drawn values that are givens: letters and the plan, not an order of choices or the like."""
    letters = {s.name for s in draws}
    return tuple(pair for pair in variant.drawn if pair[0] in letters or pair[0] == PLAN)


def as_given(givens: Givens) -> dict[str, object]:
    """The givens as `work` takes them: a plan as the widths that it keeps."""
    given: dict[str, object] = {}
    for name, text in givens:
        given |= {s.name: amount for s, amount in PLANS[text].values.items()} if name == PLAN else {name: _amount(name, text)}
    return given


def filled(text: str, variant: Variant) -> str:
    """A text with ``[[N]]`` for a given as it is printed and ``[[plan]]`` for what a plan keeps."""

    def put(found: re.Match[str]) -> str:
        given = variant.texts[found[1]]
        return plan_text(given) if found[1] == PLAN else printed(given)

    return _PLACE.sub(put, text)


def printed(text: str) -> str:
    """A given as it stands in the question."""
    return f"{int(text):,}" if text.isdigit() and len(text) > 4 else text


@cache
def plan_text(plan: str) -> str:
    """``2 B (parameter) + 2 B (gradient) + ...``: what a plan keeps, part by part."""
    return " + ".join(f"{w} B ({BUFFERS[s]})" for s, w in widths(plan).items() if w)


@cache
def legend(letters: frozenset[Symbol]) -> str:
    """``P: parameters of the model; N: ...``: what letters stand for, in vocabulary order, the widths of a plan in one go."""
    said = [f"{to_text(s)}: {letter(s).says}" for s in LETTERS if s in letters and s not in WIDTHS]
    widths = [s for s in WIDTHS if s in letters]
    if widths:
        said.append(f"{', '.join(map(to_text, widths))}: bytes kept of each parameter as {', '.join(BUFFERS[s] for s in widths)}")
    return "; ".join(said)


def with_answer(wanted: object, drawn_once: Callable[[], Variant | None], answer: Callable[[Variant], object]) -> Variant | None:
    """The first of many draws that has the wanted answer.

    Which answer is asked for is drawn before, so that the odds of the givens do not tell what is likely to be right.
    """
    for _ in range(_TRIES):
        variant = drawn_once()
        if variant is not None and answer(variant) == wanted:
            return variant
    return None

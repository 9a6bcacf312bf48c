"""A question whose answer is one number: a value, a limit, what a target takes, a degree that may not exist."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from typing import Literal

from sympy import Expr

from ...algebra.arithmetic import compiled
from ...algebra.printing import to_text
from ...algebra.units import Amount, show, to_exact
from ...algebra.vocabulary import letter
from ...reasoning.catalogue import formula as formula_named
from ...reasoning.work import Worked, work
from ..answers import Count, Expects, Number, Quantity
from .form import Key, Part, Posed, Question, Rival, Tried, Variant
from .givens import NONE_IS_RIGHT, PLAN, Draws, as_given, drawn, filled, given_texts, numbers, with_answer
from .separation import Classes, Thought, never_apart, separated, with_slips
from .values import Letters, letters_of, nearly, rivals_of, truth_of

_TRIED_FOR_CLASSES = 100


@dataclass(frozen=True, eq=False)
class Value(Question):
    """A number to find, with its givens left open.

    Parameters
    ----------
    id : str
        Its name on every sheet; the cell's letter comes first.
    cell : str
    kind : str
        What is asked: a value (``compute``), the value at N = oo (``limit``), what a target takes (``backwards``), a whole
        number or that there is none (``missing``).
    formula : str
        The formula whose value is the answer, by id.
    ask : str
        The question; ``[[N]]`` stands for a given as it is printed, ``[[plan]]`` for the widths of a plan.
    unit : str
        A unit to answer in; none for a count or a ratio.
    draws : mapping
        Letters to the values they may take, as texts with units.
    plans : tuple of str
        Training plans to choose the widths from, by name.
    """

    id: str
    cell: str
    kind: Literal["compute", "limit", "backwards", "missing"]
    formula: str
    ask: str
    unit: str
    draws: Draws
    plans: tuple[str, ...] = ()

    def draw(self, uniform: Callable[[], float]) -> Variant | None:
        def once() -> Variant | None:
            variant = Variant(self.id, drawn(self.draws, self.plans, uniform))
            return variant if _acceptable(self, variant) else None

        if self.kind != "missing":
            return once()
        return with_answer(uniform() < NONE_IS_RIGHT, once, lambda v: self.keys(v)[0] is None)

    def posed(self, variant: Variant) -> Posed:
        part = _part(self)
        return Posed(self.id, self.cell, self.kind, filled(self.ask, variant), (), given_texts(variant, self.draws), (part,))

    def keys(self, variant: Variant) -> tuple[Key, ...]:
        key = _key(self, variant)
        return (None if self.kind == "missing" and key.denominator != 1 else key,)

    def rivals(self, variant: Variant, part: int = 0) -> tuple[Rival, ...]:
        return _rivals(self, variant)

    def ambiguous(self, variant: Variant) -> Classes:
        return _classes(self, variant.texts.get(PLAN, ""))

    def tried(self) -> Iterator[tuple[Tried, ...]]:
        for plan in self.plans or ("",):
            yield from ((pair,) for pair in _tried(self, plan))

    def solution(self, variant: Variant) -> tuple[str, ...]:
        return _solution(self, variant)

    def hints(self, variant: Variant) -> tuple[str, str, str]:
        formula, found = formula_named(self.formula), _worked(self, variant)
        defined = letter(formula.defines)
        return (
            f"{formula.title}.",
            f"{to_text(formula.defines)} ({defined.says}) is {to_text(found.reading)}.",
            "\n".join(self.solution(variant)),
        )

    def differs(self, variant: Variant, part: int, value: Key) -> str:
        """Which lemma on the way the answer stopped at, or the first one to get right."""
        way = _way(self, variant)
        for at, (lemma, found) in enumerate(way):
            if found == value:
                following = way[at + 1][0] if at + 1 < len(way) else self.formula
                return f"You stopped one step early: {_shown(lemma, found)} is right, and then comes {_equation(following, False)}."
        if way:
            lemma, found = way[0]
            return f"The first step is {_equation(lemma, False)}, and here {_shown(lemma, found)}; is that what you had?"
        return f"The first step is {_equation(self.formula, self.kind == 'limit')}: compare it with yours, term by term."


def _way(question: Value, variant: Variant) -> list[tuple[str, int | Fraction]]:
    """The lemmas of the formula and their values here, in the order in which it uses them."""
    if question.kind != "compute":
        return []
    known, found = numbers(variant, question.draws), []
    for lemma in formula_named(question.formula).lemmas:
        if isinstance(lemma.closed, Expr) and all(s in known for s in lemma.letters):
            value = compiled(lemma.closed, lemma.letters, root=nearly)(*(known[s] for s in lemma.letters))
            found.append((lemma.id, value))
    return found


@cache
def _equation(formula: str, limit: bool) -> str:
    chosen = formula_named(formula)
    defined = letter(chosen.defines)
    return f"{to_text(chosen.defines)} ({defined.says}) = {to_text(chosen.limit.to if limit and chosen.limit else chosen.exact)}"


def _shown(formula: str, value: int | Fraction) -> str:
    defined = letter(formula_named(formula).defines)
    return f"{to_text(defined.symbol)} = {show(Amount(to_exact(value), defined.dimension), None, 5)}"


@cache
def _part(question: Value) -> Part:
    defined = letter(formula_named(question.formula).defines)
    if question.kind == "missing":
        return Part("", "Give a whole number, or none where there is none.", Count(or_none=True))
    if question.unit and question.unit != "%":
        expects: Expects = Quantity(defined.dimension, question.unit)
    else:
        expects = Count() if defined.whole else Number()
    return Part("", how(expects, question.unit), expects)


def how(expects: Expects, unit: str) -> str:
    """In which form a number is to be given."""
    if isinstance(expects, Count):
        return "Give a whole number."
    return f"Give four significant digits{f' and a unit, such as {unit}' if unit else ''}."


def _arguments(question: Value, variant: Variant) -> list[int | Fraction]:
    known = numbers(variant, question.draws)
    return [known[s] for s in letters_of(*_asked(question))]


@cache
def _asked(question: Value) -> tuple[str, bool, Letters]:
    return question.formula, question.kind == "limit", frozenset(question.draws)


@lru_cache(maxsize=1 << 12)
def _key(question: Value, variant: Variant) -> Fraction:
    return Fraction(truth_of(*_asked(question))(*_arguments(question, variant)))


def _thoughts(question: Value, variant: Variant) -> list[Thought]:
    """What each misconception leads to, where that is a value and not the right one."""
    arguments, key = _arguments(question, variant), _key(question, variant)
    found = []
    for name, rival in rivals_of(*_asked(question)):
        try:
            value = Fraction(rival(*arguments))
        except ZeroDivisionError:
            continue
        if value > 0 and value != key:
            found.append((name, value))
    return found


@lru_cache(maxsize=1 << 12)
def _rivals(question: Value, variant: Variant) -> tuple[Rival, ...]:
    return with_slips(_key(question, variant), _thoughts(question, variant), question.unit)


@lru_cache(maxsize=1 << 16)
def _acceptable(question: Value, variant: Variant) -> bool:
    """Whether the formula means something here and every wrong thought has a value of its own."""
    if not _meaningful(question, variant) or _key(question, variant) < 0:
        return False
    plan = variant.texts.get(PLAN, "")
    return separated(_key(question, variant), _thoughts(question, variant), question.unit, _classes(question, plan))


def _meaningful(question: Value, variant: Variant) -> bool:
    """A missing degree may not exist: that is the question."""
    known = numbers(variant, question.draws)
    return question.kind == "missing" or all(h.holds(known) is not False for h in formula_named(question.formula).where)


@cache
def _classes(question: Value, plan: str) -> Classes:
    return never_apart(_tried(question, plan), (name for name, _ in rivals_of(*_asked(question))), question.unit)


def _tried(question: Value, plan: str) -> Iterator[tuple[Fraction, list[Thought]]]:
    """Givens as they fall, before any is refused."""
    uniform = random.Random(f"classes:{question.id}").random
    for _ in range(_TRIED_FOR_CLASSES):
        givens = drawn(question.draws, (), uniform)
        variant = Variant(question.id, (*givens, (PLAN, plan)) if plan else givens)
        if _meaningful(question, variant):
            yield _key(question, variant), _thoughts(question, variant)


# Two hints and the worked answer itself are asked for, each by itself.
@lru_cache(maxsize=1 << 12)
def _solution(question: Value, variant: Variant) -> tuple[str, ...]:
    found = _worked(question, variant)
    if question.kind == "missing" and _key(question, variant).denominator != 1:
        shown = found.line(Amount(to_exact(_key(question, variant)), letter(found.formula.defines).dimension))
        return (f"{shown}, which is not whole: there is none.",)
    return tuple(found.line(unit=question.unit or None).split("\n"))


@lru_cache(maxsize=1 << 8)
def _worked(question: Value, variant: Variant) -> Worked:
    """The formula at the givens as they are printed."""
    given = as_given(given_texts(variant, question.draws))
    if question.kind == "limit":
        step = formula_named(question.formula).limit
        assert step is not None
        given[step.limit[0].name] = "oo"
    return work(given, question.formula)

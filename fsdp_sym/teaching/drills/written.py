"""A question whose answer is a formula in the letters that were left open."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Literal

from sympy import Expr, Rational, Symbol

from ...algebra.formula import Formula
from ...algebra.printing import to_text
from ...algebra.vocabulary import FIXED, letter
from ...reasoning.catalogue import formula as formula_named
from ...scenarios.plans import WIDTHS
from ..answers import Symbolic, same_expression
from .form import Key, Part, Posed, Question, Rival, Variant
from .givens import Draws, drawn, filled, given_texts, numbers
from .values import Letters, letters_of, readings


@dataclass(frozen=True, eq=False)
class Written(Question):
    """A formula to write: some letters have numbers, the others stay.

    Parameters
    ----------
    id, cell : str
    formula : str
        The formula to be written, by id.
    ask : str
    draws : mapping
        Letters that get numbers.
    plans : tuple of str
        Training plans to choose the widths from.
    limit : bool
        The formula's limit is asked for.
    also : tuple of sympy.Symbol
        Letters that the question speaks of and the answer does not depend on.
    """

    id: str
    cell: str
    formula: str
    ask: str
    draws: Draws = field(default_factory=dict)
    plans: tuple[str, ...] = ()
    limit: bool = False
    also: tuple[Symbol, ...] = ()
    kind: Literal["formula"] = "formula"

    def draw(self, uniform: Callable[[], float]) -> Variant | None:
        variant = Variant(self.id, drawn(self.draws, self.plans, uniform))
        letters, (key,) = _left(self), self.keys(variant)
        same = [r for r in self.rivals(variant, 0) if same_expression(r.value, key, letters)]
        return None if same else variant

    def posed(self, variant: Variant) -> Posed:
        return Posed(self.id, self.cell, self.kind, filled(self.ask, variant), (), given_texts(variant, self.draws), (_part(self),))

    def keys(self, variant: Variant) -> tuple[Key, ...]:
        return (_readings(self, variant)[0],)

    def accepted(self, variant: Variant) -> tuple[Expr, ...]:
        """Every right reading: under the formula's assumptions and without them."""
        return _readings(self, variant)

    def rivals(self, variant: Variant, part: int = 0) -> tuple[Rival, ...]:
        return tuple(Rival(name, None, value) for name, value in _rivals(self, variant))

    def ambiguous(self, variant: Variant) -> tuple[frozenset[str], ...]:
        letters, found = _left(self), _rivals(self, variant)
        classes = {frozenset(name for name, other in found if same_expression(value, other, letters)) for _, value in found}
        return tuple(sorted((c for c in classes if len(c) > 1), key=sorted))

    def solution(self, variant: Variant) -> tuple[str, ...]:
        formula = formula_named(self.formula)
        arrow = "→" if self.limit else "="
        return (f"{to_text(formula.defines)} {arrow} {to_text(self.keys(variant)[0])}",)

    def hints(self, variant: Variant) -> tuple[str, str, str]:
        formula = formula_named(self.formula)
        return (f"{formula.title}.", f"Begin with {_beginning(formula)}.", self.solution(variant)[0])

    def differs(self, variant: Variant, part: int, value: Key) -> str:
        return f"Begin with {_beginning(formula_named(self.formula))}, and see where yours leaves it."


def _beginning(formula: Formula) -> str:
    """The first state that says more than a letter does."""
    return to_text(next(state for state in formula.states if not isinstance(state, Symbol)))


@cache
def _left(question: Written) -> tuple[Symbol, ...]:
    """The letters the answer is written in."""
    gone = {*question.draws, *FIXED, *(WIDTHS if question.plans else ())}
    return tuple(s for s in letters_of(*_asked(question)) if s not in gone)


@cache
def _asked(question: Written) -> tuple[str, bool, Letters]:
    return question.formula, question.limit, frozenset((*question.draws, *question.also))


@cache
def _part(question: Written) -> Part:
    said = "; ".join(f"{s.name}: {letter(s).says}" for s in _left(question))
    return Part("", f"Write a formula in {', '.join(s.name for s in _left(question))} ({said}).", Symbolic(_left(question)))


@lru_cache(maxsize=1 << 12)
def _put(question: Written, variant: Variant) -> dict[Symbol, Expr]:
    return {s: Rational(v.numerator, v.denominator) for s, v in numbers(variant, question.draws).items()}


@lru_cache(maxsize=1 << 12)
def _readings(question: Written, variant: Variant) -> tuple[Expr, ...]:
    formula, given = formula_named(question.formula), _put(question, variant)
    if question.limit:
        return (readings(*_asked(question))[0].xreplace(given),)
    return tuple(dict.fromkeys((formula.exact.xreplace(given), formula.closed.xreplace(given))))


@lru_cache(maxsize=1 << 12)
def _rivals(question: Written, variant: Variant) -> tuple[tuple[str, Expr], ...]:
    given, truth = _put(question, variant), _readings(question, variant)[0]
    found = ((name, rival.xreplace(given)) for name, rival in readings(*_asked(question))[1])
    return tuple((name, rival) for name, rival in found if rival != truth)

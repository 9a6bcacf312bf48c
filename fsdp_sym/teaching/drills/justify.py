"""Which principle justifies a step of a derivation: one right among four."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal

from sympy.core.basic import Basic
from sympy.core.relational import Relational

from ...algebra.formula import Formula
from ...algebra.printing import to_text
from ...algebra.vocabulary import letter
from ...reasoning.catalogue import formula as formula_named
from ..misconceptions import PRINCIPLES, Principle
from .form import Key, Part, Posed, Question, Rival, Variant
from .givens import legend, shuffled
from .lettered import LETTERED, letter_choice, lettered

_SHOWN_AT_ONCE: Final = 4
_STEP: Final = "step"
_SHOWN: Final = "choices"


@dataclass(frozen=True)
class Reason:
    """A step and what justifies it.

    Parameters
    ----------
    formula : str
        By id.
    step : int
        The number of its step from 1; 0 is the start itself.
    principle : Principle
    also : tuple of Principle
        Principles that could be said to justify it as well, and are therefore not shown beside the right one.
    """

    formula: str
    step: int
    principle: Principle
    also: tuple[Principle, ...] = ()


@dataclass(frozen=True, eq=False)
class Justify(Question):
    """Pick the principle that justifies a step.

    Parameters
    ----------
    id, cell : str
    steps : tuple of Reason
    """

    id: str
    cell: str
    steps: tuple[Reason, ...]
    kind: Literal["principle"] = "principle"

    def draw(self, uniform: Callable[[], float]) -> Variant | None:
        at = int(uniform() * len(self.steps))
        right = self.steps[at].principle.id
        apart = {right, *(p.id for p in self.steps[at].also)}
        # By name: what a seed draws does not change with the file that mentions a principle first.
        others = shuffled([name for name in sorted(PRINCIPLES) if name not in apart], uniform)[: _SHOWN_AT_ONCE - 1]
        return Variant(self.id, ((_STEP, str(at)), (_SHOWN, ",".join(shuffled([right, *others], uniform)))))

    def posed(self, variant: Variant) -> Posed:
        lines = lettered([PRINCIPLES[p].says for p in self._choices(variant)])
        prompt = _prompt(*self._step(variant))
        return Posed(self.id, self.cell, self.kind, prompt, lines, (), (_part(),))

    def keys(self, variant: Variant) -> tuple[Key, ...]:
        right = self._right(variant)
        return (LETTERED[self._choices(variant).index(right)],)

    def rivals(self, variant: Variant, part: int = 0) -> tuple[Rival, ...]:
        return ()

    def solution(self, variant: Variant) -> tuple[str, ...]:
        return (f"{self.keys(variant)[0]}: {PRINCIPLES[self._right(variant)].says} Here: {self._because(variant)}.",)

    def hints(self, variant: Variant) -> tuple[str, str, str]:
        first = "Ask what changed between the two sides, and what must be known for that."
        return (first, f"The derivation says: {self._because(variant)}.", self.solution(variant)[0])

    def differs(self, variant: Variant, part: int, value: Key) -> str:
        chosen = PRINCIPLES[self._choices(variant)[LETTERED.index(str(value))]].says
        return f"That is true, but it is not what this step uses: {chosen}"

    def _step(self, variant: Variant) -> tuple[Formula, int]:
        reason = self.steps[int(variant.texts[_STEP])]
        return formula_named(reason.formula), reason.step

    def _right(self, variant: Variant) -> str:
        return self.steps[int(variant.texts[_STEP])].principle.id

    def _because(self, variant: Variant) -> str:
        formula, number = self._step(variant)
        return formula.steps[number - 1].because if number else formula.title

    def _choices(self, variant: Variant) -> list[str]:
        return variant.texts[_SHOWN].split(",")


@cache
def _prompt(formula: Formula, number: int) -> str:
    shown = formula.states[max(number - 1, 0) : number + 1]
    states = [_equation(formula, state) for state in shown]
    where = f"{to_text(formula.defines)} ({letter(formula.defines).says})"
    follows = f"In the derivation of {where}, {states[0]} becomes {states[-1]}."
    what = follows if number else f"The derivation of {where} begins with {states[0]}."
    letters = legend(frozenset().union(*(state.free_symbols for state in shown)) - {formula.defines})
    return f"{what} Which principle justifies this? ({letters})"


def _equation(formula: Formula, state: Basic) -> str:
    return to_text(state) if isinstance(state, Relational) else f"{to_text(formula.defines)} = {to_text(state)}"


@cache
def _part() -> Part:
    return Part("", f"Give the letter of the principle, a to {LETTERED[_SHOWN_AT_ONCE - 1]}.", letter_choice(_SHOWN_AT_ONCE))

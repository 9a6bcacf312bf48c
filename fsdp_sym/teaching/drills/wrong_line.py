"""A worked example with one wrong line: which is it, and what should it give?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Final, Literal

from sympy import Expr

from ...algebra.units import to_exact
from ...algebra.vocabulary import letter
from ..answers import Choice
from ..misconceptions import MISCONCEPTIONS
from .chain import Chain, expects_of, lines_of, meaningful, rivals_at, thoughts_at, worked
from .form import Key, Part, Posed, Question, Rival, Variant
from .givens import drawn, filled, given_texts, legend, numbers, one_of
from .separation import with_slips
from .value import how
from .values import worth

_LINE: Final = "line"
_THOUGHT: Final = "thought"
_TELLING: Final = Fraction(1, 100)  # a wrong line must be off by more than rounding could explain


@dataclass(frozen=True, eq=False)
class WrongLine(Question):
    """A worked example in which one line carries a misconception: which line, and what should it give?"""

    id: str
    cell: str
    chain: Chain
    kind: Literal["wrong line"] = field(default="wrong line")

    def draw(self, uniform: Callable[[], float]) -> Variant | None:
        chain = self.chain
        variant = Variant(self.id, drawn(chain.draws, chain.plans, uniform))
        at = int(uniform() * len(chain.lines))
        if not (names := [name for name, _ in rivals_at(chain, at)]):
            return None
        variant = Variant(self.id, (*variant.drawn, (_LINE, str(at + 1)), (_THOUGHT, one_of(names, uniform))))
        planted = _planted(self, variant)
        if planted is None or not meaningful(chain, numbers(variant, chain.draws)):
            return None
        _, right, wrong = planted
        # A count that is not whole would tell the line at a glance.
        possible = letter(lines_of(chain)[at].defines).holds(to_exact(wrong))
        return variant if possible and wrong > 0 and abs(wrong - right) > _TELLING * right else None

    def posed(self, variant: Variant) -> Posed:
        at, lines = self._at(variant), lines_of(self.chain)
        known, planted = numbers(variant, self.chain.draws), _planted(self, variant)
        assert planted is not None
        reading, _, wrong = planted
        known, _ = worked(self.chain, known, {at: wrong})
        shown = tuple(
            f"{number}. {line.with_reading(reading if number == at + 1 else line.reading, known)}" for number, line in enumerate(lines, 1)
        )
        prompt = (
            f"{filled(self.chain.story, variant)} One line of this worked example is wrong; every other line is right, given the lines "
            f"before it. Which line is wrong{', and what should its result be' if self._asks_result() else ''}? "
            f"({legend(frozenset(line.defines for line in lines))})"
        )
        numbered = tuple(str(n) for n in range(1, len(lines) + 1))
        which = Choice(numbered, tuple((f"line {n}", n) for n in numbered))
        asked = f"Give the number of the line, 1 to {len(lines)}."
        parts: tuple[Part, ...] = (Part("", asked, which),)
        if self._asks_result():
            result = expects_of(lines[0])
            parts = (Part("1", asked, which), Part("2", f"Give its right result. {how(result, lines[0].unit)}", result))
        return Posed(self.id, self.cell, self.kind, prompt, shown, given_texts(variant, self.chain.draws), parts)

    def keys(self, variant: Variant) -> tuple[Key, ...]:
        planted = _planted(self, variant)
        assert planted is not None
        return (variant.texts[_LINE], planted[1])[: 2 if self._asks_result() else 1]

    def rivals(self, variant: Variant, part: int) -> tuple[Rival, ...]:
        at = self._at(variant)
        known, values = worked(self.chain, numbers(variant, self.chain.draws))
        return with_slips(values[at], thoughts_at(self.chain, at, known, values[at]), lines_of(self.chain)[at].unit) if part else ()

    def solution(self, variant: Variant) -> tuple[str, ...]:
        at = self._at(variant)
        known, _ = worked(self.chain, numbers(variant, self.chain.draws))
        thought = MISCONCEPTIONS[variant.texts[_THOUGHT]]
        return (f"Line {at + 1} is wrong. {thought.tell}", f"Right is {lines_of(self.chain)[at].shown(known)}.")

    def hints(self, variant: Variant) -> tuple[str, str, str]:
        at, thought = self._at(variant), MISCONCEPTIONS[variant.texts[_THOUGHT]]
        return (
            "Take the lines in order, and ask of each whether it follows from what is given and what came before.",
            f"The thought behind the wrong line: {thought.thinks}",
            " ".join(self.solution(variant)) if at >= 0 else "",
        )

    def differs(self, variant: Variant, part: int, value: Key) -> str:
        if part == 0:
            known, _ = worked(self.chain, numbers(variant, self.chain.draws))
            at = min(self._at(variant), int(str(value)) - 1)
            return f"Line {at + 1} is where the two examples part: rightly it is {lines_of(self.chain)[at].shown(known)}."
        return "The first step is the line as it should be, from the lines before it; only then its number."

    def _at(self, variant: Variant) -> int:
        return int(variant.texts[_LINE]) - 1

    def _asks_result(self) -> bool:
        """Only where all results are of one kind: else what is asked for would tell which line it is."""
        lines = lines_of(self.chain)
        return len({(letter(line.defines).dimension, line.unit in ("", "%"), letter(line.defines).whole) for line in lines}) == 1


@lru_cache(maxsize=1 << 12)
def _planted(question: WrongLine, variant: Variant) -> tuple[Expr, Fraction, Fraction] | None:
    """The wrong reading of the line, its right value and its wrong one."""
    at = int(variant.texts[_LINE]) - 1
    reading = dict(rivals_at(question.chain, at))[variant.texts[_THOUGHT]]
    known, values = worked(question.chain, numbers(variant, question.chain.draws))
    try:
        return reading, values[at], Fraction(worth(reading)(known))
    except ZeroDivisionError:
        return None

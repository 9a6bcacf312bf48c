"""A worked example whose last lines are left blank."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Literal

from ...algebra.printing import to_text
from ...algebra.vocabulary import letter
from ...reasoning.catalogue import formula as formula_named
from .chain import Chain, classes_at, expects_of, lines_of, meaningful, thoughts_at, tried_at, worked
from .form import Key, Part, Posed, Question, Rival, Tried, Variant
from .givens import PLAN, drawn, filled, given_texts, legend, numbers
from .separation import separated, with_slips
from .value import how


@dataclass(frozen=True, eq=False)
class Faded(Question):
    """A worked example whose last lines are left to the student, each worth its share.

    Parameters
    ----------
    blanks : int
        How many lines are blank.
    """

    id: str
    cell: str
    chain: Chain
    blanks: int
    kind: Literal["faded"] = field(default="faded")

    def draw(self, uniform: Callable[[], float]) -> Variant | None:
        variant = Variant(self.id, drawn(self.chain.draws, self.chain.plans, uniform))
        return variant if _acceptable(self, variant) else None

    def posed(self, variant: Variant) -> Posed:
        lines, opened = lines_of(self.chain), self._open()
        known, _ = worked(self.chain, numbers(variant, self.chain.draws))
        shown = tuple(
            f"{at + 1}. {to_text(line.defines)} = ____  ({letter(line.defines).says})" if at in opened else f"{at + 1}. {line.shown(known)}"
            for at, line in enumerate(lines)
        )
        blank = [(at, to_text(lines[at].defines), lines[at].unit, expects_of(lines[at])) for at in opened]
        parts = tuple(
            Part(str(n) if len(blank) > 1 else "", f"Line {at + 1}: give {name}. {how(expects, unit)}", expects)
            for n, (at, name, unit, expects) in enumerate(blank, 1)
        )
        done = lines[: opened[0]]
        letters = f" ({legend(frozenset(line.defines for line in done))})" if done else ""
        prompt = f"{filled(self.chain.story, variant)} Finish the worked example.{letters}"
        return Posed(self.id, self.cell, self.kind, prompt, shown, given_texts(variant, self.chain.draws), parts)

    def keys(self, variant: Variant) -> tuple[Key, ...]:
        _, values = worked(self.chain, numbers(variant, self.chain.draws))
        return values[self._open()[0] :]

    def rivals(self, variant: Variant, part: int) -> tuple[Rival, ...]:
        at = self._open()[part]
        known, values = worked(self.chain, numbers(variant, self.chain.draws))
        return with_slips(values[at], thoughts_at(self.chain, at, known, values[at]), self.chain.lines[at][1])

    def carried(self, variant: Variant, part: int, earlier: tuple[Key, ...]) -> Key | None:
        """The line worked from what the student put into the blanks before it."""
        opened = self._open()
        changed = {opened[n]: Fraction(value) for n, value in enumerate(earlier) if isinstance(value, int | Fraction)}
        try:
            return worked(self.chain, numbers(variant, self.chain.draws), changed)[1][opened[part]] if changed else None
        except (ZeroDivisionError, ValueError):
            return None

    def solution(self, variant: Variant) -> tuple[str, ...]:
        known, _ = worked(self.chain, numbers(variant, self.chain.draws))
        return tuple(f"{at + 1}. {lines_of(self.chain)[at].shown(known)}" for at in self._open())

    def hints(self, variant: Variant) -> tuple[str, str, str]:
        opened = [lines_of(self.chain)[at] for at in self._open()]
        titles = " ".join(f"{formula_named(self.chain.lines[at][0]).title}." for at in self._open())
        formulas = "; ".join(f"{to_text(line.defines)} = {to_text(line.reading)}" for line in opened)
        return (titles, f"{formulas}.", "\n".join(self.solution(variant)))

    def differs(self, variant: Variant, part: int, value: Key) -> str:
        line = lines_of(self.chain)[self._open()[part]]
        return f"Line {self._open()[part] + 1} is the first that differs: {to_text(line.defines)} = {to_text(line.reading)}."

    def ambiguous(self, variant: Variant) -> tuple[frozenset[str], ...]:
        plan = variant.texts.get(PLAN, "")
        return tuple(known for at in self._open() for known in classes_at(self.chain, at, plan))

    def tried(self) -> Iterator[tuple[Tried, ...]]:
        for plan in self.chain.plans or ("",):
            yield from zip(*(tried_at(self.chain, at, plan) for at in self._open()), strict=True)

    def _open(self) -> range:
        return range(len(self.chain.lines) - self.blanks, len(self.chain.lines))


@lru_cache(maxsize=1 << 16)
def _acceptable(question: Faded, variant: Variant) -> bool:
    """Whether every line means something here and the wrong thoughts about each blank have values of their own."""
    chain, plan = question.chain, variant.texts.get(PLAN, "")
    known, values = worked(chain, numbers(variant, chain.draws))
    return meaningful(chain, known) and all(
        separated(values[at], thoughts_at(chain, at, known, values[at]), chain.lines[at][1], classes_at(chain, at, plan))
        for at in question._open()
    )

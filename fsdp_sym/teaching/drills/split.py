"""A split of GPUs into three degrees, or the finding that there is none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal

from ...algebra.vocabulary import G, N_p, N_t
from ...reasoning.catalogue import formula as formula_named
from ..answers import Triple
from .form import Key, Part, Posed, Question, Rival, Variant
from .givens import NONE_IS_RIGHT, Draws, Numbers, drawn, filled, given_texts, numbers, with_answer
from .values import rivals_of

DEGREE: Final = "data_degree"
_PART: Final = Part(
    "",
    "Give it as data x pipeline x tensor, such as 2 x 3 x 5, or none where there is none.",
    Triple(("data", "pipeline", "tensor"), or_none=True),
)


@dataclass(frozen=True, eq=False)
class Split(Question):
    """The split of a world with given pipeline and tensor degrees."""

    id: str
    cell: str
    ask: str
    draws: Draws
    kind: Literal["missing"] = "missing"

    def draw(self, uniform: Callable[[], float]) -> Variant | None:
        none = uniform() < NONE_IS_RIGHT
        return with_answer(none, lambda: Variant(self.id, drawn(self.draws, (), uniform)), lambda v: self.keys(v)[0] is None)

    def posed(self, variant: Variant) -> Posed:
        return Posed(self.id, self.cell, self.kind, filled(self.ask, variant), (), given_texts(variant, self.draws), (_PART,))

    def keys(self, variant: Variant) -> tuple[Key, ...]:
        known = numbers(variant, self.draws)
        return (_split(_degree(known), known),)

    def rivals(self, variant: Variant, part: int = 0) -> tuple[Rival, ...]:
        known, right = numbers(variant, self.draws), self.keys(variant)[0]
        letters = [known[s] for s in (G, N_p, N_t)]
        found = []
        for name, rival in rivals_of(DEGREE, False, frozenset(self.draws)):
            split = _split(Fraction(rival(*letters)), known)
            if split is not None and split != right:
                found.append(Rival(name, None, split))
        return tuple(found)

    def ambiguous(self, variant: Variant) -> tuple[frozenset[str], ...]:
        found: dict[Key, set[str]] = {}
        for rival in self.rivals(variant):
            found.setdefault(rival.value, set()).add(rival.misconception or "")
        return tuple(frozenset(names) for names in found.values() if len(names) > 1)

    def solution(self, variant: Variant) -> tuple[str, ...]:
        known = numbers(variant, self.draws)
        world, stages, tensor = (known[s] for s in (G, N_p, N_t))
        degree = _degree(known)
        head = f"N_d = G/(N_p·N_t) = {world:,}/({stages}·{tensor})"
        if degree.denominator != 1:
            return (f"{head} = {degree}, which is not whole: there is none.",)
        return (f"{head} = {degree}, so {degree} x {stages} x {tensor}; the product is {int(degree * stages * tensor):,}.",)

    def hints(self, variant: Variant) -> tuple[str, str, str]:
        return (
            f"{formula_named(DEGREE).title}.",
            "N_d (data) times N_p (pipeline) times N_t (tensor) is G, the GPUs.",
            self.solution(variant)[0],
        )

    def differs(self, variant: Variant, part: int, value: Key) -> str:
        known = numbers(variant, self.draws)
        if not isinstance(value, tuple):
            return f"There is one: {known[N_p]} times {known[N_t]} divides {known[G]:,}."
        if value[1:] != (known[N_p], known[N_t]):
            return f"The order is data x pipeline x tensor, and {known[N_p]} and {known[N_t]} are given for the last two."
        product = value[0] * value[1] * value[2]
        return f"The first step is the product: {' x '.join(map(str, value))} is {product:,}, and there are {known[G]:,} GPUs."


def _degree(known: Numbers) -> Fraction:
    return Fraction(known[G]) / (known[N_p] * known[N_t])


def _split(degree: Fraction, known: Numbers) -> tuple[int, int, int] | None:
    return (int(degree), int(known[N_p]), int(known[N_t])) if degree.denominator == 1 and degree > 0 else None

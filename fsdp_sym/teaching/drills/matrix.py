"""Which wrong answers a question tells apart, and for which share of its variants: what the audit reports of the questions."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Final

from sympy import Expr, Tuple

from ..answers import same_expression
from .form import Key, Question
from .pose import pose
from .questions import QUESTIONS
from .separation import APART
from .values import in_order

TRUTH: Final = "right"


@dataclass(frozen=True)
class Separation:
    """The matrix of one part of a question.

    Attributes
    ----------
    question, part : str
    thoughts : tuple of str
        The right answer first, then the misconceptions that lead to an answer here.
    apart : dict of frozenset of str to Fraction
        Two of them, to the share of variants in which both occur and lie more than three tolerances apart. Variants are taken
        as they fall: the drawing refuses those in which something that can be told apart is not.
    """

    question: str
    part: str
    thoughts: tuple[str, ...]
    apart: dict[frozenset[str], Fraction]

    @property
    def never(self) -> tuple[frozenset[str], ...]:
        """Pairs that lie together in every variant."""
        return tuple(sorted((pair for pair, share in self.apart.items() if share == 0), key=sorted))

    @property
    def least(self) -> Fraction:
        """The smallest share among the pairs that can be told apart at all."""
        return min((share for share in self.apart.values() if share), default=Fraction(1))

    def rows(self) -> list[list[str]]:
        """The matrix as text: a row and a column a thought, the share in per cent, ``-`` where two never occur together."""
        names = self.thoughts
        head = ["", *(str(n) for n in range(len(names)))]
        body = [[f"{n} {one}", *(self._cell(one, other) for other in names)] for n, one in enumerate(names)]
        return [head, *body]

    def _cell(self, one: str, other: str) -> str:
        if one == other:
            return "."
        share = self.apart.get(frozenset((one, other)))
        return "-" if share is None else f"{float(100 * share):.0f}"


@cache
def separations(question: Question) -> tuple[Separation, ...]:
    """The matrix of each part of a question."""
    seen: list[dict[frozenset[str], list[bool]]] = []
    names: list[dict[str, None]] = []
    for parts in question.tried():
        for at, (key, rivals) in enumerate(parts):
            if at == len(seen):
                seen.append({})
                names.append({TRUTH: None})
            met = [(TRUTH, key), *rivals]
            names[at].update(dict.fromkeys(name for name, _ in rivals))
            for (one, x), (other, y) in combinations(met, 2):
                if one != other:
                    seen[at].setdefault(frozenset((one, other)), []).append(_lie_apart(x, y))
    labels = [part.label for part in pose(question, 0).posed.parts]
    return tuple(
        Separation(question.id, label, tuple(found), {pair: Fraction(sum(times), len(times)) for pair, times in pairs.items()})
        for label, found, pairs in zip(labels, names, seen, strict=True)
    )


def _lie_apart(x: Key, y: Key) -> bool:
    if isinstance(x, int | Fraction) and isinstance(y, int | Fraction):
        one, other = x.numerator * y.denominator, y.numerator * x.denominator  # as so many of the same part
        return abs(one - other) * APART.denominator > APART.numerator * min(abs(one), abs(other))
    if isinstance(x, Expr) and isinstance(y, Expr):
        return not same_expression(x, y, in_order(Tuple(x, y)))
    return bool(x != y)


def told_apart_by(pair: frozenset[str]) -> tuple[str, ...]:
    """The questions that always tell two misconceptions apart: what to ask next after one that cannot."""
    return tuple(s.question for q in QUESTIONS.values() for s in separations(q) if s.apart.get(pair) == 1)

"""What a question is, what is shown of it, and what is known of its answer.

A `Posed` holds no key: whatever is rendered for a student is rendered from it alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from sympy import Symbol

Kind = Literal["compute", "limit", "backwards"]


@dataclass(frozen=True, eq=False)
class Question:
    """A question with its givens left open.

    Parameters
    ----------
    id : str
        Its name on every sheet; the cell's letter comes first.
    cell : str
    kind : str
        What is asked: a value (``compute``), the value at N = oo (``limit``), what a target takes (``backwards``).
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
    kind: Kind
    formula: str
    ask: str
    unit: str
    draws: Mapping[Symbol, tuple[str, ...]]
    plans: tuple[str, ...] = ()


@dataclass(frozen=True)
class Posed:
    """What a student sees: words and givens, no key."""

    question: str
    seed: int
    cell: str
    kind: Kind
    prompt: str
    givens: tuple[tuple[str, str], ...]
    unit: str


@dataclass(frozen=True)
class Rival:
    """The value that a misconception, perhaps with a slip of unit, leads to. The truth itself has no misconception."""

    misconception: str | None
    slip: str | None
    value: Fraction


@dataclass(frozen=True)
class Drill:
    """A posed question with its key and its rivals.

    Attributes
    ----------
    key : Fraction
        The answer in base units.
    rivals : tuple of Rival
        Every wrong value that is diagnosed, sorted.
    ambiguous : tuple of frozenset of str
        Sets of misconceptions that this question never tells apart.
    """

    posed: Posed
    key: Fraction
    rivals: tuple[Rival, ...]
    ambiguous: tuple[frozenset[str], ...]


Verdict = Literal["right", "wrong", "close", "invalid", "not answered"]


@dataclass(frozen=True)
class Judgement:
    """What is said of an answer.

    Attributes
    ----------
    verdict : str
    echo : str
        How the answer was read.
    diagnosis : frozenset of str
        Misconceptions and slips that lead to it; a set, since several may.
    says : tuple of str
        Feedback, a line each.
    """

    verdict: Verdict
    echo: str
    diagnosis: frozenset[str] = frozenset()
    says: tuple[str, ...] = ()

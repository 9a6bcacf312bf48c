"""What a question is, what is shown of it, and what is known of its answer.

A `Posed` holds no key: whatever is rendered for a student is rendered from it alone. A `Variant` is what was drawn, as
texts, so that the same drill can be made again without drawing. A `Drill` is both, with the keys.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Final, Literal, TypeAlias, get_args

from sympy import Expr

from ..answers import Expects

Kind = Literal["compute", "limit", "backwards", "missing", "formula", "choose", "wrong line", "faded", "principle"]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)

Key: TypeAlias = int | Fraction | str | tuple[int, ...] | Expr | None
"""A right answer: a number in base units, an option, a split, a formula, or None for "there is none"."""


@dataclass(frozen=True)
class Part:
    """One answer that a question asks for.

    Parameters
    ----------
    label : str
        ``1``, ``2``, ... on the sheet; empty where the question has one part.
    ask : str
        What to give, and in which form.
    expects : Expects
        How the answer is read; it holds no answer.
    """

    label: str
    ask: str
    expects: Expects


@dataclass(frozen=True)
class Posed:
    """What a student sees: words and givens, no key.

    Parameters
    ----------
    question, cell, kind : str
    prompt : str
        The question in plain text.
    lines : tuple of str
        What stands below it: the lettered choices, or the lines of a worked example.
    givens : tuple of (str, str)
        Letters and their values as they are printed in the prompt.
    parts : tuple of Part
    """

    question: str
    cell: str
    kind: Kind
    prompt: str
    lines: tuple[str, ...]
    givens: tuple[tuple[str, str], ...]
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Variant:
    """What was drawn for a question: names and texts, enough to make the drill again. It tells the key."""

    question: str
    drawn: tuple[tuple[str, str], ...]

    @cached_property
    def texts(self) -> dict[str, str]:
        return dict(self.drawn)


@dataclass(frozen=True)
class Rival:
    """The wrong answer that a misconception, perhaps with a slip of unit, leads to; with neither it is merely wrong."""

    misconception: str | None
    slip: str | None
    value: Key


Tried: TypeAlias = tuple[Key, Sequence[tuple[str, Key]]]
"""Of one part: the right answer, and what each misconception leads to."""

_TRIED: Final = 60


class Question(ABC):
    """A question with its numbers left open. All of it is pure: the same seed or variant gives the same everywhere."""

    id: str
    cell: str
    kind: Kind

    @abstractmethod
    def draw(self, uniform: Callable[[], float]) -> Variant | None:
        """One try at a variant; None where its wrong answers could not be told apart."""

    @abstractmethod
    def posed(self, variant: Variant) -> Posed:
        """What a student sees of a variant."""

    @abstractmethod
    def keys(self, variant: Variant) -> tuple[Key, ...]:
        """The right answer of each part."""

    @abstractmethod
    def rivals(self, variant: Variant, part: int) -> tuple[Rival, ...]:
        """The wrong answers of a part that are diagnosed; numbers in ascending order."""

    @abstractmethod
    def solution(self, variant: Variant) -> tuple[str, ...]:
        """The worked answer, in lines of text."""

    @abstractmethod
    def hints(self, variant: Variant) -> tuple[str, str, str]:
        """Three hints, each saying more; the last one is the worked answer."""

    @abstractmethod
    def differs(self, variant: Variant, part: int, value: Key) -> str:
        """The first step at which a wrong and undiagnosed answer leaves the worked one."""

    def carried(self, variant: Variant, part: int, earlier: tuple[Key, ...]) -> Key | None:
        """What a part comes to from the student's own earlier answers; None where it does not depend on them."""
        return None

    def tried(self) -> Iterator[tuple[Tried, ...]]:
        """Variants as they fall, with truth and rivals of each part: what the report on separation looks at."""
        uniform = random.Random(f"tried:{self.id}").random
        for _ in range(_TRIED):
            variant = self.draw(uniform)
            if variant is not None:
                keys = self.keys(variant)
                rivals = [
                    [(r.misconception, r.value) for r in self.rivals(variant, at) if r.misconception and not r.slip]
                    for at in range(len(keys))
                ]
                yield tuple(zip(keys, rivals, strict=True))

    def ambiguous(self, variant: Variant) -> tuple[frozenset[str], ...]:
        """Sets of wrong thoughts that this question never tells apart."""
        return ()


@dataclass(frozen=True)
class Drill:
    """A posed question with what is known of its answer.

    Attributes
    ----------
    question : Question
    variant : Variant
    posed : Posed
    keys : tuple of Key
        The right answer of each part, numbers in base units.
    """

    question: Question
    variant: Variant
    posed: Posed
    keys: tuple[Key, ...]

    def rivals(self, part: int = 0) -> tuple[Rival, ...]:
        return self.question.rivals(self.variant, part)


Verdict = Literal["right", "wrong", "close", "invalid", "not answered"]


@dataclass(frozen=True)
class Judgement:
    """What is said of an answer.

    Attributes
    ----------
    verdict : str
        Of a question with several parts: ``right`` where all are, else the worst of them.
    echo : str
        How the answer was read.
    diagnosis : frozenset of str
        Misconceptions and slips that lead to it; a set, since several may.
    says : tuple of str
        Feedback, a line each.
    earned : Fraction
        The share of the marks: of several parts each counts alike.
    parts : tuple of Judgement
        One for each part, where there are several.
    """

    verdict: Verdict
    echo: str
    diagnosis: frozenset[str] = frozenset()
    says: tuple[str, ...] = ()
    earned: Fraction = Fraction(0)
    parts: tuple[Judgement, ...] = ()

"""What a step assumes, as values: they print themselves, substitute themselves and test themselves on numbers.

A hypothesis travels: instantiated with a lemma it becomes a statement about the new letters.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass

from sympy import Dummy, Expr, Symbol, ceiling, sympify

from .printing import to_latex, to_text

Values = Mapping[Symbol, Expr]


class Hypothesis(ABC):
    """A condition on letters under which a step holds."""

    def __post_init__(self) -> None:
        for name, part in vars(self).items():
            object.__setattr__(self, name, sympify(part))

    @abstractmethod
    def substitution(self) -> dict[Symbol, Expr]:
        """What to put for a letter so that the hypothesis no longer needs to be known."""

    @abstractmethod
    def at(self, mapping: Values) -> Hypothesis:
        """The same hypothesis about other letters."""

    @abstractmethod
    def holds(self, values: Values) -> bool | None:
        """Whether it is true of these numbers; None where a letter is missing."""

    @property
    @abstractmethod
    def text(self) -> str: ...

    @property
    @abstractmethod
    def latex(self) -> str: ...

    @property
    def trivial(self) -> bool:
        """True of every value: ``1`` divides all whole numbers."""
        return self.holds({}) is True

    @property
    def symbols(self) -> set[Symbol]:
        """The letters it speaks of."""
        return set().union(*(part.free_symbols for part in vars(self).values()))

    def __str__(self) -> str:
        return self.text


def _number(expr: Expr, values: Values) -> Expr | None:
    value = expr.xreplace(dict(values))
    return None if value.free_symbols else value


@dataclass(frozen=True)
class Divides(Hypothesis):
    """`part` divides `whole`: nothing is left over, no shard is padded."""

    part: Expr
    whole: Expr

    def substitution(self) -> dict[Symbol, Expr]:
        letters = sorted((s for s in self.whole.free_symbols - self.part.free_symbols if s.is_integer), key=str)
        for x in letters:
            scale = self.whole / x
            if x not in scale.free_symbols:
                quotient = Dummy("q", integer=True, positive=True)
                return {x: self.part * quotient / scale}
        return {}

    def at(self, mapping: Values) -> Divides:
        return Divides(self.part.xreplace(dict(mapping)), self.whole.xreplace(dict(mapping)))

    def holds(self, values: Values) -> bool | None:
        if self.part == 1:
            return True
        ratio = _number(self.whole / self.part, values)
        return None if ratio is None else bool(ratio.is_integer)

    @property
    def text(self) -> str:
        return f"{to_text(self.part)} divides {to_text(self.whole)}"

    @property
    def latex(self) -> str:
        return rf"{to_latex(self.part)} \mid {to_latex(self.whole)}"


@dataclass(frozen=True)
class Equal(Hypothesis):
    """Letter `x` has the value `y`."""

    x: Symbol
    y: Expr

    def substitution(self) -> dict[Symbol, Expr]:
        return {self.x: self.y} if isinstance(self.x, Symbol) else {}

    def at(self, mapping: Values) -> Hypothesis:
        left, right = self.x.xreplace(dict(mapping)), self.y.xreplace(dict(mapping))
        # Stated for whichever side is still a letter, so that it can substitute itself.
        return Equal(left, right) if isinstance(left, Symbol) else Equal(right, left)

    def holds(self, values: Values) -> bool | None:
        gap = _number(self.x - self.y, values)
        return None if gap is None else bool(gap == 0)

    @property
    def text(self) -> str:
        return f"{to_text(self.x)} = {to_text(self.y)}"

    @property
    def latex(self) -> str:
        return f"{to_latex(self.x)} = {to_latex(self.y)}"


@dataclass(frozen=True)
class AtMost(Hypothesis):
    """`x` is at most the letter `y`."""

    x: Expr
    y: Symbol

    def substitution(self) -> dict[Symbol, Expr]:
        if not isinstance(self.y, Symbol):
            return {}
        whole = bool(self.y.is_integer)
        least = ceiling(self.x) if whole else self.x
        return {self.y: least + Dummy("t", nonnegative=True, integer=whole or None)}

    def at(self, mapping: Values) -> AtMost:
        return AtMost(self.x.xreplace(dict(mapping)), self.y.xreplace(dict(mapping)))

    def holds(self, values: Values) -> bool | None:
        gap = _number(self.y - self.x, values)
        return None if gap is None else bool(gap >= 0)

    @property
    def text(self) -> str:
        return f"{to_text(self.x)} is at most {to_text(self.y)}"

    @property
    def latex(self) -> str:
        return rf"{to_latex(self.x)} \le {to_latex(self.y)}"

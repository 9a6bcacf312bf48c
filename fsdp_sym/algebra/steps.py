"""The steps of a derivation. Each carries its new state and the reason, and each can be refuted."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from sympy import Dummy, Expr, Integer, Poly, PolynomialError, Symbol, cancel, diff, fraction, limit, nan, oo, together, zoo
from sympy.core.basic import Basic
from sympy.core.relational import Eq, Relational

from .agreement import POINTS, PROVED, Verdict, agree, drawn_points, point_text, refuted, spread_out
from .hypotheses import Hypothesis, Values
from .printing import to_text

if TYPE_CHECKING:
    from .formula import Formula


@dataclass(frozen=True)
class Step(ABC):
    """One line of a derivation."""

    to: Basic
    because: str

    # Whether the state keeps its dimension; a solution or a decision is about something new.
    keeps_dimension = True

    @abstractmethod
    def verify(self, before: Basic, defines: Symbol, where: Sequence[Hypothesis]) -> Verdict:
        """Check the step from the state before it."""


@dataclass(frozen=True)
class Same(Step):
    """An equality, under hypotheses each of which must be needed.

    ``sampled=True`` declares that it could only be tried at 32 exact points.
    """

    given: tuple[Hypothesis, ...] = ()
    sampled: bool = False

    def verify(self, before: Basic, defines: Symbol, where: Sequence[Hypothesis]) -> Verdict:
        if before == self.to:
            return refuted("the step changes nothing")
        found = agree(before, self.to, [*self.given, *where])
        if not found.ok:
            return found
        for hypothesis in self.given:
            others = [h for h in self.given if h != hypothesis]
            if agree(before, self.to, [*others, *where]).ok:
                return refuted(f"the hypothesis '{hypothesis}' is not needed")
        if found.kind == "sampled" and not self.sampled:
            return refuted(f"only sampled at {found.witness}, and not declared so")
        if found.kind == "proved" and self.sampled:
            return refuted("declared as sampled although it is proved")
        return found


@dataclass(frozen=True)
class Using(Step):
    """Replaces a letter by a proved formula, instantiated by `at`; `replaces` is the letter, by default what the lemma defines."""

    lemma: Formula = field(kw_only=True)
    at: Values = field(default_factory=dict)
    replaces: Symbol | None = None

    @property
    def letter(self) -> Symbol:
        return self.replaces if self.replaces is not None else self.lemma.defines

    @property
    def hypotheses(self) -> tuple[Hypothesis, ...]:
        moved = (h.at(self.at) for h in self.lemma.hypotheses)
        return tuple(h for h in moved if not h.trivial)

    def unfold(self, expr: Basic, reading: Basic) -> Basic:
        return expr.xreplace({self.letter: reading.xreplace(dict(self.at))})

    def verify(self, before: Basic, defines: Symbol, where: Sequence[Hypothesis]) -> Verdict:
        if self.letter not in before.free_symbols:
            return refuted(f"{to_text(self.letter)} does not occur in {to_text(before)}")
        unknown = set(self.at) - self.lemma.full.free_symbols - self.lemma.exact.free_symbols
        if unknown:
            return refuted(f"the lemma {self.lemma.id} has no letter {', '.join(sorted(map(to_text, unknown)))}")
        found = agree(self.unfold(before, self.lemma.exact), self.to, [*where, *self.hypotheses])
        if found.kind == "sampled":
            return refuted("only sampled: put the lemma in as it stands, and rearrange in a step of its own")
        return found


@lru_cache(maxsize=1024)
def limit_of(expr: Expr, letter: Symbol, to: Expr) -> Expr:
    """The limit along a positive real variable (a limit over whole numbers is not SymPy's strength)."""
    x = Dummy("x", positive=True)
    if to == oo:
        # Far out in N is near 0 in 1/N, where a quotient of polynomials is continuous and needs no search.
        near = cancel(expr.xreplace({letter: 1 / x}))
        at = near.xreplace({x: Integer(0)})
        if near.is_rational_function(x) and not at.has(oo, zoo, nan):
            return at
    return limit(cancel(expr.xreplace({letter: x})), x, to)


@dataclass(frozen=True)
class Near(Step):
    """An approximation, always last: the ratio of what it replaces to it tends to 1."""

    limit: tuple[Symbol, Expr] = field(kw_only=True)

    def verify(self, before: Basic, defines: Symbol, where: Sequence[Hypothesis]) -> Verdict:
        letter, _ = self.limit
        if letter not in before.free_symbols:
            return refuted(f"{to_text(before)} does not depend on {to_text(letter)}")
        if letter in self.to.free_symbols:
            return refuted(f"the approximation still depends on {to_text(letter)}")
        ratio = limit_of(before / self.to, *self.limit)
        return PROVED if ratio == 1 else refuted(f"the ratio tends to {to_text(ratio)}, not to 1")


@dataclass(frozen=True)
class Tends(Step):
    """A limit that no ratio can show, such as 0; always last."""

    limit: tuple[Symbol, Expr] = field(kw_only=True)

    def verify(self, before: Basic, defines: Symbol, where: Sequence[Hypothesis]) -> Verdict:
        if self.limit[0] not in before.free_symbols:
            return refuted(f"{to_text(before)} does not depend on {to_text(self.limit[0])}")
        found = limit_of(before, *self.limit)
        return PROVED if found == self.to else refuted(f"the limit is {to_text(found)}")


@dataclass(frozen=True)
class Solved(Step):
    """The equation before it, solved for the letter the formula defines: it fits, and nothing else does."""

    keeps_dimension = False

    def verify(self, before: Basic, defines: Symbol, where: Sequence[Hypothesis]) -> Verdict:
        if not isinstance(before, Eq):
            return refuted("there is no equation to solve")
        if defines in self.to.free_symbols or defines not in before.free_symbols:
            return refuted(f"the equation is not solved for {to_text(defines)}")
        gap = before.lhs - before.rhs
        fit = agree(gap.xreplace({defines: self.to}), gap * 0, where)
        if fit.kind != "proved":
            return fit if not fit.ok else refuted("substituting back is not an identity")
        return PROVED if _one_root(gap, defines) else refuted(f"{to_text(defines)} may have another root")


def _one_root(gap: Expr, unknown: Symbol) -> bool:
    """Whether the gap vanishes at most once: linear with a nonzero slope, or strictly monotone."""
    above, _ = fraction(together(gap))
    try:
        poly = Poly(above, unknown)
    except PolynomialError:
        poly = None
    if poly is not None and poly.degree() == 1:
        return bool(poly.nth(1).is_nonzero)
    slope = diff(gap, unknown).factor()
    return bool(slope.is_positive or slope.is_negative)


@dataclass(frozen=True)
class Least(Step):
    """Where the state, as a function of `over`, is smallest: zero slope, and convex."""

    over: Symbol = field(kw_only=True)
    keeps_dimension = False

    def verify(self, before: Basic, defines: Symbol, where: Sequence[Hypothesis]) -> Verdict:
        if self.over not in before.free_symbols or self.over in self.to.free_symbols:
            return refuted(f"nothing is minimised over {to_text(self.over)}")
        slope = agree(diff(before, self.over).xreplace({self.over: self.to}), before * 0, where)
        if slope.kind != "proved":
            return slope if not slope.ok else refuted("the slope is not proved zero")
        bend = diff(before, self.over, 2).factor()
        return PROVED if bend.is_positive else refuted(f"the second derivative {to_text(bend)} is not positive")


@dataclass(frozen=True)
class Decision(Step):
    """A comparison: what was computed, against a bound. `always=True` says that it never comes out the other way."""

    always: bool = False
    keeps_dimension = False

    def verify(self, before: Basic, defines: Symbol, where: Sequence[Hypothesis]) -> Verdict:
        relation = self.to
        if not isinstance(relation, Relational):
            return refuted("a decision needs a relation, such as <=")
        left = agree(before, relation.lhs, where)
        if left.kind != "proved":
            return left if not left.ok else refuted("the left side is not proved equal to the state")
        if self.always:
            gap = (relation.gts - relation.lts).factor()
            strict = relation.rel_op in ("<", ">")
            sure = gap.is_positive if strict else gap.is_nonnegative
            return PROVED if sure else refuted("it is not proved for every value")
        return _both_ways(relation, where)


def _both_ways(relation: Relational, where: Sequence[Hypothesis]) -> Verdict:
    symbols = sorted(relation.free_symbols, key=lambda s: str(s.name))
    seen: dict[bool, str] = {}
    for drawn in drawn_points(symbols, POINTS**2, 31, where):
        for point in (drawn, *spread_out(drawn, where)):
            seen.setdefault(bool(relation.xreplace(point)), point_text(point))
            if len(seen) == 2:
                return PROVED
    return refuted(f"at all {POINTS**2} points it is {next(iter(seen), None)}: a decision that is never in doubt says so with always=True")


APPROXIMATIONS: Final = (Near, Tends)

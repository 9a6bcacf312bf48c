"""Are two expressions equal? ``proved``, ``sampled`` at exact points, or ``refuted`` with a witness."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from sympy import Add, Dummy, Expr, Integer, PolynomialError, Rational, Sum, Symbol, cancel, expand, nan, oo, zoo
from sympy.core.basic import Basic
from sympy.core.relational import Relational

from .hypotheses import Hypothesis
from .printing import to_text
from .vocabulary import LETTERS

POINTS = 32
_A_FEW = 2
_DECADES = 10
Point = dict[Symbol, Expr]


@dataclass(frozen=True)
class Verdict:
    """How sure a claim is, and what shows it.

    Parameters
    ----------
    kind : {"proved", "sampled", "refuted"}
    witness : str
        For a refuted claim, the point at which it fails; for a sampled one, how many points were tried.
    """

    kind: str
    witness: str = ""

    @property
    def ok(self) -> bool:
        return self.kind != "refuted"

    def __str__(self) -> str:
        return f"{self.kind}: {self.witness}" if self.witness else self.kind


PROVED = Verdict("proved")


def refuted(why: str) -> Verdict:
    """A verdict that fails, with the point or the reason."""
    return Verdict("refuted", why)


def exact(value: int | Fraction | float) -> Expr:
    """A Python number as SymPy's; of the floats, infinity alone."""
    if isinstance(value, int):
        return Integer(value)
    if value == math.inf:
        return oo
    if isinstance(value, float):
        raise TypeError(f"{value} is a float: count in ints and Fractions")
    return Rational(value.numerator, value.denominator)


def drawn_points(symbols: Sequence[Symbol], count: int, seed: int, given: Sequence[Hypothesis] = ()) -> Iterator[Point]:
    """Seeded exact points in the letters' ranges, built so that the hypotheses hold; at most 200 tries a point."""
    uniform = random.Random(seed).random
    built = dict(zip(symbols, _assuming(given, *symbols), strict=True))
    free = _sorted_symbols(*built.values())
    for _ in range(count):
        for _ in range(200):
            drawn = {s: exact(_draw(s, uniform)) for s in free}
            point = {s: drawn[value] if value in drawn else value.xreplace(drawn) for s, value in built.items()}
            # What is drawn lies in its letter's range; what a hypothesis makes of it need not.
            in_range = all(LETTERS[s].holds(v) for s, v in point.items() if s in LETTERS and s not in drawn)
            if in_range and all(h.holds(point) is not False for h in given):
                yield point
                break


def spread_out(point: Point, given: Sequence[Hypothesis] = ()) -> Iterator[Point]:
    """The same point with its quantities decades apart, as a latency is beside a tensor's time: at even ones few comparisons turn."""
    choose = random.Random(point_text(point)).randrange
    found = {s: v if v.is_integer else v / Integer(10) ** choose(_DECADES) for s, v in point.items()}
    if all(LETTERS[s].holds(v) for s, v in found.items() if s in LETTERS) and all(h.holds(found) is not False for h in given):
        yield found


def _draw(symbol: Symbol, uniform: Callable[[], float]) -> int | Fraction:
    if symbol in LETTERS:
        return LETTERS[symbol].draw(uniform)
    low = 1 if symbol.is_positive else 0
    return low + int(uniform() * 40) if symbol.is_integer else low + Fraction(int(uniform() * 1000), 100)


def agree(left: Basic, right: Basic, given: Sequence[Hypothesis] = ()) -> Verdict:
    """Whether two expressions (or relations, side by side) are equal under hypotheses.

    Returns
    -------
    Verdict
        ``proved`` by exact algebra, ``refuted`` with the first of 32 seeded points at which they differ,
        or ``sampled`` where neither was possible.
    """
    return _agree(left, right, tuple(given))


@lru_cache(maxsize=1024)
def _agree(left: Basic, right: Basic, given: tuple[Hypothesis, ...]) -> Verdict:
    if isinstance(left, Relational) or isinstance(right, Relational):
        return _relations_agree(left, right, given)
    # What reads alike is alike whatever is assumed.
    if left == right:
        return PROVED
    # The letters are drawn through the hypotheses and put into the sides as they stand: hypotheses are put into a maximum itself
    # slowly, and only where algebra needs them there.
    letters = _sorted_symbols(left, right)
    built = dict(zip(letters, _assuming(given, *letters), strict=True))
    tried = 0

    def equal() -> bool:
        return _proved(*(carried_out(side) for side in _assuming(given, left, right)))

    for point in drawn_points(_sorted_symbols(*built.values()), POINTS, seed=2718):
        values = {s: value.xreplace(point) for s, value in built.items()}
        here, there = (carried_out(side.xreplace(values)) for side in (left, right))
        if here in (nan, zoo) or there in (nan, zoo):
            continue
        tried += 1
        if not _same_number(here, there):
            return refuted(f"at {point_text(values)} the sides are {to_text(here)} and {to_text(there)}")
        # A point is cheaper than algebra, which is tried once the sides agree at a few.
        if tried == _A_FEW and equal():
            return PROVED
    if tried < _A_FEW and equal():
        return PROVED
    return Verdict("sampled", f"{tried} points") if tried else refuted("no point could be tried")


def carried_out(expr: Basic) -> Basic:
    """The expression with its sums worked out, term by term: of several at once SymPy asks first, with a solver, whether they telescope."""
    if not expr.has(Sum):
        return expr

    def added(terms: Expr, *limits: Basic) -> Expr:
        for limit in limits:
            terms = Add(*(Sum(term, limit).doit() for term in Add.make_args(terms)))
        return terms

    return expr.replace(Sum, added)


def _assuming(given: Sequence[Hypothesis], *exprs: Basic) -> tuple[Basic, ...]:
    """The expressions with the hypotheses put in, one after the other."""
    waiting = list(given)
    while waiting:
        put = waiting.pop(0).substitution()
        exprs, waiting = tuple(e.xreplace(put) for e in exprs), [h.at(put) for h in waiting]
    return exprs


def _relations_agree(left: Basic, right: Basic, given: Sequence[Hypothesis]) -> Verdict:
    if type(left) is not type(right):
        return refuted(f"{type(left).__name__} is not {type(right).__name__}")
    sides = [agree(x, y, given) for x, y in zip(left.args, right.args, strict=True)]
    return max(sides, key=lambda v: ("proved", "sampled", "refuted").index(v.kind))


def _sorted_symbols(*exprs: Basic) -> list[Symbol]:
    return sorted(set().union(*(e.free_symbols for e in exprs)), key=lambda s: (s.name, isinstance(s, Dummy) and s.dummy_index))


def point_text(point: Point) -> str:
    """``N = 4, S = 700``."""
    return ", ".join(f"{to_text(s)} = {v}" for s, v in sorted(point.items(), key=lambda kv: str(kv[0])))


def _same_number(x: Expr, y: Expr) -> bool:
    gap = x - y
    if gap == 0:
        return True
    # The sign of a surd is quickly known; only a gap without one is worth an exact test.
    return not (gap.is_positive or gap.is_negative) and gap.equals(0) is True


def _proved(left: Expr, right: Expr) -> bool:
    return left == right or _is_zero(left - right)


@lru_cache(maxsize=4096)
def _is_zero(gap: Expr) -> bool:
    if expand(gap) == 0:
        return True
    try:
        return bool(cancel(gap) == 0)
    except (PolynomialError, NotImplementedError):
        return False

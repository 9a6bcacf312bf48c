"""Truth and rivals as functions of plain numbers, made once for each formula."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from typing import Final

from sympy import Expr, Symbol, expand
from sympy.core.basic import Basic

from ...algebra.arithmetic import Number, compiled
from ...algebra.steps import limit_of
from ...algebra.vocabulary import FIXED, LETTERS
from ...reasoning.catalogue import formula as formula_named
from ..misconceptions import about

_DIGITS: Final = 10**24


def nearly(x: Number, degree: int) -> Number:
    """A square root: exact of a perfect square, else a fraction right to more digits than any answer has."""
    assert degree == 2
    x = Fraction(x)
    top, bottom = math.isqrt(x.numerator), math.isqrt(x.denominator)
    if top * top == x.numerator and bottom * bottom == x.denominator:
        return Fraction(top, bottom)
    return Fraction(math.isqrt(x.numerator * x.denominator * _DIGITS**2), x.denominator * _DIGITS)


Evaluated = Callable[..., Number]


Letters = frozenset[Symbol]


@cache
def readings(formula: str, limit: bool, given: Letters) -> tuple[Expr, tuple[tuple[str, Expr], ...]]:
    """The expression that answers a question, at a limit or not, and what each misconception has in its place.

    A misconception can need letters that the formula does not have; where they are not given, nobody can think so.
    """
    chosen = formula_named(formula)
    known = given.union(FIXED, chosen.exact.free_symbols, chosen.letters)
    rivals = [(m.id, rival) for m in about(formula) if (rival := m.rival(chosen.exact)).free_symbols <= known]
    if not limit:
        return chosen.closed, tuple(rivals)
    step = chosen.limit
    assert step is not None, f"{formula} states no limit"
    ends = [(name, limit_of(rival, *step.limit) if step.limit[0] in rival.free_symbols else rival) for name, rival in rivals]
    return step.to, tuple((name, end) for name, end in ends if end.is_finite is not False and 0 not in (end, expand(end - step.to)))


@cache
def letters_of(formula: str, limit: bool, given: Letters) -> tuple[Symbol, ...]:
    """The letters that the truth or a rival depends on, in vocabulary order."""
    truth, rivals = readings(formula, limit, given)
    found = truth.free_symbols.union(*(rival.free_symbols for _, rival in rivals))
    return tuple(s for s in LETTERS if s in found)


@cache
def truth_of(formula: str, limit: bool, given: Letters) -> Evaluated:
    """The answer as a function of the letters."""
    return compiled(readings(formula, limit, given)[0], letters_of(formula, limit, given), root=nearly)


@cache
def rivals_of(formula: str, limit: bool, given: Letters) -> tuple[tuple[str, Evaluated], ...]:
    """Each misconception's id and its value as a function of the letters."""
    letters = letters_of(formula, limit, given)
    return tuple((name, compiled(rival, letters, root=nearly)) for name, rival in readings(formula, limit, given)[1])


@cache
def in_order(expr: Basic) -> tuple[Symbol, ...]:
    """The letters of an expression, in vocabulary order."""
    found = expr.free_symbols
    return tuple(s for s in LETTERS if s in found)


@cache
def worth(expr: Basic) -> Callable[[Mapping[Symbol, Number]], Number]:
    """An expression as a function of what is known, made once."""
    letters, function = in_order(expr), compiled(expr, in_order(expr), root=nearly)
    return lambda known: function(*[known[s] for s in letters])

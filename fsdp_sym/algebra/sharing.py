"""Several expressions with what they have in common taken out, and the two sides of a rounded quotient kept together."""

from __future__ import annotations

from collections.abc import Sequence

from sympy import Function, Symbol, ceiling, cse, floor, numbered_symbols
from sympy.core.basic import Basic


class Ceiled(Function):  # type: ignore[misc]
    """A quotient rounded up, as a function of its two sides: shared as 1/N and multiplied, 49/49 in floats is above 1."""


class Floored(Function):  # type: ignore[misc]
    """The same, rounded down."""


def shared(exprs: Sequence[Basic]) -> tuple[list[tuple[Symbol, Basic]], list[Basic]]:
    """The common parts, each under a name and after those it is made of, and the expressions by these names."""
    parts, reduced = cse([_kept_together(expr) for expr in exprs], numbered_symbols("shared"))
    return list(parts), list(reduced)


def _kept_together(expr: Basic) -> Basic:
    for rounds, kept in ((ceiling, Ceiled), (floor, Floored)):
        expr = expr.replace(rounds, lambda inside, kept=kept: kept(*inside.as_numer_denom()))
    return expr

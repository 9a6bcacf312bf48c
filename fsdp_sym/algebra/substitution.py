"""Putting expressions for letters where nothing comes of comparing them."""

from __future__ import annotations

from collections.abc import Mapping

from sympy import Expr, Max, Min, Symbol


def put(expr: Expr, values: Mapping[Symbol, Expr]) -> Expr:
    """``xreplace``, but an outer Max or Min is not asked which of its sides is always the larger.

    SymPy searches for long, and where nothing is known of the letters there is none: the expression is the same.
    """
    if isinstance(expr, Max | Min):
        return expr.func(*(put(side, values) for side in expr.args), evaluate=False)
    return expr.xreplace(dict(values))

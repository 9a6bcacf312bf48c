"""The dimension of an expression, or an error that names the part where bytes met seconds."""

from __future__ import annotations

from sympy import Add, Expr, Max, Min, Mul, Piecewise, Pow, Sum, Symbol, ceiling, floor, oo
from sympy.core.basic import Basic
from sympy.core.relational import Relational
from sympy.logic.boolalg import BooleanAtom

from .errors import DimensionError
from .printing import to_text
from .units import dimension_name, one
from .vocabulary import letter


def dimension_of(expr: Basic) -> Expr | None:
    """The dimension of an expression; None for 0 and infinity, which have any.

    Raises
    ------
    DimensionError
        Naming the sum, comparison or exponent whose parts do not match.
    """
    match expr:
        case Symbol():
            return letter(expr).dimension
        case BooleanAtom():
            return one
        case _ if expr == 0 or expr in (oo, -oo):
            return None
        case _ if expr.is_number:
            return one
        case Mul():
            product = one
            for factor in expr.args:
                product *= dimension_of(factor) or one
            return product
        case Pow():
            if dimension_of(expr.exp) not in (one, None):
                raise DimensionError(f"the exponent {to_text(expr.exp)} has a dimension: exponents are plain numbers")
            base = dimension_of(expr.base)
            if base is None or base == one:
                return one
            if not expr.exp.is_number:
                raise DimensionError(f"{to_text(expr.base)} has a dimension and cannot be raised to {to_text(expr.exp)}")
            return base**expr.exp
        case Add() | Max() | Min():
            return _common(expr, expr.args)
        case Relational():
            _common(expr, expr.args)
            return one
        case ceiling() | floor():
            return dimension_of(expr.args[0])
        case Sum():
            for _, low, high in expr.limits:
                _common(expr, (low, high))
                if dimension_of(high) not in (one, None):
                    raise DimensionError(f"the sum {to_text(expr)} counts to {to_text(high)}, which is no plain number")
            return dimension_of(expr.function)
        case Piecewise():
            for _, when in expr.args:
                dimension_of(when)
            return _common(expr, [value for value, _ in expr.args])
    raise DimensionError(f"no dimension is known for {type(expr).__name__}: add it to algebra/dimensions.py")


def _common(whole: Basic, parts: list[Basic] | tuple[Basic, ...]) -> Expr | None:
    found: Expr | None = None
    for part in parts:
        here = dimension_of(part)
        if here is None:
            continue
        if found is not None and here != found:
            raise DimensionError(
                f"in {to_text(whole)}, {to_text(part)} is {dimension_name(here)} beside {dimension_name(found)}: "
                "they cannot be added or compared"
            )
        found = here
    return found

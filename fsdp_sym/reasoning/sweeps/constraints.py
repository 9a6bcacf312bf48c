"""What a choice must keep to, as a person writes it: ``sharded_state <= 10 GB``, ``N_t divides a``, ``communication_hides``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from sympy import Eq, Expr, Ge, Le
from sympy.core.relational import Relational

from ...algebra.errors import DimensionError, FsdpSymError, UnknownName
from ...algebra.formula import Formula
from ...algebra.hypotheses import Divides, Hypothesis
from ...algebra.units import Amount, as_dimension, dimension_name, parse_amount
from ...algebra.vocabulary import LETTERS, letter, symbol_named
from ..catalogue import formula as formula_named
from ..catalogue import formulas
from .blocks import condition

_RELATIONS: Final = {"<=": Le, ">=": Ge, "=": Eq, "≤": Le, "≥": Ge}
_PARTED: Final = re.compile(r"(.+?)\s*(<=|>=|≤|≥|=|\bdivides\b)\s*(.+)")
_NAME: Final = re.compile(r"[A-Za-z]\w*")


@dataclass(frozen=True)
class Side:
    """A side of a comparison: an expression, what it measures, and the ranges outside which it means nothing."""

    expr: Expr
    dimension: Expr
    ranges: tuple[Hypothesis, ...] = ()
    formula: Formula | None = None


@dataclass(frozen=True)
class Constraint:
    """A condition that a choice must meet.

    Attributes
    ----------
    text : str
        As it was written.
    expr : Relational
        True where it is met.
    told : Side or None
        What is said of it: the side that varies; None where a formula answers yes or no by itself, or one divides another.
    ranges : tuple of Hypothesis
    """

    text: str
    expr: Relational
    told: Side | None
    ranges: tuple[Hypothesis, ...]


def read_constraint(text: str) -> Constraint:
    """Read a condition.

    Raises
    ------
    FsdpSymError
        In one line that names the condition and what to write.
    """
    written = " ".join(text.split())
    parted = _PARTED.fullmatch(written)
    if parted is None:
        chosen = _named(written)
        if chosen is None or not isinstance(chosen.closed, Relational):
            raise FsdpSymError(
                f"{written[:60]!r} is no condition: write a formula or a letter, then <=, >=, = or divides, then a value, "
                "or a formula that answers yes or no"
            )
        return Constraint(written, chosen.closed, None, chosen.where)
    left, relation, right = parted.groups()
    first, second = side(left), side(right)
    if not first.expr.free_symbols and not second.expr.free_symbols:
        raise FsdpSymError(f"{written[:60]!r} compares two amounts: name a formula or a letter")
    if relation == "divides":
        if first.dimension != second.dimension:
            raise _unlike(written, first, second)
        return Constraint(written, condition(Divides(first.expr, second.expr)), None, (*first.ranges, *second.ranges))
    for one, other in ((first, second), (second, first)):
        if one.formula is None and not one.expr.free_symbols:
            continue
        fitted = as_dimension(Amount(other.expr, other.dimension), one.dimension) if not other.expr.free_symbols else None
        if fitted is None and other.dimension != one.dimension:
            raise _unlike(written, first, second)
        if fitted is not None and other is second:
            second = Side(fitted.value, one.dimension)
        elif fitted is not None:
            first = Side(fitted.value, one.dimension)
    compared = _RELATIONS[relation](first.expr, second.expr, evaluate=False)
    return Constraint(written, compared, first if first.expr.free_symbols else second, (*first.ranges, *second.ranges))


def _unlike(written: str, first: Side, second: Side) -> DimensionError:
    kinds = f"{dimension_name(first.dimension)} with {dimension_name(second.dimension)}"
    return DimensionError(f"{written[:60]!r} compares {kinds}: give both the same")


def side(text: str) -> Side:
    """A formula, a letter or an amount."""
    chosen = _named(text)
    if chosen is not None:
        if isinstance(chosen.closed, Relational):
            raise FsdpSymError(f"{chosen.id} answers yes or no: write it alone, as a condition by itself")
        return Side(chosen.closed, letter(chosen.defines).dimension, chosen.where, chosen)
    if text in {s.name for s in LETTERS}:
        symbol = symbol_named(text)
        return Side(symbol, letter(symbol).dimension)
    if _NAME.fullmatch(text):
        known = [*formulas(), *(s.name for s in LETTERS)]
        raise UnknownName("formula or letter", text, known, "fsdp-sym list formulas and fsdp-sym list letters show all")
    amount = parse_amount(text)
    return Side(amount.value, amount.dimension)


def _named(text: str) -> Formula | None:
    return formula_named(text) if text in formulas() else None

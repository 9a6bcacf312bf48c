"""Several quantities of one configuration at once: composed and compiled a single time, and what they have in common computed once."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import truediv
from typing import Any

from sympy import Expr, Symbol

from ..algebra.agreement import exact
from ..algebra.arithmetic import Number, compiled_together
from ..algebra.errors import FsdpSymError
from ..algebra.formula import Formula
from ..algebra.vocabulary import letter


@dataclass(frozen=True)
class Together:
    """Quantities that are worked together.

    Neither function checks ranges, hypotheses or dimensions, and neither remembers a result.

    Attributes
    ----------
    letters : tuple of Symbol
        What they depend on, in vocabulary order: the arguments of both functions, in base units.
    quantities : tuple of Symbol
        What both functions give, in this order.
    exactly : callable
        Takes ints and Fractions, and gives ints and Fractions; raises `Surd` where a value is irrational.
    in_floats : callable
        Takes numbers, and rounds every quotient to a float; whole numbers stay whole until one is divided.
    """

    letters: tuple[Symbol, ...]
    quantities: tuple[Symbol, ...]
    exactly: Callable[..., tuple[Number, ...]]
    in_floats: Callable[..., tuple[Any, ...]]


def together(quantities: Mapping[Symbol, Formula | Expr], given: Mapping[Symbol, Number] | None = None) -> Together:
    """Work several quantities of one configuration at once.

    Parameters
    ----------
    quantities : mapping
        For each letter the formula, or the expression, that gives its value. One may use the letters of those before it.
    given : mapping, optional
        Values, in base units, of letters that are the same in every configuration.

    Returns
    -------
    Together

    Raises
    ------
    FsdpSymError
        Where one needs another that comes after it.

    >>> from fsdp_sym import formula
    >>> from fsdp_sym.algebra.vocabulary import N, S, T, V, W
    >>> both = together({V: formula("all_gather"), T: V / W})
    >>> both.letters
    (N, S, W)
    >>> both.exactly(4, 700, 50)
    (525, Fraction(21, 2))
    >>> both.in_floats(4, 700, 50)
    (525, 10.5)
    """
    numbers = {s: exact(value) for s, value in (given or {}).items()}
    exprs = {name: (by.closed if isinstance(by, Formula) else by).xreplace(numbers) for name, by in quantities.items()}
    known: set[Symbol] = set()
    needed: set[Symbol] = set()
    for name, expr in exprs.items():
        if name in needed:
            raise FsdpSymError(f"{name.name} is worked out after another quantity needs it: put it before")
        known.add(name)
        needed |= expr.free_symbols - known
    letters = tuple(sorted(needed, key=lambda s: letter(s).order))
    rounded = compiled_together(exprs, letters, over=truediv, root=_root)
    return Together(letters, tuple(exprs), compiled_together(exprs, letters), rounded)


def _root(x: Number, degree: int) -> float:
    return math.pow(x, 1 / degree)

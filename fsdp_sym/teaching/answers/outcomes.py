"""What reading an answer can lead to. All of it is plain data: it compares, and it can be sent to another process."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from sympy import Expr

from .expressions import Tree

Value = int | Fraction | str | Tree | tuple[int, ...] | None


@dataclass(frozen=True)
class Read:
    """An answer that was understood; whether it is right is not said here.

    Parameters
    ----------
    value : int, Fraction, str, Tree, tuple of int, or None
        Exact. A quantity in base units (bits as the dimension says), a choice as its option, a formula as its
        tree, a triple as three ints; None for "there is none".
    echo : str
        How it was read, such as ``112 GB = 112,000,000,000 B``. Made from the value, never from the typed characters.
    dimension : sympy.Expr, optional
        Of a number or a quantity, as it was typed; it may differ from the one asked for, and the echo then says so.
    unit : str, optional
        The unit it was typed in, as it is usually spelled (``GB``, ``Gbit``, ``µs``).
    other : int or Fraction, optional
        The value had its one comma been meant as a decimal point.
    """

    value: Value
    echo: str
    dimension: Expr | None = None
    unit: str | None = None
    other: int | Fraction | None = None


@dataclass(frozen=True)
class Invalid:
    """A text that is no answer. It is not a wrong answer, and costs nothing.

    Parameters
    ----------
    message : str
        One line: what was not understood, and what to write instead.
    column : int, optional
        Where in the typed text, from 0.
    caret : str
        Two lines: the typed text, in which whatever is not plain is replaced by ``?``, and a ``^`` under the place.
        Empty where there is no place to point at. It quotes the student: whoever renders it escapes it.
    """

    message: str
    column: int | None = None
    caret: str = field(default="", repr=False)


@dataclass(frozen=True)
class NotAnswered:
    """Nothing was typed, or spaces alone."""

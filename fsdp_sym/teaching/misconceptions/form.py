"""What a misconception is: a rival formula, the thought behind it, and one sentence to the student.

Its id never depends on numbers, so that reports count across variants.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sympy import Expr


@dataclass(frozen=True)
class Principle:
    """A truth of the field that a misconception violates."""

    id: str
    says: str


@dataclass(frozen=True)
class Misconception:
    """A wrong thought, as the formula it leads to.

    Parameters
    ----------
    id : str
        Its name in every report, such as ``forgot-the-master-copy``.
    about : tuple of str
        The formulas it is a rival of, by id.
    rival : callable
        From a formula's exact reading, an expression or a comparison, to the reading of somebody who thinks so.
    thinks : str
        The thought, in the first person of the one who has it.
    violates : Principle
    tell : str
        One sentence to the student. It holds no number, since it must fit every variant.
    """

    id: str
    about: tuple[str, ...]
    rival: Callable[[Expr], Expr]
    thinks: str
    violates: Principle
    tell: str

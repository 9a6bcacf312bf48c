"""Misconceptions: rival formulas, found by walking this package."""

from __future__ import annotations

import sys
from typing import Final

from ...reasoning.catalogue import find
from .form import Misconception, Principle
from .slips import SLIPS, Slip

MISCONCEPTIONS: Final[dict[str, Misconception]] = {m.id: m for m in find(sys.modules[__name__], Misconception)}
PRINCIPLES: Final[dict[str, Principle]] = {p.id: p for p in find(sys.modules[__name__], Principle)}


def about(formula: str) -> list[Misconception]:
    """The misconceptions about a formula, by its id."""
    return [m for m in MISCONCEPTIONS.values() if formula in m.about]


__all__ = ["MISCONCEPTIONS", "PRINCIPLES", "SLIPS", "Misconception", "Principle", "Slip", "about"]

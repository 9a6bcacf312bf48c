"""Choices by their letter: the letters, and how students write them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ..answers import Choice

LETTERED: Final = "abcdefgh"


def letter_choice(how_many: int, called: tuple[str, ...] = ()) -> Choice:
    """A choice of so many letters, written ``a``, ``a)`` or ``(a)``, or behind one of the words that it may be `called` by."""
    letters = tuple(LETTERED[:how_many])
    return Choice(letters, tuple((spelled, x) for x in letters for spelled in (f"{x})", f"({x})", *(f"{word} {x}" for word in called))))


def lettered(lines: Sequence[str]) -> tuple[str, ...]:
    """The lines behind their letters."""
    return tuple(f"{letter}) {line}" for letter, line in zip(LETTERED, lines, strict=False))

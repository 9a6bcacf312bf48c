"""A guess, kept until the truth is shown, and the two side by side.

The guess lives in the running kernel only: nothing is stored, and a notebook runs the same with and without one.
"""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

from sympy import ceiling

from ..algebra.errors import FsdpSymError, UnknownName
from ..algebra.units import Amount, byte, dimension_name, one, param, show, show_number, to_exact
from ..algebra.vocabulary import letter
from ..reasoning.work import Value, Worked, show_readable
from .answers import Invalid, Quantity, Read, read
from .lessons import LESSONS
from .lessons.blocks import Forecast, Lesson
from .lessons.words import worked

_GLUED_B = re.compile(r"\s*([\d.,]+)B\s*")  # what was meant as bytes and reads as a billion

_GUESSES: dict[str, Amount] = {}


def _asked(cell: str) -> tuple[Lesson, Forecast]:
    known = {lesson.cell: lesson for lesson in LESSONS.values() if lesson.cell and lesson.forecast}
    if cell not in known:
        letters = sorted(c for c in known if c)
        raise UnknownName("cell with a forecast", str(cell), letters, f"the cells are {', '.join(letters)}")
    lesson = known[cell]
    assert lesson.forecast is not None
    return lesson, lesson.forecast


def truth(cell: str) -> Worked:
    """What the forecast of a cell is compared with."""
    lesson, asked = _asked(cell)
    return worked(lesson, lesson.works[asked.of])


def forecast(cell: str, guess: str = "") -> None:
    """Keep a guess, such as ``forecast("A", "24 B/param")`` or ``forecast("D", "700/2 MB")``; a new one replaces it.

    A guess that cannot be read is explained, never an error: a forecast is not an examination.
    """
    print(keep(cell, guess)[1])


def keep(cell: str, guess: str) -> tuple[bool, str]:
    """Keep a guess: whether it could be read, and what is said of it."""
    _, asked = _asked(cell)
    _GUESSES.pop(cell, None)
    guess = str(guess)
    if not guess.strip():
        return False, f'No forecast yet: put one between the quotes, such as forecast("{cell}", "{asked.example}"), and run the cell.'
    try:
        _GUESSES[cell] = _chosen(guess, asked) if asked.options else _amount(guess, truth(cell), asked)
    except FsdpSymError as error:
        return False, f"Not read as a forecast: {error}"
    return True, f"Kept: {show(_GUESSES[cell])}. The answer comes below."


def _chosen(guess: str, asked: Forecast) -> Amount:
    """One of several, by its number, perhaps with its kind before it."""
    bare = re.sub(rf"^(?:(?:{'|'.join(asked.called)})[\s-]*)+", "", guess.strip(), flags=re.IGNORECASE)
    if bare not in asked.options:
        raise FsdpSymError(f"the answer is one of {', '.join(asked.options)}: write it like {asked.example}")
    return Amount(to_exact(int(bare)))


def _amount(guess: str, worked: Worked, asked: Forecast) -> Amount:
    """A guess in the dimension of the truth, within the range of the letter that is asked for."""
    entry = letter(worked.formula.defines)
    unit = asked.example.partition(" ")[2]
    if not any(character.isdigit() for character in guess):
        raise FsdpSymError(f"there is no number in it: write it like {asked.example}")
    if (glued := _GLUED_B.fullmatch(guess)) and entry.dimension in (byte, byte / param):
        raise FsdpSymError(f"a B without a space before it was read as billion: write {glued[1]} {unit}")
    found = read(guess, Quantity(entry.dimension, unit))
    if isinstance(found, Invalid):
        raise FsdpSymError(found.message if unit else f"a plain number is asked: write it like {asked.example}")
    assert isinstance(found, Read)
    assert isinstance(found.value, int | Fraction)
    assert found.dimension is not None
    amount = Amount(to_exact(found.value), found.dimension, found.unit)
    if amount.dimension != entry.dimension:
        wanted, got = dimension_name(entry.dimension), dimension_name(amount.dimension)
        raise FsdpSymError(f"the answer is {wanted}, and {show(amount)} is {got}: write it like {asked.example}")
    amount = replace(amount, unit=amount.unit or unit or None)  # "3/8" where percent are asked is 37.5%
    # A fraction of a byte is a guess like any other; half a rank is not.
    if not entry.holds(amount.value if entry.dimension == one else ceiling(amount.value)):
        raise FsdpSymError(f"{show(amount)} cannot be: {entry.says} is {entry.range_text}; write it like {asked.example}")
    return amount


def reveal_text(cell: str, value: Value) -> str:
    """The lines of the reveal for a given truth."""
    lesson, asked = _asked(cell)
    shown = show_readable(value, lesson.works[asked.of].unit or asked.example.partition(" ")[2] or None)
    shown += " (rounded; the work above has it exactly)" if shown.startswith("≈") else ""
    guess = _GUESSES.get(cell)
    if guess is None:
        return f"truth: {shown}    forecast: none was made"
    line = f"truth: {shown}    forecast: {show(guess)}"
    assert isinstance(value, Amount)
    if asked.options:  # one of several is right or it is not; a ratio would say nothing
        return f"{line}    {'the same' if guess == value else 'not the same'}"
    ratio = guess.value / value.value
    return f"{line}    forecast / truth: {'1, exactly' if ratio == 1 else show_number(ratio, 3)}"


def reveal(cell: str) -> None:
    """Show guess and truth side by side, with their ratio."""
    print(reveal_text(cell, truth(cell).value))

"""A guess, kept until the truth is shown, and the two side by side.

The guess lives in the running kernel only: nothing is stored, and a notebook runs the same with and without one.
"""

from __future__ import annotations

from ..algebra.errors import FsdpSymError, UnknownName
from ..algebra.units import Amount, as_dimension, byte, dimension_name, one, param, parse_amount, show, show_number
from ..reasoning.work import Value, Worked, show_value
from .lessons import LESSONS
from .lessons.blocks import Forecast, Lesson
from .lessons.words import worked

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
    """Keep a guess, such as ``forecast("A", "24 B/param")``; a new one replaces it.

    A guess that cannot be read is explained, never an error: a forecast is not an examination.
    """
    _, asked = _asked(cell)
    _GUESSES.pop(cell, None)
    if not str(guess).strip():
        print(f'No forecast yet: put one between the quotes, such as forecast("{cell}", "{asked.example}"), and run the cell.')
        return
    try:
        _GUESSES[cell] = _fitted(parse_amount(str(guess)), truth(cell), asked)
    except FsdpSymError as error:
        print(f"Not read as a forecast: {error}")
        return
    print(f"Kept: {show(_GUESSES[cell])}. The answer comes below.")


def _fitted(guess: Amount, worked: Worked, asked: Forecast) -> Amount:
    value = worked.value
    if isinstance(value, bool):
        return guess
    fitted = as_dimension(guess, value.dimension)
    if fitted is None and value.dimension == byte / param and guess.dimension == byte:
        fitted = Amount(guess.value, value.dimension)  # "24 bytes" a parameter
    if fitted is None and value.dimension == one and guess.dimension == param:
        fitted = Amount(guess.value)
    if fitted is None:
        wanted, got = dimension_name(value.dimension), dimension_name(guess.dimension)
        raise FsdpSymError(f"the answer is {wanted}, and {show(guess)} is {got}: write it like {asked.example}")
    return fitted


def reveal_text(cell: str, value: Value) -> str:
    """The lines of the reveal for a given truth."""
    lesson, asked = _asked(cell)
    shown = show_value(value, lesson.works[asked.of].unit)
    guess = _GUESSES.get(cell)
    if guess is None:
        return f"truth: {shown}    forecast: none was made"
    line = f"truth: {shown}    forecast: {show(guess)}"
    if isinstance(value, bool) or value.value == 0 or not value.value.is_finite:
        return line
    ratio = guess.value / value.value
    return f"{line}    forecast / truth: {'1, exactly' if ratio == 1 else show_number(ratio, 3)}"


def reveal(cell: str) -> None:
    """Show guess and truth side by side, with their ratio."""
    print(reveal_text(cell, truth(cell).value))

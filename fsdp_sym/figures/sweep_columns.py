"""What the pictures of a sweep share: its letters as columns and labels, and the line under its title."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from textwrap import wrap
from typing import TYPE_CHECKING, Final

from sympy import Symbol

from ..algebra.printing import to_text
from ..algebra.units import Amount, one, show, to_exact
from ..algebra.vocabulary import letter
from ..reasoning.sweeps.program import Array
from ..reasoning.sweeps.sweep import Sweep
from . import style
from .columns import Column, measured

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SHORTEST: Final = 3  # values of an axis of a map
_LONGEST: Final = 88  # letters of a line under the title
_HEIGHT, _MORE = 4.6, 0.17  # inches of the picture, and of every further line
_TIED: Final = "\N{NO-BREAK SPACE}"
_WIDE: Final = 30  # an axis is logarithmic where its largest value is so many times its smallest, or where its values are doubled and so on


_DOUBLED: Final = 2**13  # up to which ratio of the ends there is room for every power of two,
_HALVED: Final = 2000  # and for more than the powers of ten


def unit_of(symbol: Symbol) -> str:
    """The unit a letter is typed in, where it has one."""
    unit = letter(symbol).unit
    return "" if unit[:1].isdigit() else unit


def amount_at(symbol: Symbol, value: Fraction | float) -> Amount:
    return Amount(to_exact(value), letter(symbol).dimension)


def column_of(symbol: Symbol, values: Array) -> Column:
    return measured(to_text(symbol), [amount_at(symbol, value) for value in values.tolist()], unit_of(symbol))


def logarithmic(column: Column) -> bool:
    values = sorted(set(column.drawn))
    if values[0] <= 0:
        return False
    ratios = [after / before for before, after in pairwise(values)]
    return values[-1] > _WIDE * values[0] or (len(ratios) > 1 and len(set(ratios)) == 1)


def scaled(axes: Axes, direction: str, symbol: Symbol, column: Column) -> None:
    """Make an axis logarithmic where its values ask for it: counts with ticks at powers of two, all else at 1, 2, 5 and 10 and so on."""
    from matplotlib.ticker import LogLocator

    if not logarithmic(column):
        return
    axes.set(**{f"{direction}scale": "log"})
    ratio = max(column.drawn) / min(column.drawn)
    if letter(symbol).whole and letter(symbol).dimension == one and ratio <= _DOUBLED:
        locator = LogLocator(base=2, numticks=20)
    else:
        locator = LogLocator(subs=(1, 2, 5) if ratio <= _HALVED else (1,))
    getattr(axes, f"{direction}axis").set_major_locator(locator)


def labelled(symbol: Symbol, column: Column) -> str:
    said = ", ".join([*filter(None, [unit_of(symbol)]), *(["logarithmic"] if logarithmic(column) else [])])
    return f"{to_text(symbol)} ({said})" if said else to_text(symbol)


def canvas_of(sweep: Sweep, title: str, how: str = "") -> Figure:
    """An empty figure for a sweep; under its title, on as many lines as it takes, what is the same at every point, and how to read it."""
    given = [f"{to_text(axis.symbol)} = {show(amount_at(axis.symbol, axis.value(0)))}" for axis in sweep.given]
    # A value stays with its letter.
    said = f"with {', '.join(part.replace(' ', _TIED) for part in given)}" if given else letter(sweep.formula.defines).says
    lines = [*wrap(said, _LONGEST, break_long_words=False), *([how] if how else [])]
    return style.canvas(title, "\n".join(lines).replace(_TIED, " "), _HEIGHT + _MORE * (len(lines) - 1))

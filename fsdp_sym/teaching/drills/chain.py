"""A worked example of several lines, each a formula worked with what came before: one line wrong, or the last ones left blank."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from itertools import product
from typing import Final, NamedTuple

from sympy import Expr, Sum, Symbol
from sympy.core.relational import Relational

from ...algebra.formula import Formula
from ...algebra.printing import to_text
from ...algebra.steps import APPROXIMATIONS
from ...algebra.units import Amount, show, to_exact
from ...algebra.vocabulary import FIXED, letter, read_value
from ...reasoning.catalogue import formula as formula_named
from ...scenarios.plans import WIDTHS
from ..answers import Count, Expects, Number, Quantity
from ..misconceptions import about
from .form import Variant
from .givens import PLAN, Draws, Numbers, drawn, numbers
from .separation import Classes, Thought, never_apart
from .values import in_order, worth

_SHOWN_DIGITS: Final = 6
_PLACE: Final = re.compile("\0(\\w+)\0")
_TRIED_FOR_CLASSES: Final = 60


@dataclass(frozen=True)
class Chain:
    """A worked example.

    Parameters
    ----------
    id : str
    story : str
        What is given, with ``[[N]]`` for the givens.
    lines : tuple of (str, str)
        A formula's id and the unit of its result, in the order in which they are worked.
    draws : mapping
    plans : tuple of str
    """

    id: str
    story: str
    lines: tuple[tuple[str, str], ...]
    draws: Draws
    plans: tuple[str, ...] = ()

    def __hash__(self) -> int:
        return hash(self.id)


class Line(NamedTuple):
    """How one line is worked: its letter, what it equals, and the letters which the lines before it found."""

    defines: Symbol
    reading: Expr
    unit: str
    before: frozenset[Symbol]

    def value(self, known: Numbers) -> Fraction:
        return Fraction(worth(self.reading)(known))

    def shown(self, known: Numbers) -> str:
        """``V = (N - 1)/N·S = 3/4·700 MB = 525 MB``."""
        return self.with_reading(self.reading, known)

    def with_reading(self, reading: Expr, known: Numbers) -> str:
        """The line as it looks with another reading in its place."""
        letters = in_order(reading)
        absent = frozenset(s for s in letters if known[s] == 0)
        # A given as it was given, and what was found before as it was shown there.
        names = {s.name: _amount(s, known[s], "", _SHOWN_DIGITS if s in self.before else None).removeprefix("≈ ") for s in letters}
        result = _amount(self.defines, Fraction(worth(reading)(known)), self.unit, _SHOWN_DIGITS)
        steps = [*_places(reading, absent), result]
        steps[1] = _PLACE.sub(lambda found: names[found[1]], steps[1])
        return f"{to_text(self.defines)} = {' = '.join(dict.fromkeys(steps))}".replace("= ≈", "≈")


@cache
def _places(reading: Expr, absent: frozenset[Symbol]) -> tuple[str, str]:
    """A reading as text, and with marked places for its numbers; what is zero leaves its terms out."""
    left = reading.xreplace({s: to_exact(0) for s in absent})
    return to_text(reading), to_text(left, {s: f"\0{s.name}\0" for s in reading.free_symbols})


@lru_cache(maxsize=1 << 12)
def _amount(symbol: Symbol, value: int | Fraction, unit: str, digits: int | None) -> str:
    return show(Amount(to_exact(value), letter(symbol).dimension), unit or None, digits)


@cache
def lines_of(chain: Chain) -> tuple[Line, ...]:
    """Each line in the reading that uses most of what the lines before it found."""
    known = {*chain.draws, *FIXED, *(WIDTHS if chain.plans else ())}
    found: list[Line] = []
    for name, unit in chain.lines:
        formula = formula_named(name)
        before = {line.defines for line in found}
        states = formula.states[:-1] if formula.steps and isinstance(formula.steps[-1], APPROXIMATIONS) else formula.states
        if _padded(chain, formula):
            states = (formula.start, formula.closed)
        usable = [s for s in states if not isinstance(s, Relational) and not s.has(Sum) and s.free_symbols <= known]
        assert usable, f"{chain.id}: {name} needs letters that are neither given nor found before it"
        reading = max(enumerate(usable), key=lambda s: (len(s[1].free_symbols & before), -len(s[1].free_symbols), s[0]))[1]
        found.append(Line(formula.defines, reading, unit, frozenset(before)))
        known = known | {formula.defines}
    return tuple(found)


def _padded(chain: Chain, formula: Formula) -> bool:
    """Whether a whole number is counted, such as rows, and the values to draw from break what its readings assume."""
    if not letter(formula.defines).whole:
        return False
    for assumed in formula.hypotheses:
        letters = [s for s in assumed.symbols if s in chain.draws]
        for values in product(*(chain.draws[s] for s in letters)):
            if assumed.holds({s: read_value(s, text).value for s, text in zip(letters, values, strict=True)}) is False:
                return True
    return False


def worked(chain: Chain, known: Numbers, changed: dict[int, Fraction] | None = None) -> tuple[Numbers, tuple[Fraction, ...]]:
    """Everything known at the end and each line's value; `changed` lines have these values instead, and later ones follow."""
    known = dict(known)
    found = []
    for at, line in enumerate(lines_of(chain)):
        value = (changed or {}).get(at)
        found.append(line.value(known) if value is None else value)
        known[line.defines] = found[-1]
    return known, tuple(found)


@cache
def rivals_at(chain: Chain, at: int) -> tuple[tuple[str, Expr], ...]:
    """The misconceptions about a line's formula whose readings can be worked there."""
    name = chain.lines[at][0]
    line = lines_of(chain)[at]
    known = {*chain.draws, *FIXED, *(WIDTHS if chain.plans else ()), *(x.defines for x in lines_of(chain)[:at])}
    found: list[tuple[str, Expr]] = []
    for thought in about(name):
        # The thought changes the line as it stands there, where it can; else it brings a reading of its own.
        for truth in (line.reading, formula_named(name).exact):
            wrong = thought.rival(truth)
            if truth is not line.reading:
                wrong = _in_terms_of(chain, at, wrong)
            if wrong not in (truth, line.reading) and wrong.free_symbols <= known:
                found.append((thought.id, wrong))
                break
    return tuple(found)


def _in_terms_of(chain: Chain, at: int, reading: Expr) -> Expr:
    """A reading with what the lines before it found put in: a wrong line must not be told by its looks."""
    for (name, _), line in zip(chain.lines[:at], lines_of(chain), strict=False):
        formula = formula_named(name)
        reading = reading.subs(formula.closed if _padded(chain, formula) else formula.exact, line.defines)
    return reading


def meaningful(chain: Chain, known: Numbers) -> bool:
    """Whether every line means something at these values."""
    return all(h.holds(known) is not False for name, _ in chain.lines for h in formula_named(name).where)


def expects_of(line: Line) -> Expects:
    """What an answer to a line's blank is read as."""
    entry = letter(line.defines)
    if line.unit and line.unit != "%":
        return Quantity(entry.dimension, line.unit)
    return Count() if entry.whole else Number()


def thoughts_at(chain: Chain, at: int, known: Numbers, key: Fraction) -> list[Thought]:
    found = []
    for name, wrong in rivals_at(chain, at):
        try:
            value = Fraction(worth(wrong)(known))
        except ZeroDivisionError:
            continue
        if value > 0 and value != key:
            found.append((name, value))
    return found


@cache
def classes_at(chain: Chain, at: int, plan: str) -> Classes:
    return never_apart(tried_at(chain, at, plan), (name for name, _ in rivals_at(chain, at)), chain.lines[at][1])


def tried_at(chain: Chain, at: int, plan: str) -> Iterator[tuple[Fraction, list[Thought]]]:
    """A line's value and its rivals at givens as they fall, before any is refused."""
    uniform = random.Random(f"classes:{chain.id}").random
    for _ in range(_TRIED_FOR_CLASSES):
        givens = drawn(chain.draws, (), uniform)
        known, values = worked(chain, numbers(Variant("", (*givens, (PLAN, plan)) if plan else givens), chain.draws))
        yield values[at], thoughts_at(chain, at, known, values[at])

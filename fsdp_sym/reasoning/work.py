"""A formula worked at numbers: exact value, substitution, the hypotheses that do not hold there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from sympy import Expr, Symbol, oo

from ..algebra.arithmetic import Number, Surd, compiled
from ..algebra.agreement import exact as to_sympy
from ..algebra.errors import FsdpSymError, MissingValue, OutOfRange
from ..algebra.formula import Bracket, Counted, Formula
from ..algebra.hypotheses import Hypothesis
from ..algebra.printing import to_latex, to_text
from ..algebra.units import Amount, show
from ..algebra.vocabulary import letter, read_value, symbol_named
from ..scenarios.cells import Cell, cell_named
from .catalogue import formula as formula_named

Value = Amount | bool


def plain(value: Expr) -> Number:
    """An exact SymPy number as an int or a Fraction.

    Raises
    ------
    Surd
        Where the value is irrational.
    """
    if value.is_Integer:
        return int(value)
    if value.is_Rational:
        return Fraction(int(value.p), int(value.q))
    raise Surd(str(value))


def evaluate(formula: Formula, values: Mapping[Symbol, Expr]) -> Expr | bool:
    """The full reading of a formula at exact values, as a SymPy number or a truth value."""
    try:
        arguments = [plain(values[s]) for s in formula.letters]
    except KeyError:
        missing = [s for s in formula.letters if s not in values]
        raise MissingValue(
            f"{formula.id} needs {', '.join(f'{s.name} ({letter(s).says})' for s in missing)}: give {missing[0].name}=..."
        ) from None
    except Surd:
        return _symbolically(formula, values)
    try:
        found = compiled(formula.closed, formula.letters)(*arguments)
    except Surd:
        return _symbolically(formula, values)
    except ZeroDivisionError:
        raise OutOfRange(f"{formula.id} divides by zero at these values: {_outside(formula, values)}") from None
    return found if isinstance(found, bool) or isinstance(found, Expr) else to_sympy(found)


def _outside(formula: Formula, values: Mapping[Symbol, Expr]) -> str:
    return "; ".join(f"it needs that {h}" for h in formula.where if h.holds(values) is False) or "choose others"


def _symbolically(formula: Formula, values: Mapping[Symbol, Expr]) -> Expr | bool:
    found = formula.closed.xreplace(dict(values))
    if found in (True, False):
        return bool(found)
    return found


@dataclass(frozen=True)
class Worked:
    """A formula at the values of a cell.

    Attributes
    ----------
    value : Amount or bool
        The full reading: what the count equals. At N = oo, the limit.
    ideal : Amount or bool
        The exact reading, which differs from `value` only where a hypothesis is violated.
    violated : tuple of Hypothesis
        The hypotheses that do not hold at these values.
    """

    formula: Formula
    values: Mapping[Symbol, Amount]
    where: str = ""

    @cached_property
    def numbers(self) -> dict[Symbol, Expr]:
        return {s: a.value for s, a in self.values.items()}

    @property
    def at_limit(self) -> bool:
        return any(a.value == oo for a in self.values.values())

    @cached_property
    def value(self) -> Value:
        if self.at_limit:
            return self._checked(self._limit())
        broken = [h for h in self.formula.where if h.holds(self.numbers) is False]
        if broken:
            raise OutOfRange(f"{self.formula.id} means nothing where {self._values_of(broken[0])}: it needs that {broken[0]}")
        return self._checked(evaluate(self.formula, self.numbers))

    def _values_of(self, hypothesis: Hypothesis) -> str:
        mentioned = [s for s in self.values if s in hypothesis.symbols]
        return ", ".join(f"{to_text(s)} = {self.values[s]}" for s in mentioned) or "the values are such"

    @cached_property
    def ideal(self) -> Value:
        if self.at_limit:
            return self.value
        found = self.formula.exact.xreplace(self.numbers).doit()
        return bool(found) if found in (True, False) else Amount(found, letter(self.formula.defines).dimension)

    @cached_property
    def violated(self) -> tuple[Hypothesis, ...]:
        return () if self.at_limit else tuple(h for h in self.formula.hypotheses if h.holds(self.numbers) is False)

    def _limit(self) -> Expr | bool:
        step = self.formula.limit
        endless = [s for s, a in self.values.items() if a.value == oo and s in self.formula.letters]
        if not endless:
            raise MissingValue(f"{self.formula.id} does not depend on a letter that is infinite here")
        if step is None or endless != [step.limit[0]]:
            raise OutOfRange(f"{self.formula.id} states no limit for {', '.join(s.name for s in endless)}: give a number")
        missing = [s for s in step.to.free_symbols if s not in self.numbers]
        if missing:
            raise MissingValue(f"{self.formula.id} needs {', '.join(sorted(s.name for s in missing))}")
        return step.to.xreplace(self.numbers)

    def _checked(self, value: Expr | bool) -> Value:
        if isinstance(value, bool):
            return value
        entry = letter(self.formula.defines)
        if value != oo and not self.at_limit and not entry.holds(value):
            raise OutOfRange(
                f"{self.formula.id} gives {entry.name} = {show(Amount(value, entry.dimension))} here, out of its range "
                f"({entry.says}: {entry.range_text}): the values contradict one another"
            )
        return Amount(value, entry.dimension)

    def shown(self, unit: str | None = None, digits: int | None = None) -> str:
        """The value as text: exact, or rounded to `digits` behind ``≈``."""
        return show_value(self.value, unit, digits)

    def substitution(self) -> tuple[Expr, dict[Symbol, str]]:
        """The reading that was computed and the text of each letter, for the line formula -> numbers -> result."""
        step = self.formula.limit
        if self.at_limit and step is not None:
            reading = step.to
        else:
            reading = self.formula.closed if self.violated else self.formula.exact
        return reading, {s: show(self.values[s]) for s in reading.free_symbols}

    @property
    def text(self) -> str:
        reading, names = self.substitution()
        head = to_text(self.formula.defines)
        return f"{head} = {to_text(reading)} = {to_text(reading, names)} = {self.shown()}"

    @property
    def latex(self) -> str:
        reading, names = self.substitution()
        head = to_latex(self.formula.defines)
        return f"{head} = {to_latex(reading)} = {to_latex(reading, names)} = {latex_value(self.value)}"

    def __str__(self) -> str:
        return self.shown()


def show_value(value: Value, unit: str | None = None, digits: int | None = None) -> str:
    """``14 GB``, ``8/15``, ``yes``; rounding, where asked for, is marked by ``≈``."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return show(value, unit, digits)


def latex_value(value: Value) -> str:
    """The same for a formula line."""
    if isinstance(value, bool):
        return r"\text{yes}" if value else r"\text{no}"
    text = show(value)
    if text == "∞":
        return r"\infty"
    number, _, unit = text.removeprefix("≈ ").partition(" ")
    mantissa, power, exponent = number.partition("e")
    number = rf"{mantissa} \times 10^{{{exponent}}}" if power else number.replace(",", "{,}")
    unit = unit.replace("%", r"\%").replace("µ", r"\mu{}")
    return (r"\approx " if text.startswith("≈") else "") + number + (rf"\,\mathrm{{{unit}}}" if unit else "")


def work(where: str | Cell | Mapping[str | Symbol, object], formula: str | Formula, **at: object) -> Worked:
    """Work a formula at a cell's numbers, with some of them changed.

    Parameters
    ----------
    where : str, Cell or mapping
        A cell's letter such as ``"D"``, or values of one's own by letter.
    formula : str or Formula
        A formula or its id, such as ``"all_gather"``.
    **at
        Other values for letters: ``N=8``, ``S="80 GB"``, ``N="oo"``.

    Returns
    -------
    Worked

    Raises
    ------
    FsdpSymError
        In one line, for an unknown cell, formula or letter, or a value that cannot be.
    """
    chosen = formula_named(formula) if isinstance(formula, str) else formula
    values: dict[Symbol, Amount] = {}
    name = ""
    if isinstance(where, Mapping):
        at = {**{str(k): v for k, v in where.items()}, **at}
    else:
        cell = cell_named(where) if isinstance(where, str) else where
        values, name = dict(cell.values), cell.id
    for key, given in at.items():
        symbol = symbol_named(key)
        values[symbol] = read_value(symbol, given)
    used = set(chosen.letters) | {s for h in chosen.where for s in h.symbols}
    return Worked(chosen, {s: a for s, a in values.items() if s in used}, name)


def count(worked: Worked) -> Value | Bracket:
    """The same value by the counting route; at N = oo, extrapolated from three counts.

    Raises
    ------
    FsdpSymError
        Where the formula has no count, or the limit cannot be extrapolated exactly.
    """
    formula = worked.formula
    if formula.counted is None:
        raise FsdpSymError(f"{formula.id} has no counting route: add counted=... to its file")
    found = _extrapolated(worked) if worked.at_limit else formula.counted(**{s.name: plain(worked.numbers[s]) for s in formula.letters})
    if isinstance(found, bool | Bracket):
        return found
    return Amount(to_sympy(found), letter(formula.defines).dimension)


def _extrapolated(worked: Worked) -> Counted:
    """The value at infinity of a law a + b/N, from counts at N, 2N and 4N that agree on it."""
    step = worked.formula.limit
    assert step is not None and worked.formula.counted is not None
    endless = step.limit[0]
    for ranks in range(1, 257):
        values = {s: worked.numbers[s] for s in worked.formula.letters if s != endless}
        points = [values | {endless: to_sympy(ranks * scale)} for scale in (1, 2, 4)]
        if all(h.holds(p) is not False for p in points for h in worked.formula.hypotheses):
            one, two, four = (worked.formula.counted(**{s.name: plain(v) for s, v in p.items()}) for p in points)
            if any(isinstance(x, Bracket) for x in (one, two, four)):
                break
            if 2 * two - one != 2 * four - two:  # type: ignore[operator]
                raise FsdpSymError(f"{worked.formula.id} does not follow a + b/{endless.name}: its limit cannot be counted")
            return 2 * two - one  # type: ignore[operator]
    raise FsdpSymError(f"{worked.formula.id} has no rank count at which nothing is padded: its limit cannot be counted")

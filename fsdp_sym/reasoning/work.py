"""A formula worked at numbers: exact value, substitution, the hypotheses that do not hold there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property

from sympy import Expr, Piecewise, Symbol, oo
from sympy.core.basic import Basic
from sympy.core.relational import Relational
from sympy.logic.boolalg import BooleanAtom

from ..algebra.agreement import exact as to_sympy
from ..algebra.arithmetic import Number, Surd, compiled
from ..algebra.errors import FsdpSymError, MissingValue, OutOfRange
from ..algebra.formula import Bracket, Counted, Formula
from ..algebra.hypotheses import Hypothesis
from ..algebra.markup import element, mathematics, notebook_table
from ..algebra.markup import text as markup
from ..algebra.printing import amount_to_latex, over_lines, to_latex, to_text
from ..algebra.units import IRRATIONAL_DIGITS, Amount, show, show_readably
from ..algebra.vocabulary import FIXED, letter, read_value, symbol_named
from ..scenarios.cells import CELLS, Cell, cell_named
from .catalogue import formula as formula_named

Value = Amount | bool
Where = str | Cell | Mapping[str | Symbol, object]  # a cell's letter, a cell, or values of one's own
_FEW = 3  # letters that are explained where they lack
_BESIDE_A_DECIMAL = 12  # digits of what is compared with a decimal
_LONG_LINE, _WIDTH = 180, 96  # characters; a longer line is broken over lines of this width


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


def evaluator(formula: Formula) -> Callable[..., Number | bool]:
    """The full reading as a function of ints and Fractions in base units, in the order of `Formula.letters`.

    It is the way to evaluate one formula many times: nothing of SymPy is called. It checks no range and no hypothesis, and
    raises `Surd` where the value is irrational.

    >>> from fsdp_sym import formula
    >>> evaluator(formula("all_gather"))(4, 700)  # N, S
    525
    """
    return compiled(formula.closed, formula.letters)


def evaluate(formula: Formula, values: Mapping[Symbol, Expr]) -> Expr | bool:
    """The full reading of a formula at exact values, as a SymPy number or a truth value."""
    try:
        arguments = [plain(values[s]) for s in formula.letters]
    except KeyError:
        missing = [s for s in formula.letters if s not in values]
        raise lacking(formula, missing) from None
    except Surd:
        return _symbolically(formula, values)
    try:
        found = evaluator(formula)(*arguments)
    except Surd:
        return _symbolically(formula, values)
    except ZeroDivisionError:
        raise OutOfRange(f"{formula.id} divides by zero at these values: {_outside(formula, values)}") from None
    return found if isinstance(found, bool | Expr) else to_sympy(found)


def lacking(formula: Formula, missing: Sequence[Symbol], purpose: str = "") -> MissingValue:
    """The refusal that names every letter a formula lacks, and where they are few says what each is."""
    if len(missing) <= _FEW:
        said = ", ".join(f"{s.name} ({letter(s).says})" for s in missing)
        return MissingValue(f"{formula.id} needs {said}{purpose}: give {', '.join(f'{s.name}=...' for s in missing)}")
    *names, last = (s.name for s in missing)
    cell = next((cell.id for cell in CELLS.values() if cell.values.keys() >= set(missing)), None)
    remedy = f"give each a value, such as {letter(missing[0]).typed}{f', or take them from cell {cell}' if cell else ''}"
    return MissingValue(f"{formula.id} needs {', '.join(names)} and {last}{purpose}: {remedy}")


def _outside(formula: Formula, values: Mapping[Symbol, Expr]) -> str:
    return "; ".join(f"it needs that {h}" for h in formula.where if h.holds(values) is False) or "choose others"


def _symbolically(formula: Formula, values: Mapping[Symbol, Expr]) -> Expr | bool:
    found = formula.closed.xreplace(dict(values))
    return bool(found) if isinstance(found, BooleanAtom) else found


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

    @cached_property
    def numbers(self) -> dict[Symbol, Expr]:
        return {s: a.value for s, a in self.values.items()}

    @cached_property
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
        return bool(found) if isinstance(found, BooleanAtom) else Amount(found, letter(self.formula.defines).dimension)

    @cached_property
    def violated(self) -> tuple[Hypothesis, ...]:
        return () if self.at_limit else tuple(h for h in self.formula.hypotheses if h.holds(self.numbers) is False)

    def _limit(self) -> Expr | bool:
        step = self.formula.limit
        endless = [s for s, a in self.values.items() if a.value == oo and s in self.formula.letters]
        if not endless:
            name = next(s.name for s, a in self.values.items() if a.value == oo)
            raise OutOfRange(f"{self.formula.id} does not depend on {name}, which is infinite here: give it a number")
        if step is None or endless != [step.limit[0]]:
            raise OutOfRange(f"{self.formula.id} states no limit for {', '.join(s.name for s in endless)}: give a number")
        missing = [s for s in self.formula.letters if s in step.to.free_symbols and s not in self.numbers]
        if missing:
            raise lacking(self.formula, missing)
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

    @property
    def reading(self) -> Basic:
        """What the line shows as the formula: the limit, the exact reading, or the full one where a hypothesis fails."""
        if self.at_limit and self.formula.limit is not None:
            return self.formula.limit.to
        return self.formula.closed if self.violated else self.formula.exact

    def _written(self, write: Callable[..., str]) -> list[str]:
        """The formula, and the formula with its numbers: behind ``≈`` where one is too long to be read and is rounded.

        A letter that is zero here leaves its terms out. A formula that is a bare number leaves nothing to write but the result.
        """
        reading = self.reading
        if reading.is_number:
            return []
        if reading.free_symbols == {reading}:
            return [write(reading)]
        absent = {s: self.numbers[s] for s in reading.free_symbols if self.numbers[s] == 0}
        left = reading.xreplace(absent) if absent else reading
        if isinstance(reading, Relational):
            # Decided, it would be written as "true" or "false" instead of its numbers.
            left = reading.func(*(side.xreplace(absent) for side in reading.args), evaluate=False)
            return [write(reading), write(left, {s: show(self.values[s]) for s in reading.free_symbols})]
        names = {s: show_readably(self.values[s]) for s in reading.free_symbols}
        about = (r"\approx " if write is to_latex else "≈ ") if _any_rounded(names.values()) else ""
        return [write(reading), about + write(left, {s: name.removeprefix("≈ ") for s, name in names.items()})]

    def result(self, value: Value | None = None, unit: str | None = None, digits: int | None = None) -> str:
        """The value as it stands by itself: with the decimal behind a long fraction, and with its name where it has one."""
        found = self.value if value is None else value
        return show_result(found, unit, digits) + self._name(found, " ({})")

    def _name(self, value: Value, written: str) -> str:
        """What a value is called, written so; empty where it has no name."""
        name = "" if isinstance(value, bool) else letter(self.formula.defines).named(value.value)
        return written.format(name) if name else ""

    def line(self, value: Value | None = None, unit: str | None = None, digits: int | None = None) -> str:
        """Formula, numbers, result with its unit; `value` is the result to write, by default the full reading's.

        A limit is written with its arrow, a comparison with its answer, and a hypothesis that fails is named.
        """
        found = self.value if value is None else value
        steps = self._written(to_text)
        result = show_rounded(found, unit, digits) if _any_rounded(steps) else self.result(found, unit, digits)
        head = to_text(self.formula.defines)
        if self.at_limit and self.formula.limit is not None:
            letters = " → ".join(to_text(x) for x in self.formula.limit.limit)
            assumed = f", where {'; '.join(map(str, self.formula.hypotheses))}" if self.formula.hypotheses else ""
            return f"{head} → {_joined([*steps, result])} as {letters}{assumed}"
        if isinstance(self.reading, Relational):
            return f"{': '.join(steps)}: {result}"
        if isinstance(self.reading, Piecewise):
            return "\n".join([f"{head} is the first that holds:", *(f"  {case}" for case in steps[-1].split("; ")), f"{head} = {result}"])
        failing = f"  (here it is not so that {'; '.join(map(str, self.violated))})" if self.violated else ""
        line = _joined([*steps, result])
        if len(line) <= _LONG_LINE:
            return f"{head} = {line}{failing}"
        return "\n".join([head, *(_over_lines(step) for step in _signed([*steps, result]))]) + failing

    @property
    def latex(self) -> str:
        """The same line in LaTeX."""
        steps = self._written(to_latex)
        result = latex_value(self.value) + self._name(self.value, r"\text{{ ({})}}")
        if isinstance(self.reading, Relational):
            return r":\quad ".join([*steps, result])
        arrow = r"\to" if self.at_limit else "="
        right = " = ".join([*steps, result]).replace(r"= \approx", r"\approx")
        return f"{to_latex(self.formula.defines)} {arrow} {right}"

    def remarks(self, unit: str | None = None, digits: int | None = None) -> list[str]:
        """One line for the hypotheses that fail, with the reading that assumes them; of a limit, for those it assumes."""
        if self.at_limit and self.formula.hypotheses:
            return [f"The limit is taken where {'; '.join(h.text for h in self.formula.hypotheses)}."]
        if not self.violated:
            return []
        failing = "; ".join(h.text for h in self.violated)
        if self.ideal == self.value:
            return [f"The derivation assumes that {failing}. It is not so here, and the value is the same."]
        ideal = show_value(self.ideal, unit, digits)
        if "/" in ideal.partition(" ")[0]:
            ideal += f" {show_value(self.ideal, unit, _BESIDE_A_DECIMAL)}"
        return [f"Not so here: {failing}. Under that assumption it would be {ideal}."]

    @property
    def html(self) -> str:
        """The statement, the same with its numbers, the result, what fails, what each letter stands for, for a notebook."""
        names = ("formula", "with the numbers here")
        steps = self._written(to_latex)
        rows = [(name, mathematics(step)) for name, step in zip(names, steps, strict=False) if step not in steps[: names.index(name)]]
        head, result = mathematics(to_latex(self.formula.defines)), element("strong", markup(self.result()))
        letters = [
            (mathematics(to_latex(s)), element("code", markup(f"{s.name} = {self.values[s]}")), markup(letter(s).says))
            for s in self.formula.letters
            if s in self.values
        ]
        return element(
            "div",
            notebook_table((head, markup(letter(self.formula.defines).says)), [*rows, ("result", result)], f"{self.formula.title}."),
            *(element("p", markup(line)) for line in self.remarks()),
            notebook_table(("letter", "here", "what it is"), letters, "Letters") if letters else "",
            element("p", markup(f"Source: {self.formula.source}.")),
        )

    @property
    def _lacks(self) -> bool:
        """Whether a value is missing, or means nothing: the text says so, and there is nothing to set."""
        try:
            return self.value is None
        except FsdpSymError:
            return True

    def _repr_html_(self) -> str | None:
        return None if self._lacks else self.html

    def _repr_latex_(self) -> str | None:
        return None if self._lacks else f"${self.latex}$"

    def __str__(self) -> str:
        return self.line()

    __repr__ = __str__


def _joined(steps: list[str]) -> str:
    """``a = b = c``, without saying the same twice, and with the rounding sign instead of an equals sign."""
    return " ".join(_signed(steps)).removeprefix("= ")


def _signed(steps: Sequence[str]) -> list[str]:
    """Each step behind its sign, but not the same twice."""
    kept = [step for at, step in enumerate(steps) if at == 0 or step != steps[at - 1]]
    return [step if step.startswith("≈") else f"= {step}" for step in kept]


def _over_lines(step: str) -> str:
    return "\n".join(over_lines(step, _WIDTH, "  "))


def _any_rounded(texts: Iterable[str]) -> bool:
    return any(text.startswith("≈") for text in texts)


def show_value(value: Value, unit: str | None = None, digits: int | None = None) -> str:
    """``14 GB``, ``8/15``, ``yes``; rounding, where asked for or where the value is irrational, is marked by ``≈``."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return show(value, unit, digits)


def show_result(value: Value, unit: str | None = None, digits: int | None = None) -> str:
    """The same, with the decimal behind a long fraction: ``4,194,304/515 B ≈ 8144.28 B``."""
    shown, read = show_value(value, unit, digits), show_readable(value, unit, digits)
    return shown if shown == read else f"{shown} {read}"


def show_readable(value: Value, unit: str | None = None, digits: int | None = None) -> str:
    """The same where no work stands beside it: what is too long to be read is rounded."""
    return show_value(value) if isinstance(value, bool) else show_readably(value, unit, digits)


def show_rounded(value: Value, unit: str | None = None, digits: int | None = None) -> str:
    """The decimal first, and exactly what it is behind it: the result of numbers that were written rounded."""
    exact, rounded = show_value(value, unit), show_value(value, unit, digits or IRRATIONAL_DIGITS)
    return exact if exact == rounded else f"{rounded} (exactly {exact})"


def latex_value(value: Value) -> str:
    """The same for a formula line."""
    if isinstance(value, bool):
        return r"\text{yes}" if value else r"\text{no}"
    return amount_to_latex(show_readably(value))


def values_at(where: Where, at: Mapping[str, object]) -> dict[Symbol, Amount]:
    """The values of a cell, or of one's own, with some changed; a letter with one possible value, bits in a byte, has it."""
    if isinstance(where, Mapping):
        return _fixed() | _read({str(k): v for k, v in where.items()} | dict(at))
    return _fixed() | (cell_named(where) if isinstance(where, str) else where).values | _read(at)


@cache
def _fixed() -> dict[Symbol, Amount]:
    return {s: read_value(s, value) for s, value in FIXED.items()}


def _read(given: Mapping[str, object]) -> dict[Symbol, Amount]:
    return {symbol_named(name): read_value(symbol_named(name), value) for name, value in given.items()}


def work(where: Where, formula: str | Formula, **at: object) -> Worked:
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
    values = values_at(where, at)
    used = {*chosen.letters, *chosen.counted_letters, *(s for h in chosen.where for s in h.symbols)}
    return Worked(chosen, {s: a for s, a in values.items() if s in used})


def count(worked: Worked) -> Value | Bracket:
    """The same value by the counting route; at N = oo, extrapolated from three counts.

    An irrational value comes as exact bounds.

    Raises
    ------
    FsdpSymError
        Where the formula has no count, or the limit cannot be extrapolated exactly.
    """
    formula = worked.formula
    if formula.counted is None:
        raise FsdpSymError(f"{formula.id} has no counting route: add counted=... to its file")
    found = _extrapolated(worked) if worked.at_limit else _counted(formula, worked.numbers)
    if isinstance(found, bool | Bracket):
        return found
    return Amount(to_sympy(found), letter(formula.defines).dimension)


def counted_line(worked: Worked, unit: str | None = None) -> str:
    """`Worked.line`, with its result from the counting route alone.

    Raises
    ------
    FsdpSymError
        Where there is no count, or its bounds are too wide to show the value.
    """
    found = count(worked)
    if not isinstance(found, Bracket):
        return worked.line(found, unit)
    dimension = letter(worked.formula.defines).dimension
    low, high = (worked.line(Amount(to_sympy(x), dimension), unit, IRRATIONAL_DIGITS) for x in (found.low, found.high))
    if low != high:
        raise FsdpSymError(f"the count of {worked.formula.id} brackets its value too loosely to show it: {low} and {high}")
    return low


def _extrapolated(worked: Worked) -> Counted:
    """The value at infinity of a law a + b/N, or 1/(a + b/N), from counts at N, 2N and 4N that agree on it."""
    formula, step = worked.formula, worked.formula.limit
    assert step is not None
    endless = step.limit[0]
    for ranks in range(1, 257):
        points = [worked.numbers | {endless: to_sympy(ranks * scale)} for scale in (1, 2, 4)]
        if all(h.holds(p) is not False for p in points for h in formula.hypotheses + formula.where):
            counts = [_counted(formula, p) for p in points]
            for law in (lambda x: x, lambda x: 1 / Fraction(x) if x else None):
                one, two, four = (law(x) if isinstance(x, int | Fraction) else None for x in counts)
                if one is not None and two is not None and four is not None and 2 * two - one == 2 * four - two:
                    return law(2 * two - one) or 0
            raise FsdpSymError(f"{formula.id} follows no law a + b/{endless.name} here: its limit cannot be counted")
    raise FsdpSymError(f"{formula.id} has no {endless.name} up to 256 at which nothing is padded: its limit cannot be counted")


def _counted(formula: Formula, values: Mapping[Symbol, Expr]) -> Counted:
    assert formula.counted is not None
    return formula.counted(**{s.name: plain(values[s]) for s in formula.counted_letters})

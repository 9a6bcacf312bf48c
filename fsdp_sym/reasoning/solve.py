"""A formula backwards: for which value of a letter does it give, or stay within, a target?

Real letters are inverted exactly. Whole letters are searched exactly where the formula is monotone: the smallest
or largest whole number that meets the bound, with its neighbour as the witness. "Never" is an answer, with its reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Final

from sympy import Eq, Expr, Integer, Max, Min, Symbol, ceiling, divisors, floor, oo
from sympy import solve as invert
from sympy.core.relational import Relational

from ..algebra.errors import DimensionError, FsdpSymError, MissingValue
from ..algebra.formula import Formula
from ..algebra.printing import to_latex, to_text
from ..algebra.steps import limit_of
from ..algebra.units import Amount, as_dimension, dimension_name, parse_amount, show
from ..algebra.vocabulary import G, N_d, N_p, N_t, letter, read_value, symbol_named
from ..scenarios.cells import Cell, cell_named
from .catalogue import formula as formula_named
from .monotone import trend
from .work import evaluate

_FAR: Final = 10**30  # more ranks, layers or tokens than there will ever be


@dataclass(frozen=True)
class Solution:
    """What `solve` found.

    Attributes
    ----------
    value : Amount or None
        The letter's value; None means that no value meets the target.
    reason : str
        Why: the inverse that was evaluated, the neighbour that fails, or why there is none.
    inverse : Expr or None
        The letter as an expression in the others, where there is an exact one.
    """

    formula: Formula
    unknown: Symbol
    value: Amount | None
    reason: str
    inverse: Expr | None = None

    @property
    def never(self) -> bool:
        return self.value is None

    def shown(self) -> str:
        return "never" if self.value is None else show(self.value)

    @property
    def text(self) -> str:
        return f"{to_text(self.unknown)}: {self.shown()} ({self.reason})"

    @property
    def latex(self) -> str:
        if self.value is None:
            return rf"{to_latex(self.unknown)}:\ \text{{never}}"
        middle = f" = {to_latex(self.inverse)}" if self.inverse is not None else ""
        return rf"{to_latex(self.unknown)}{middle} = {show(self.value)}"

    def __str__(self) -> str:
        return self.shown()


def solve(
    where: str | Cell | Mapping[str | Symbol, object], formula: str | Formula, for_: str | Symbol, *,
    equals: object = None, at_most: object = None, at_least: object = None, **at: object,
) -> Solution:
    """Solve a formula for one of its letters.

    Parameters
    ----------
    where : str, Cell or mapping
        A cell's letter, or values of one's own.
    formula : str or Formula
    for_ : str or Symbol
        The unknown letter.
    equals, at_most, at_least
        The target; exactly one, in the unit of what the formula defines. With a bound the extreme value that
        meets it is returned: the smallest N with M <= budget, the largest S with t <= limit.
    **at
        Other values for letters.

    Returns
    -------
    Solution

    Raises
    ------
    FsdpSymError
        In one line, where the request makes no sense.
    """
    chosen = formula_named(formula) if isinstance(formula, str) else formula
    unknown = symbol_named(for_) if isinstance(for_, str) else for_
    relation, target = _target(chosen, equals, at_most, at_least)
    if unknown not in chosen.letters:
        names = ", ".join(s.name for s in chosen.letters)
        raise MissingValue(f"{chosen.id} does not depend on {unknown.name}: it can be solved for {names}")
    known = _known(where, unknown, at)
    missing = [s for s in chosen.letters if s != unknown and s not in known]
    if missing:
        said = ", ".join(f"{s.name} ({letter(s).says})" for s in missing)
        raise MissingValue(f"{chosen.id} needs {said} to be solved for {unknown.name}: give {missing[0].name}=...")
    if unknown not in chosen.exact.free_symbols:
        assumed = "; ".join(map(str, chosen.hypotheses))
        reading = f"{to_text(chosen.defines)} = {to_text(chosen.exact)}"
        return Solution(chosen, unknown, None, f"{reading} does not depend on {unknown.name} where {assumed}")
    if isinstance(chosen.full, Relational):
        raise FsdpSymError(f"{chosen.id} is a comparison: solve the formula on its left side with at_most or at_least")
    problem = _Problem(chosen, unknown, known, relation, target)
    return problem.whole() if letter(unknown).whole else problem.real()


def _target(formula: Formula, equals: object, at_most: object, at_least: object) -> tuple[str, Expr]:
    given = [(relation, value) for relation, value in (("=", equals), ("<=", at_most), (">=", at_least)) if value is not None]
    if len(given) != 1:
        raise FsdpSymError("solve needs exactly one target: equals, at_most or at_least")
    relation, value = given[0]
    entry = letter(formula.defines)
    amount = parse_amount(value) if isinstance(value, str) else value if isinstance(value, Amount) else read_value(formula.defines, value)
    fitted = as_dimension(amount, entry.dimension)
    if fitted is None:
        raise DimensionError(
            f"{formula.id} gives {dimension_name(entry.dimension)}, and {str(value)[:40]!r} is {dimension_name(amount.dimension)}: "
            f"give the target in {entry.unit or 'plain numbers'}"
        )
    return relation, fitted.value


def _known(where: str | Cell | Mapping[str | Symbol, object], unknown: Symbol, at: Mapping[str, object]) -> dict[Symbol, Expr]:
    if isinstance(where, Mapping):
        values = {symbol_named(str(k)): read_value(symbol_named(str(k)), v) for k, v in where.items()}
    else:
        values = dict((cell_named(where) if isinstance(where, str) else where).values)
    values |= {symbol_named(k): read_value(symbol_named(k), v) for k, v in at.items()}
    return {s: a.value for s, a in values.items() if s != unknown}


@dataclass(frozen=True)
class _Problem:
    formula: Formula
    unknown: Symbol
    known: Mapping[Symbol, Expr]
    relation: str
    target: Expr

    @cached_property
    def entry_dimension(self) -> Expr:
        return letter(self.formula.defines).dimension

    def show(self, value: Expr) -> str:
        return show(Amount(value, self.entry_dimension))

    def at(self, value: Expr) -> Expr:
        found = evaluate(self.formula, {**self.known, self.unknown: value})
        assert not isinstance(found, bool)
        return found

    def meets(self, value: Expr) -> bool:
        found = self.at(value)
        return bool({"=": found == self.target, "<=": found <= self.target, ">=": found >= self.target}[self.relation])

    @property
    def asked(self) -> str:
        return f"{to_text(self.formula.defines)} {self.relation.replace('<=', '≤').replace('>=', '≥')} {self.show(self.target)}"

    def solution(self, value: Expr | None, reason: str, inverse: Expr | None = None) -> Solution:
        amount = None if value is None else Amount(value, letter(self.unknown).dimension)
        return Solution(self.formula, self.unknown, amount, reason, inverse)

    def never(self, reason: str) -> Solution:
        return self.solution(None, f"no {self.unknown.name} gives {self.asked}: {reason}")

    # A real unknown: the exact inverse, and a check that it lies in range and meets the target.

    def real(self) -> Solution:
        inverse = self.inverse()
        if inverse is None:
            raise FsdpSymError(f"{self.formula.id} has no exact inverse for {self.unknown.name}: solve it for another letter")
        value = inverse.xreplace({**self.known, self.formula.defines: self.target})
        name = to_text(self.unknown)
        if not value.is_finite:
            return self.never(f"{name} = {to_text(inverse)} divides by zero here")
        if not letter(self.unknown).holds(value):
            shown = show(Amount(value, letter(self.unknown).dimension))
            return self.never(f"it would take {name} = {shown}, and {name} is {letter(self.unknown).range_text}")
        if self.at(value) != self.target:
            return self.never(f"{name} = {to_text(inverse)} fits only where {'; '.join(map(str, self.formula.hypotheses))}")
        bound = {"=": "", "<=": " is where the bound is met exactly", ">=": " is where the bound is met exactly"}[self.relation]
        return self.solution(value, f"{name} = {to_text(inverse)}{bound}", inverse)

    def inverse(self) -> Expr | None:
        """The unknown in terms of the defined letter and the others, from the exact reading; one root in range."""
        roots = invert(Eq(self.formula.defines, self.formula.exact), self.unknown)
        kept = [x for x in roots if not x.has(ceiling, floor, Max, Min) and x.is_nonpositive is not True]
        return kept[0] if len(kept) == 1 else None

    # A whole unknown: exact search where the full reading is monotone.

    def whole(self) -> Solution:
        if self.relation == "=":
            return self.whole_equal()
        direction = trend(self.formula.closed, self.unknown)
        if direction in ("rises", "falls"):
            return self.search(self.meets, direction, "")
        exact_direction = self.exact_trend()
        if exact_direction is None:
            name = self.unknown.name
            raise FsdpSymError(f"{self.formula.id} neither rises nor falls with {name}: give the target as equals, or another letter")
        return self.search(self.meets_exactly, exact_direction, self.assuming())

    def exact_trend(self) -> str | None:
        found = trend(self.formula.exact, self.unknown)
        if found in ("rises", "falls"):
            return found
        slope = self.formula.exact.diff(self.unknown).factor()
        return "rises" if slope.is_nonnegative else "falls" if slope.is_nonpositive else None

    def meets_exactly(self, value: Expr) -> bool:
        found = self.formula.exact.xreplace({**self.known, self.unknown: value}).doit()
        return bool(found <= self.target if self.relation == "<=" else found >= self.target)

    def assuming(self) -> str:
        hypotheses = "; ".join(map(str, self.formula.hypotheses))
        return f", where {hypotheses}" if hypotheses else ""

    def search(self, meets: Callable[[Expr], bool], direction: str, assuming: str) -> Solution:
        """Gallop and bisect for the border between what meets the bound and what does not."""
        low = letter(self.unknown).low
        top = letter(self.unknown).high
        far = _FAR if top is None else top
        wants_more = (direction == "falls") == (self.relation == "<=")
        name, start = self.unknown.name, Integer(low)
        first, last = meets(start), meets(Integer(far))
        if wants_more:
            if first:
                return self.solution(start, f"already at {name} = {low}{assuming}")
            if not last:
                return self.never(self.why_not(far))
            border = self.border(meets, low, far, wanted=True)
            return self.extreme("smallest", border, border - 1, assuming)
        if not first:
            return self.never(f"even at {name} = {low} it is {self.show(self.at(start))}")
        if last:
            return self.solution(Integer(top), f"every {name} does") if top else self.never(f"every {name} does: the bound never binds")
        border = self.border(meets, low, far, wanted=False)
        return self.extreme("largest", border - 1, border, assuming)

    def extreme(self, which: str, value: int, neighbour: int, assuming: str) -> Solution:
        beyond = self.show(self.at(Integer(neighbour)))
        return self.solution(Integer(value), f"{which}: at {self.unknown.name} = {neighbour} it is {beyond}{assuming}")

    @staticmethod
    def border(meets: Callable[[Expr], bool], low: int, far: int, wanted: bool) -> int:
        """The first value at which `meets` is as wanted, given that it is not at `low` and is at `far`."""
        step = 1
        while low + step < far and meets(Integer(low + step)) != wanted:
            low, step = low + step, step * 2
        high = min(low + step, far)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if meets(Integer(middle)) == wanted else (middle, high)
        return high

    def why_not(self, far: int) -> str:
        endless = limit_of(self.formula.exact, self.unknown, oo) if letter(self.unknown).high is None else None
        if endless is not None and not endless.has(oo):
            bound = endless.xreplace(dict(self.known))
            name = self.unknown.name
            return f"as {name} grows it tends to {to_text(endless)} = {self.show(bound)}, and stays on the other side of the target"
        return f"even at {self.unknown.name} = {far} it does not"

    def whole_equal(self) -> Solution:
        """The exact inverse if it is whole and the full reading confirms it; else the nearest whole numbers say why not."""
        inverse = self.inverse()
        if inverse is None:
            raise FsdpSymError(f"{self.formula.id} has no exact inverse for {self.unknown.name}: give the target as at_most or at_least")
        value = inverse.xreplace({**self.known, self.formula.defines: self.target})
        name = self.unknown.name
        if not value.is_finite:
            return self.never(f"{name} = {to_text(inverse)} divides by zero here")
        if not value.is_integer:
            below, above = floor(value), ceiling(value)
            around = " and ".join(f"{self.show(self.at(x))} at {name} = {x}" for x in (below, above) if letter(self.unknown).holds(x))
            return self.never(f"{name} would be {to_text(value)}, and it is a whole number" + (f"; it is {around}" if around else ""))
        if not letter(self.unknown).holds(value):
            return self.never(f"{name} would be {value}, and it is {letter(self.unknown).range_text}")
        if self.at(value) != self.target:
            assumed = "; ".join(map(str, self.formula.hypotheses))
            return self.never(f"{name} = {value} fits only where {assumed}; with padding it is {self.show(self.at(value))}")
        return self.solution(value, f"{name} = {to_text(inverse)}", inverse)


Split = tuple[int, int, int]


def splits(total: object, **fixed: object) -> list[Split]:
    """Every ordered way to write a GPU count as data x pipeline x tensor.

    Parameters
    ----------
    total : int or str
        The world size.
    **fixed
        ``N_p=4`` fixes a degree; ``N_t_at_most=8`` keeps the tensor group inside a node, and so for each degree.

    Returns
    -------
    list of (N_d, N_p, N_t)
        In rising order; empty where the constraints leave none.

    Raises
    ------
    FsdpSymError
        For a name that is no degree, or a value out of range.
    """
    world = int(read_value(G, total).value)
    degrees = {s.name: s for s in (N_d, N_p, N_t)}
    limits: list[tuple[str, bool, int]] = []
    for name, value in fixed.items():
        degree, bounded = name.removesuffix("_at_most"), name.endswith("_at_most")
        if degree not in degrees:
            raise FsdpSymError(f"{name} is no constraint on a split: use {', '.join(degrees)}, alone or with _at_most")
        limits.append((degree, bounded, int(read_value(degrees[degree], value).value)))
    return [split for split in _triples(world) if all(_allowed(dict(zip(degrees, split, strict=True)), limit) for limit in limits)]


def _triples(world: int) -> Iterator[Split]:
    parts = [int(x) for x in divisors(world)]
    for data, pipeline in product(parts, parts):
        if world % (data * pipeline) == 0:
            yield data, pipeline, world // (data * pipeline)


def _allowed(split: Mapping[str, int], limit: tuple[str, bool, int]) -> bool:
    degree, bounded, value = limit
    return split[degree] <= value if bounded else split[degree] == value


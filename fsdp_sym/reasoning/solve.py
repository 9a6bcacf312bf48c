"""A formula backwards: for which value of a letter does it give, or stay within, a target?

Real letters are inverted exactly. Whole letters are searched exactly where the formula is monotone: the smallest
or largest whole number that meets the bound, with its neighbour as the witness. "Never" is an answer, with its reason.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import product
from typing import Final

from sympy import Eq, Expr, Integer, Max, Min, Piecewise, Symbol, cancel, ceiling, divisors, floor, oo
from sympy import solve as invert
from sympy.core.basic import Basic
from sympy.core.relational import Relational

from ..algebra.errors import DimensionError, FsdpSymError, MissingValue, OutOfRange
from ..algebra.formula import Formula
from ..algebra.hypotheses import Divides
from ..algebra.printing import to_latex, to_text
from ..algebra.steps import limit_of
from ..algebra.units import Amount, as_dimension, dimension_name, parse_amount, show, to_exact
from ..algebra.vocabulary import G, N_d, N_p, N_t, letter, read_value, symbol_named
from ..scenarios.cells import Cell, cell_named
from .border import RELATIONS, Border, Question, Undecided
from .catalogue import formula as formula_named
from .work import evaluate, show_value

_ANSWERS: Final[Mapping[object, bool]] = {True: True, False: False, "yes": True, "no": False}

# A comparison and its answer, as a relation of the difference of its sides to zero.
_SIDES: Final = {
    ("<=", True): "<=", ("<=", False): ">", ("<", True): "<", ("<", False): ">=",
    (">=", True): ">=", (">=", False): "<", (">", True): ">", (">", False): "<=",
    ("==", True): "=", ("==", False): "!=",
}  # fmt: skip


@dataclass(frozen=True)
class Solution:
    """What `solve` found.

    Attributes
    ----------
    value : Amount or None
        The letter's value. None means never, or that no value is the extreme one.
    reason : str
        Why: the inverse that was evaluated, the neighbour that fails, or why there is none.
    inverse : Expr or None
        The letter as an expression in the others, where there is an exact one.
    others : str
        Where no value is the extreme one, those that meet the target: "every value", "every value above 2.4 ms".
    """

    formula: Formula
    unknown: Symbol
    value: Amount | None
    reason: str
    inverse: Expr | None = None
    others: str = ""

    @property
    def never(self) -> bool:
        return self.value is None and not self.others

    def shown(self) -> str:
        return self.others or "never" if self.value is None else show(self.value)

    @property
    def text(self) -> str:
        return f"{to_text(self.unknown)}: {self.shown()} ({self.reason})"

    @property
    def latex(self) -> str:
        if self.value is None:
            return rf"{to_latex(self.unknown)}:\ \text{{{self.shown()}}}"
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
    endless = [s.name for s in chosen.letters if known.get(s) == oo]
    if endless:
        raise OutOfRange(f"{chosen.id} is solved at numbers: give {endless[0]} one instead of ∞")
    return _Problem(chosen, unknown, known, relation, target).solved()


def _target(formula: Formula, equals: object, at_most: object, at_least: object) -> tuple[str, Expr | bool]:
    given = [(relation, value) for relation, value in (("=", equals), ("<=", at_most), (">=", at_least)) if value is not None]
    if len(given) != 1:
        raise FsdpSymError("solve needs exactly one target: equals, at_most or at_least")
    relation, value = given[0]
    if isinstance(formula.closed, Relational):
        if relation != "=" or not isinstance(value, bool | str) or value not in _ANSWERS:
            raise FsdpSymError(f"{formula.id} answers yes or no: give the target as equals, 'yes' or 'no'")
        return relation, _ANSWERS[value]
    entry = letter(formula.defines)
    match value:
        case Amount():
            amount = value
        case str():
            amount = parse_amount(value)
        case _:
            amount = Amount(to_exact(value), entry.dimension)
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
    target: Expr | bool

    def solved(self) -> Solution:
        question, name = self.question, to_text(self.unknown)
        if self.unknown not in self.reading.free_symbols:
            law = f"{to_text(self.formula.defines)} = {to_text(self.reading)}"
            return self.constant(f"{law} does not depend on {name}{self.assuming}")
        if self.unknown not in question.expr.free_symbols:
            return self.constant(f"it does not depend on {name} here")
        named = self.by_inverse()
        if named is not None and self.relation == "=":
            return self.solution(named, self.inverted, self.inverse)
        try:
            found = question.border()
        except Undecided:
            asked = f"{self.unknown.name} with {self.asked}"
            raise FsdpSymError(f"{self.formula.id} cannot be solved exactly for {asked}: give another target or letter") from None
        if found.kind == "never":
            return self.never(self.why_not() + (self.assuming if found.unpadded else ""))
        if named is not None and found.value == named and found.neighbour is None:
            return self.solution(named, f"{found.kind}: {self.inverted}", self.inverse)
        return self.worded(found)

    # The numbers of the problem, and its words.

    @cached_property
    def question(self) -> Question:
        closed = self.formula.closed
        where = tuple(h.at(self.known) for h in self.formula.where)
        for before, hypothesis in zip(self.formula.where, where, strict=True):
            if hypothesis.holds({}) is False:
                raise OutOfRange(f"{self.formula.id} means nothing at these values: it needs that {before}")
        where = tuple(h for h in where if h.symbols == {self.unknown})
        relation, target = self.relation, self.target
        if isinstance(closed, Relational):
            # A comparison is a bound on the difference of its sides.
            relation, target = _SIDES[closed.rel_op, target], Integer(0)
            closed = closed.lhs - closed.rhs
        return Question(closed.xreplace(dict(self.known)), self.unknown, relation, target, where)

    @cached_property
    def reading(self) -> Basic:
        """The formula without the padding of shards, from which an inverse is read."""
        padded = all(isinstance(h, Divides) for h in self.formula.hypotheses)
        return self.formula.exact if padded else self.formula.closed

    @property
    def assuming(self) -> str:
        hypotheses = "; ".join(str(h) for h in self.formula.hypotheses if isinstance(h, Divides))
        return f", where {hypotheses}" if hypotheses else ""

    @property
    def asked(self) -> str:
        signs = {"<=": "≤", ">=": "≥", "=": "="}
        shown = show_value(self.target if isinstance(self.target, bool) else Amount(self.target, letter(self.formula.defines).dimension))
        return f"{to_text(self.formula.defines)} {signs[self.relation]} {shown}"

    def shown(self, value: Expr | None) -> str:
        return show(Amount(value, letter(self.unknown).dimension))

    def said(self, value: Expr) -> str:
        found = evaluate(self.formula, {**self.known, self.unknown: value})
        return show_value(found if isinstance(found, bool) else Amount(found, letter(self.formula.defines).dimension))

    def solution(self, value: Expr | None, reason: str, inverse: Expr | None = None, others: str = "") -> Solution:
        amount = None if value is None else Amount(value, letter(self.unknown).dimension)
        return Solution(self.formula, self.unknown, amount, reason, inverse, others)

    def never(self, reason: str) -> Solution:
        return self.solution(None, f"no {to_text(self.unknown)} gives {self.asked}: {reason}")

    def worded(self, found: Border) -> Solution:
        name, value = to_text(self.unknown), found.value
        if value is None:
            return self.solution(None, f"every {name} does{self.assuming if found.unpadded else ''}", others="every value")
        shown = self.shown(value)
        if found.kind == "every":
            return self.solution(value, f"every {name} in range does, and there it ends")
        if found.kind in ("above", "below"):
            there = f"at {name} = {shown} it is {self.said(value)}"
            return self.solution(None, f"every {name} {found.kind} does; {there}", others=f"every value {found.kind} {shown}")
        if found.kind == "between":
            return self.solution(value, f"smallest of those from {name} = {shown} to {self.shown(found.neighbour)}")
        if found.neighbour is not None:
            return self.solution(value, f"{found.kind}: at {name} = {found.neighbour} it is {self.said(found.neighbour)}")
        if found.kind == "smallest" and letter(self.unknown).whole:
            return self.solution(value, f"already at {name} = {shown}")
        kind = "" if found.kind == "one" else f"{found.kind}: "
        return self.solution(value, f"{kind}at {name} = {shown} it is {self.said(value)}")

    def constant(self, reason: str) -> Solution:
        """Where the letter cancels: every value meets the target, or none does."""
        found = cancel(self.question.expr)
        if self.unknown in found.free_symbols:
            # Padding alone makes it depend on the letter.
            found = self.reading.xreplace(dict(self.known))
        met = RELATIONS[self.question.relation](found, self.question.target)
        return self.solution(None, f"{reason}: every {to_text(self.unknown)} does" if met else reason, others="every value" if met else "")

    # The exact inverse, where there is one.

    @cached_property
    def inverse(self) -> Expr | None:
        """The unknown in terms of the defined letter and the others; one root in range."""
        return _inverse(self.formula.defines, self.reading, self.unknown)

    @property
    def inverted(self) -> str:
        return f"{to_text(self.unknown)} = {to_text(self.inverse)}"

    @cached_property
    def would_be(self) -> Expr | None:
        return None if self.inverse is None else self.inverse.xreplace({**self.known, self.formula.defines: self.target})

    def by_inverse(self) -> Expr | None:
        """The inverse's value, where it is the letter's and the full reading confirms it."""
        value = self.would_be
        if value is None or not self.question.admits(value):
            return None
        return value if self.question.at(value) == self.target else None

    # Why there is none.

    def why_not(self) -> str:
        entry, name, value = letter(self.unknown), to_text(self.unknown), self.would_be
        if entry.whole and self.relation != "=":
            return self.why_beyond()
        if value is None:
            return "none of its values does"
        if not value.is_finite:
            return f"{self.inverted} divides by zero here"
        shown = self.shown(value)
        if entry.whole and not value.is_integer:
            around = " and ".join(f"{self.said(x)} at {name} = {x}" for x in (floor(value), ceiling(value)) if self.question.admits(x))
            return f"{name} would be {shown}, and it is a whole number" + (f"; it is {around}" if around else "")
        if not entry.holds(value):
            return f"it would take {name} = {shown}, and {name} is {entry.range_text}"
        if not self.question.admits(value):
            return f"it would take {name} = {shown}, which fits only where {'; '.join(map(str, self.formula.where))}"
        assumed = "; ".join(map(str, self.formula.hypotheses))
        return f"it would take {name} = {shown}, which fits only where {assumed}; here it is {self.said(value)}"

    def why_beyond(self) -> str:
        """A bound that a whole letter cannot meet: neither where it starts nor as it grows."""
        question, name, beats = self.question, to_text(self.unknown), RELATIONS[self.relation]
        first, far = (Integer(x) for x in (question.allowed[0], question.allowed[-1]))
        if beats(question.at(first), question.at(far)):
            return f"even at {name} = {first} it is {self.said(first)}"
        if question.endless and not self.reading.has(Max, Min, Piecewise, Relational):
            limit = limit_of(self.reading, self.unknown, oo)
            bound = limit.xreplace(dict(self.known))
            if bound.is_finite and (bound == self.target or not beats(bound, self.target)):
                shown = show(Amount(bound, letter(self.formula.defines).dimension))
                return f"as {name} grows it tends to {to_text(limit)} = {shown}, and stays on the other side of the target"
        return f"even at {name} = {show(Amount(far))} it is {self.said(far)}"


@cache
def _inverse(defines: Symbol, reading: Basic, unknown: Symbol) -> Expr | None:
    if isinstance(reading, Relational) or reading.has(Max, Min, ceiling, floor, Piecewise):
        return None
    # Neither checked nor simplified by SymPy, which takes a second for that: the full reading confirms each use.
    roots = [x.factor() for x in invert(Eq(defines, reading), unknown, simplify=False, check=False) if x.is_nonpositive is not True]
    return roots[0] if len(roots) == 1 else None


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


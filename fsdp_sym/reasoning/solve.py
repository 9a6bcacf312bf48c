"""A formula backwards: for which value of a letter does it give, or stay within, a target?

Real letters are inverted exactly. Whole letters are searched exactly where the formula is monotone: the smallest
or largest whole number that meets the bound, with its neighbour as the witness. "Never" is an answer, with its reason.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from itertools import islice
from math import prod
from typing import Final

from sympy import Eq, Expr, Integer, Max, Min, Piecewise, Symbol, cancel, ceiling, divisors, floor, oo
from sympy import solve as invert
from sympy.core.basic import Basic
from sympy.core.relational import Relational

from ..algebra.errors import DimensionError, FsdpSymError, MissingValue, OutOfRange
from ..algebra.formula import Formula
from ..algebra.hypotheses import Divides, Hypothesis
from ..algebra.printing import to_latex, to_text
from ..algebra.steps import limit_of
from ..algebra.units import Amount, as_dimension, dimension_name, parse_amount, show, to_exact
from ..algebra.vocabulary import G, N_d, N_p, N_t, letter, read_value, symbol_named
from .border import RELATIONS, Border, Question, Undecided
from .catalogue import formula as formula_named
from .factors import factored, root_of_line
from .work import Where, evaluate, lacking, show_readable, show_result, show_value, values_at

_ANSWERS: Final[Mapping[object, bool]] = {True: True, False: False, "yes": True, "no": False}

# A comparison and its answer, as a relation of the difference of its sides to zero.
_SIDES: Final = {
    ("<=", True): "<=", ("<=", False): ">", ("<", True): "<", ("<", False): ">=",
    (">=", True): ">=", (">=", False): "<", (">", True): ">", (">", False): "<=",
    ("==", True): "=", ("==", False): "!=",
}  # fmt: skip


@dataclass(frozen=True, repr=False)
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
    assuming : tuple of Hypothesis
        What "never" and "every value" hold under: where it fails, padding can change the answer.
    """

    formula: Formula
    unknown: Symbol
    value: Amount | None
    reason: str
    inverse: Expr | None = None
    others: str = ""
    assuming: tuple[Hypothesis, ...] = ()

    @property
    def never(self) -> bool:
        return self.value is None and not self.others

    def shown(self) -> str:
        if self.value is not None:
            return show_result(self.value)
        return ", where ".join([self.others or "never", *(["; ".join(h.text for h in self.assuming)] if self.assuming else [])])

    @property
    def text(self) -> str:
        return f"{to_text(self.unknown)}: {self.shown()} ({self.reason})"

    @property
    def latex(self) -> str:
        if self.value is None:
            where = r";\ ".join(h.latex for h in self.assuming)
            which = rf"\text{{{self.others or 'never'}, where }} {where}" if where else rf"\text{{{self.others or 'never'}}}"
            return rf"{to_latex(self.unknown)}:\ {which}"
        middle = f" = {to_latex(self.inverse)}" if self.inverse is not None else ""
        return rf"{to_latex(self.unknown)}{middle} = {show(self.value)}"

    def __str__(self) -> str:
        return self.shown()

    def __repr__(self) -> str:
        return self.text


def solve(
    where: Where, formula: str | Formula, for_: str | Symbol | Sequence[str], *,
    equals: object = None, at_most: object = None, at_least: object = None, **at: object,
) -> Solution:
    """Solve a formula for one of its letters.

    Parameters
    ----------
    where : str, Cell or mapping
        A cell's letter, or values of one's own.
    formula : str or Formula
    for_ : str or Symbol
        The unknown letter. Of several at once `choose` finds the best, under conditions.
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
    relation, target = _target(chosen, equals, at_most, at_least)
    unknown = _one_letter(chosen, for_, relation)
    known = {s: amount.value for s, amount in values_at(where, at).items() if s != unknown}
    missing = [s for s in chosen.letters if s != unknown and s not in known]
    if missing:
        raise lacking(chosen, missing, f" to be solved for {unknown.name}")
    endless = [s.name for s in chosen.letters if known.get(s) == oo]
    if endless:
        raise OutOfRange(f"{chosen.id} is solved at numbers: give {endless[0]} one instead of ∞")
    return _Problem(chosen, unknown, known, relation, target).solved()


def letters_asked(formula: Formula, asked: str | Symbol | Sequence[str]) -> list[Symbol]:
    """The letters that a formula is to be solved for.

    Raises
    ------
    FsdpSymError
        Where one is no letter, or the formula does not depend on it.
    """
    names = [asked] if isinstance(asked, Symbol) else asked.split(",") if isinstance(asked, str) else asked
    symbols = [name if isinstance(name, Symbol) else symbol_named(name.strip()) for name in names]
    if foreign := [s.name for s in symbols if s not in formula.letters]:
        own = ", ".join(s.name for s in formula.letters)
        raise MissingValue(f"{formula.id} does not depend on {' and '.join(foreign)}: it can be solved for {own}")
    return symbols


def _one_letter(formula: Formula, asked: str | Symbol | Sequence[str], relation: str) -> Symbol:
    symbols = letters_asked(formula, asked)
    if len(symbols) == 1:
        return symbols[0]
    values = " and ".join(f"{s.name}=..." for s in symbols)
    such = formula.id if isinstance(formula.closed, Relational) else f"{formula.id} {relation} ..."
    raise FsdpSymError(
        f"{formula.id} is solved for one letter, and of several something is to be smallest or largest: "
        f"use choose, over {values}, such that '{such}'"
    )


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


@dataclass(frozen=True)
class _Problem:
    formula: Formula
    unknown: Symbol
    known: Mapping[Symbol, Expr]
    relation: str
    target: Expr | bool

    def solved(self) -> Solution:
        question, name = self.question, to_text(self.unknown)
        named = self.by_inverse()
        if named is not None and self.relation == "=" and not (letter(self.unknown).whole and question.settles):
            return self.solution(named, self.inverted + self.beside(named), self.inverse)
        if letter(self.unknown).whole and not question.allowed:
            return self.never(f"none is such that {'; '.join(map(str, question.where))}")
        if self.unknown not in self.reading.free_symbols:
            law = f"{to_text(self.formula.defines)} = {to_text(self.reading)}"
            return self.constant(f"{law} does not depend on {name}")
        if self.unknown not in question.expr.free_symbols:
            return self.constant(f"it does not depend on {name} here")
        try:
            found = question.border()
        except Undecided:
            return self.undecided()
        if found.kind == "never":
            why = self.why_not() if found.value is None else f"even {self.at(found.value)}"
            return self.never(why, self.assuming if found.unpadded else ())
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
        known = frozenset((s, self.known[s]) for s in closed.free_symbols if s != self.unknown)
        return Question(_at(closed, known), self.unknown, relation, target, where)

    @cached_property
    def reading(self) -> Basic:
        """The formula without the padding of shards, from which an inverse is read."""
        padded = all(isinstance(h, Divides) for h in self.formula.hypotheses)
        # A letter that no padding hangs on, such as the number of a rank, can still decide who has it: where none is, it vanishes.
        lost = self.unknown not in self.formula.exact.free_symbols and not self.assuming
        return self.formula.exact if padded and not lost else self.formula.closed

    @property
    def assuming(self) -> tuple[Hypothesis, ...]:
        """What keeps the letter from making padding."""
        return tuple(h for h in self.formula.hypotheses if isinstance(h, Divides) and self.unknown in h.symbols)

    @property
    def asked(self) -> str:
        signs = {"<=": "≤", ">=": "≥", "=": "="}
        shown = show_value(self.target if isinstance(self.target, bool) else Amount(self.target, letter(self.formula.defines).dimension))
        return f"{to_text(self.formula.defines)} {signs[self.relation]} {shown}"

    def shown(self, value: Expr | None) -> str:
        return show(Amount(value, letter(self.unknown).dimension))

    def said(self, value: Expr) -> str:
        found = evaluate(self.formula, {**self.known, self.unknown: value})
        return show_readable(found if isinstance(found, bool) else Amount(found, letter(self.formula.defines).dimension))

    def at(self, value: Expr) -> str:
        return f"at {to_text(self.unknown)} = {self.shown(value)} it is {self.said(value)}"

    def solution(self, value: Expr, reason: str, inverse: Expr | None = None) -> Solution:
        return Solution(self.formula, self.unknown, Amount(value, letter(self.unknown).dimension), reason, inverse)

    def every(self, which: str, reason: str, assuming: tuple[Hypothesis, ...] = ()) -> Solution:
        return Solution(self.formula, self.unknown, None, reason, others=f"every value{which}", assuming=assuming)

    def never(self, reason: str, assuming: tuple[Hypothesis, ...] = ()) -> Solution:
        said = f"no {to_text(self.unknown)} gives {self.asked}: {reason}"
        return Solution(self.formula, self.unknown, None, said, assuming=assuming)

    def worded(self, found: Border) -> Solution:
        name, value, neighbour = to_text(self.unknown), found.value, found.neighbour
        if value is None:
            return self.every("", f"{self.asked} whatever {name} is", self.assuming if found.unpadded else ())
        match found.kind:
            case "lowest" | "highest":
                end = "smallest" if found.kind == "lowest" else "largest"
                return self.solution(value, f"{self.asked} whatever {name} is, and this is the {end} it can be")
            case "above" | "below":
                return self.every(f" {found.kind} {self.shown(value)}", f"every {name} {found.kind} does; {self.at(value)}")
            case "several":
                return self.solution(value, f"smallest of several: {self.largest(found)}")
            case "one":
                return self.solution(value, self.at(value))
        if neighbour is None and found.kind == "smallest" and letter(self.unknown).whole:
            return self.solution(value, f"already at {name} = {self.shown(value)}")
        return self.solution(value, f"{found.kind}: {self.at(value if neighbour is None else neighbour)}")

    def constant(self, reason: str) -> Solution:
        """Where the letter cancels: every value meets the target, or none does."""
        found = cancel(self.question.expr)
        assuming: tuple[Hypothesis, ...] = ()
        if self.unknown in found.free_symbols:
            # Padding alone makes it depend on the letter.
            found, assuming = self.reading.xreplace(dict(self.known)), self.assuming
        if RELATIONS[self.question.relation](found, self.question.target):
            return self.every("", f"{reason}: {self.asked} whatever {to_text(self.unknown)} is", assuming)
        return self.never(reason, assuming)

    def undecided(self) -> Solution:
        """Where no exact way leads to the border: never, where what the formula defines can never be so."""
        entry = letter(self.formula.defines)
        if isinstance(self.target, Expr):
            below = self.target < entry.low or (entry.open_low and self.target == entry.low)
            above = entry.high is not None and self.target > entry.high
            if {"=": not entry.holds(self.target), "<=": below, ">=": above}[self.relation]:
                return self.never(f"{to_text(self.formula.defines)} is {entry.range_text}")
        asked = f"{self.unknown.name} with {self.asked}"
        remedy = "give another target or letter, or its values to choose from"
        raise FsdpSymError(f"{self.formula.id} cannot be solved exactly for {asked}: {remedy}")

    # The exact inverse, where there is one.

    @cached_property
    def inverse(self) -> Expr | None:
        """The unknown in terms of the defined letter and the others; one root in range."""
        return _inverse(self.formula.defines, self.reading, self.unknown)

    @property
    def inverted(self) -> str:
        return _said(self.unknown, self.inverse)

    @cached_property
    def would_be(self) -> Expr | None:
        return None if self.inverse is None else self.inverse.xreplace({**self.known, self.formula.defines: self.target})

    def by_inverse(self) -> Expr | None:
        """The inverse's value, where it is the letter's and the full reading confirms it."""
        value = self.would_be
        if value is None or not self.question.admits(value):
            return None
        return value if self.question.at(value) == self.target else None

    def beside(self, value: Expr) -> str:
        """Whether a whole letter's neighbours give the same, since shards are padded: then the value is not the only one."""
        if not letter(self.unknown).whole or not any(self.question.meets(x) for x in (value - 1, value + 1)):
            return ""
        try:
            found = self.question.border()
        except Undecided:
            return "; others give the same"
        if found.value is None:
            return "; others give the same"
        return f"; others give the same: the smallest is {to_text(self.unknown)} = {self.shown(found.value)}, {self.largest(found)}"

    def largest(self, found: Border) -> str:
        """The largest of several, where there is one."""
        name = to_text(self.unknown)
        return "there is no largest" if found.neighbour is None else f"the largest is {name} = {self.shown(found.neighbour)}"

    # Why there is none.

    def why_not(self) -> str:
        entry, name, value = letter(self.unknown), to_text(self.unknown), self.would_be
        if entry.whole and (last := self.question.settles):
            return f"none up to {name} = {last} does, and from there on nothing changes: {self.at(Integer(last))}"
        if entry.whole and self.relation != "=":
            return self.why_beyond()
        if value is None:
            return "none of its values does"
        if not value.is_finite:
            return f"{self.inverted} divides by zero here"
        shown = self.shown(value)
        if entry.whole and not value.is_integer:
            around = " and ".join(f"{self.said(x)} at {name} = {self.shown(x)}" for x in self.around())
            return f"{name} would be {shown}, and it is a whole number" + (f"; it is {around}" if around else "")
        if not entry.holds(value):
            return f"it would take {name} = {shown}, and {name} is {entry.range_text}"
        if not self.question.admits(value):
            return f"it would take {name} = {shown}, which fits only where {'; '.join(map(str, self.formula.where))}"
        assumed = "; ".join(map(str, self.formula.hypotheses))
        return f"it would take {name} = {shown}, which fits only where {assumed}; here it is {self.said(value)}"

    def around(self) -> list[Expr]:
        """The values of a whole letter on both sides of a target that none meets exactly."""
        try:
            found = replace(self.question, relation="<=").border()
        except Undecided:
            return []
        beside = found.kind in ("smallest", "largest") and found.value is not None and found.neighbour is not None
        return sorted([found.value, found.neighbour]) if beside else []

    def why_beyond(self) -> str:
        """A bound that a whole letter cannot meet: neither where it starts nor as it grows."""
        question, name, beats = self.question, to_text(self.unknown), RELATIONS[self.relation]
        first, far = (Integer(x) for x in (question.allowed[0], question.allowed[-1]))
        if beats(question.at(first), question.at(far)):
            return f"even {self.at(first)}"
        if question.endless and not self.reading.has(Max, Min, Piecewise, Relational):
            limit = limit_of(self.reading, self.unknown, oo)
            bound = limit.xreplace(dict(self.known))
            if bound.is_finite and (bound == self.target or not beats(bound, self.target)):
                law = "" if limit.is_number else f"{to_text(limit)} = "
                shown = show(Amount(bound, letter(self.formula.defines).dimension))
                return f"as {name} grows it tends to {law}{shown}, and stays on the other side of the target"
        return f"even {self.at(far)}"


@cache
def _inverse(defines: Symbol, reading: Basic, unknown: Symbol) -> Expr | None:
    if isinstance(reading, Relational) or reading.has(Max, Min, ceiling, floor, Piecewise):
        return None
    # Most letters stand in a formula once, above or below, and SymPy's own way there is longer.
    line = root_of_line(reading - defines, unknown)
    try:
        # Neither checked nor simplified by SymPy, which takes a second for that: the full reading confirms each use.
        found = [line] if line is not None else invert(Eq(defines, reading), unknown, simplify=False, check=False)
    except NotImplementedError:
        # Such as a letter that is an exponent and a factor as well.
        return None
    # Of several the one in range is meant; a root alone need not be asked for its sign, which takes long.
    roots = [x for x in found if len(found) == 1 or x.is_nonpositive is not True]
    return factored(roots[0]) if line is None and len(roots) == 1 else line


@cache
def _said(unknown: Symbol, inverse: Expr) -> str:
    return f"{to_text(unknown)} = {to_text(inverse)}"


@lru_cache(maxsize=256)
def _at(expr: Expr, known: frozenset[tuple[Symbol, Expr]]) -> Expr:
    """An expression at these values, which people put one question to after another."""
    return expr.xreplace(dict(known))


Split = tuple[int, int, int]
_MOST_SPLITS: Final = 10**6


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
        For a name that is no degree, a value out of range, or more than a million splits.
    """
    world = int(read_value(G, total).value)
    degrees = {s.name: s for s in (N_d, N_p, N_t)}
    limits = dict.fromkeys(degrees, (1, world))
    for name, value in fixed.items():
        degree = name.removesuffix("_at_most")
        if degree not in degrees:
            raise FsdpSymError(f"{name} is no constraint on a split: use {', '.join(degrees)}, alone or with _at_most")
        given = int(read_value(degrees[degree], value).value)
        low, high = limits[degree]
        limits[degree] = (low if name.endswith("_at_most") else max(low, given), min(high, given))
    # The degree with the fewest choices is dealt first.
    order = sorted(degrees, key=lambda degree: limits[degree][1] - limits[degree][0])
    place = [order.index(degree) for degree in degrees]
    found = list(islice(_products(world, [limits[degree] for degree in order]), _MOST_SPLITS + 1))
    if len(found) > _MOST_SPLITS:
        raise FsdpSymError(f"{world} GPUs have more than {_MOST_SPLITS:,} splits here: fix or bound a degree, as N_t=8 or N_t_at_most=8")
    return sorted((split[place[0]], split[place[1]], split[place[2]]) for split in found)


def _products(whole: int, limits: Sequence[tuple[int, int]]) -> Iterator[tuple[int, ...]]:
    """The ways to write a number as a product with a factor within each limit."""
    (low, high), *others = limits
    if not others:
        if low <= whole <= high:
            yield (whole,)
        return
    most = prod(top for _, top in others)
    for factor in [low] if low == high else divisors(whole, generator=True):
        if low <= factor <= high and whole % factor == 0 and whole <= factor * most:
            for rest in _products(whole // factor, others):
                yield (factor, *rest)

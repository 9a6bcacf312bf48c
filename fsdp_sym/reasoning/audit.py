"""Every formula checked: its steps, their dimensions, its count, what was published.

Nothing here runs at import; the audit is a test, a command and a condition of the build.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from functools import lru_cache

from sympy import Expr, Symbol, oo

from ..algebra.agreement import Point, Verdict, drawn_points, exact, point_text
from ..algebra.arithmetic import Surd
from ..algebra.derivation import verify_steps
from ..algebra.dimensions import dimension_of
from ..algebra.errors import FsdpSymError
from ..algebra.formula import Bracket, Counted, Formula, Published
from ..algebra.hypotheses import Hypothesis
from ..algebra.printing import to_text
from ..algebra.steps import APPROXIMATIONS
from ..algebra.units import dimension_name, show_number
from ..algebra.vocabulary import letter
from ..scenarios.cells import CELLS, Cell
from .catalogue import formulas
from .evidence import disagreement, records_of
from .work import evaluate, plain

DRAWN = 24


@dataclass(frozen=True)
class Finding:
    """What the audit says of one formula.

    Attributes
    ----------
    status : {"proved", "sampled", "UNVERIFIED", "REFUTED"}
        ``UNVERIFIED`` is a derivation without a count.
    steps : tuple of Verdict
    counted : int
        How many points the count was compared at.
    published : int
        How many published values agree.
    records : int
        How many records of the evidence agree.
    problems : tuple of str
        One line each; empty where all is well.
    """

    formula: Formula
    steps: tuple[Verdict, ...]
    counted: int
    published: int
    records: int
    problems: tuple[str, ...]

    @property
    def status(self) -> str:
        if self.problems:
            return "REFUTED"
        if self.formula.counted is None:
            return "UNVERIFIED"
        return "sampled" if any(v.kind == "sampled" for v in self.steps) else "proved"

    @property
    def ok(self) -> bool:
        return self.status in ("proved", "sampled")


def audit(chosen: Iterable[Formula] | None = None, cells: Sequence[Cell] | None = None) -> list[Finding]:
    """Audit formulas, all of them by default, at the cells and at drawn points."""
    at = list(CELLS.values()) if cells is None else list(cells)
    return [audit_formula(f, at) for f in (formulas().values() if chosen is None else chosen)]


def audit_formula(formula: Formula, cells: Sequence[Cell] = ()) -> Finding:
    """Audit one formula."""
    problems: list[str] = []
    steps = verify_steps(formula)
    for number, verdict in enumerate(steps, 1):
        if not verdict.ok:
            problems.append(f"{formula.id}, step {number}: {verdict.witness}")
    problems += _dimension_problems(formula) or _form_problems(formula)
    counted = published = records = 0
    if not problems:
        counted, wrong = count_problems(formula, cells)
        published, off = published_problems(formula)
        records, unlike = _record_problems(formula)
        problems += wrong + off + unlike
    return Finding(formula, steps, counted, published, records, tuple(problems))


def _form_problems(formula: Formula) -> list[str]:
    problems = []
    if not isinstance(getattr(sys.modules[formula.module], formula.id, None), Formula):
        problems.append(f"{formula.id}: no formula in the file is named as the file: write {formula.id} = Formula(...)")
    if not formula.story:
        problems.append(f"{formula.id}: the file has no docstring: tell what is counted")
    if formula.defines in formula.full.free_symbols:
        problems.append(f"{formula.id}: {to_text(formula.defines)} is defined by itself")
    if any(isinstance(step, APPROXIMATIONS) for step in formula.steps[:-1]):
        problems.append(f"{formula.id}: an approximation must be the last step")
    if formula.counted is not None:
        covers = set(formula.counted_letters)
        if not set(formula.letters) <= covers <= formula.full.free_symbols:
            takes, depends = (", ".join(s.name for s in letters) for letters in (formula.counted_letters, formula.letters))
            problems.append(f"{formula.id}: the count takes {takes} and the formula depends on {depends}")
    return problems


def _dimension_problems(formula: Formula) -> list[str]:
    """Every state has one dimension, each step keeps it or is about something new, the last is the letter's own."""
    try:
        dims = [dimension_of(state) for state in formula.states]
        for before, after, step in zip(dims, dims[1:], formula.steps, strict=False):
            if step.keeps_dimension and None not in (before, after) and before != after:
                return [f"{formula.id}: a step turns {dimension_name(before)} into {dimension_name(after)}"]
        last = dimension_of(formula.exact)
        wanted = letter(formula.defines).dimension
        if last is not None and last != wanted:
            return [f"{formula.id}: the result is {dimension_name(last)} and {formula.defines} is {dimension_name(wanted)}"]
    except FsdpSymError as error:
        return [f"{formula.id}: {error}"]
    return []


def count_problems(formula: Formula, cells: Sequence[Cell]) -> tuple[int, list[str]]:
    """At how many points the count equals the formula, and where it does not."""
    if formula.counted is None:
        return 0, []
    points = [p for cell in cells if (p := _cell_point(formula, cell))] + [_published_point(row) for row in formula.published]
    drawn = _drawn(formula.counted_letters, formula.where)
    if formula.counted_letters and len(drawn) < DRAWN // 2:
        return 0, [f"{formula.id}: only {len(drawn)} of {DRAWN} points could be drawn: its ranges are too narrow"]
    for point in [*points, *drawn]:
        try:
            found = formula.counted(**{s.name: plain(v) for s, v in point.items()})
            truth = evaluate(formula, point)
            confirmed = matches(truth, found)
        except Exception as error:
            return 0, [f"{formula.id}: the count fails at {point_text(point)}: {type(error).__name__} {error}"]
        if not confirmed:
            return 0, [f"{formula.id}: at {point_text(point)} the formula gives {_said(truth)} and the count {_said(found)}"]
    return len(points) + len(drawn), []


@lru_cache(maxsize=1024)
def _drawn(letters: tuple[Symbol, ...], where: tuple[Hypothesis, ...]) -> tuple[Point, ...]:
    return tuple(drawn_points(letters, DRAWN, seed=577, given=where))


def _cell_point(formula: Formula, cell: Cell) -> Point | None:
    if not all(s in cell.values and cell.values[s].value is not oo for s in formula.counted_letters):
        return None
    point = {s: cell.values[s].value for s in formula.counted_letters}
    return point if all(h.holds(point) is not False for h in formula.where) else None


def matches(truth: Expr | bool, found: Counted) -> bool:
    """Whether a count confirms a value; an irrational one must lie inside a bracket narrower than a thousandth."""
    if isinstance(truth, bool) or isinstance(found, bool):
        return truth is found
    if isinstance(found, Bracket):
        narrow = (found.high - found.low) * 1000 < found.high
        return narrow and _at_most(exact(found.low), truth) and _at_most(truth, exact(found.high))
    return bool(truth == exact(found))


def _at_most(low: Expr, high: Expr) -> bool:
    """The sign of a surd is quickly evaluated; a comparison would first reason about it."""
    return bool((high - low).evalf(2) >= 0)


def _said(value: object) -> str:
    if isinstance(value, Bracket):
        return f"between {value.low} and {value.high}"
    return show_number(value) if isinstance(value, Expr) and value.is_number and value != oo else str(value)


def _published_point(row: Published) -> Point:
    return {s: exact(v) if isinstance(v, int | Fraction) else v for s, v in row.at.items()}


def published_problems(formula: Formula) -> tuple[int, list[str]]:
    """How many published values the formula gives, and which it does not."""
    for row in formula.published:
        point = _published_point(row)
        try:
            truth = evaluate(formula, point)
        except (FsdpSymError, Surd) as error:
            return 0, [f"{formula.id}: the published value of {row.source} cannot be computed: {error}"]
        if not _agrees(truth, row):
            return 0, [f"{formula.id}: {row.source} has {row.value}, the formula gives {_said(truth)} at {point_text(point)}"]
    return len(formula.published), []


def _record_problems(formula: Formula) -> tuple[int, list[str]]:
    found = list(records_of(formula.id))
    unlike = [problem for record in found if (problem := disagreement(record, formula))]
    return (0, unlike[:1]) if unlike else (len(found), [])


def _agrees(truth: Expr | bool, row: Published) -> bool:
    if isinstance(truth, bool) or isinstance(row.value, bool):
        return truth is row.value
    value = exact(row.value) if isinstance(row.value, int | Fraction) else row.value
    if row.digits is None:
        return bool(truth == value)
    return _rounded(truth, row.digits) == _rounded(value, row.digits)


def _rounded(value: Expr, digits: int) -> Decimal:
    return Context(prec=digits).create_decimal(str(value.evalf(40)))



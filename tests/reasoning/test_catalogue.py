"""Over the whole catalogue: what a formula gives at a point, `solve` brings back, for every letter and every kind of target."""

from fractions import Fraction
from functools import cache

import pytest
from sympy import Expr, Rational, Symbol, oo

from fsdp_sym.algebra.agreement import Point, drawn_points
from fsdp_sym.algebra.errors import FsdpSymError
from fsdp_sym.algebra.formula import Formula
from fsdp_sym.algebra.units import Amount
from fsdp_sym.algebra.vocabulary import letter
from fsdp_sym.reasoning.catalogue import formulas
from fsdp_sym.reasoning.solve import Solution, solve
from fsdp_sym.reasoning.work import evaluate

POINTS = 2

# A real letter under a ceiling: the formula climbs in steps, and which step is asked for is not inverted.
REFUSED = {("ranks_for_budget", "B")}

# A pipeline stage keeps more as stages are added, until too few micro-batches are left to fill them, and then less: no extreme.
# With more expert ranks the node's links carry less, and the network more.
TURNS = {("first_stage_activations", "N_p"), ("stage_activations", "N_p"), ("expert_time", "N_e")}

# Padded shards get shorter in jumps while messages get more, or stand above and below a line: a bound may be met, missed and met again.
JUMPS = {
    ("hierarchical_all_reduce_time", "N"), ("hybrid_sharding_time", "N"), ("across_over_inside", "N"), ("across_over_inside", "S"),
}  # fmt: skip

# The same of two times that are compared, where the answer is yes or no.
COMPARED = {("hybrid_is_no_slower", "N")}

# The numbers of these ways to train are names: none of them is the most.
NAMES = {("winning_sharding", name) for name in ("N", "P", "M_max", "S")}

PAIRS = [(f, s) for f in formulas().values() for s in f.letters]


@cache
def points(formula: Formula) -> list[tuple[Point, Expr | bool]]:
    """Where a formula is tried, and what it gives there."""
    asked = tuple(dict.fromkeys([*formula.letters, *(s for h in formula.where for s in h.symbols)]))
    return [(point, evaluate(formula, point)) for point in drawn_points(asked, POINTS, seed=4, given=formula.where)]


def solved(formula: Formula, unknown: Symbol, point: Point, target: object, relation: str) -> Solution:
    values: dict[str | Symbol, object] = {s.name: Amount(v, letter(s).dimension) for s, v in point.items() if s != unknown}
    return solve(values, formula, unknown, **{relation: target})  # type: ignore[arg-type]


def meets(formula: Formula, point: Point, relation: str, target: object) -> bool:
    """Whether a point is possible and meets the target, found without anything of `solve`."""
    if not all(letter(s).holds(v) for s, v in point.items()) or any(h.holds(point) is False for h in formula.where):
        return False
    found = evaluate(formula, point)
    if isinstance(found, bool):
        return found is target
    assert isinstance(target, Expr)
    return bool({"equals": found == target, "at_most": found <= target, "at_least": found >= target}[relation])


def beside(unknown: Symbol, value: Expr, kind: str) -> list[Expr]:
    """Values beyond an extreme one, near and far."""
    steps: list[Expr] = [Rational(x) for x in ((1, 2, 3, 10) if letter(unknown).whole else (Fraction(1, 10**9), Fraction(1, 7), 5))]
    return [value + x for x in [*steps, value + 1]] if kind == "largest" else [*(value - x for x in steps), value / 2 - 1]


def check(formula: Formula, unknown: Symbol, point: Point, relation: str, target: object) -> None:
    asked = target if isinstance(target, bool) else Amount(target, letter(formula.defines).dimension)
    try:
        found = solved(formula, unknown, point, asked, relation)
    except FsdpSymError:
        assert (formula.id, unknown.name) in REFUSED | (COMPARED if relation == "equals" else TURNS | JUMPS | NAMES)
        return
    assert (formula.id, unknown.name) not in REFUSED
    if found.never:
        # Padding alone makes the value depend on the letter, and here it does pad.
        assert "does not depend on" in found.reason, found.text
        assert any(h.holds(point) is False for h in formula.hypotheses)
        return
    if found.value is None:
        assert found.others
        return
    value = found.value.value
    assert meets(formula, {**point, unknown: value}, relation, target), found.text
    kind = found.reason.partition(":")[0]
    if kind in ("smallest", "largest"):
        assert value <= point[unknown] if kind == "smallest" else value >= point[unknown]
        for other in beside(unknown, value, kind):
            assert not meets(formula, {**point, unknown: other}, relation, target), f"{found.text}, and {other} does too"


@pytest.mark.parametrize(("formula", "unknown"), PAIRS, ids=[f"{f.id}-{s.name}" for f, s in PAIRS])
def test_solve_brings_back_what_a_formula_gives(formula: Formula, unknown: Symbol) -> None:
    for point, target in points(formula):
        relations = ["equals"] if isinstance(target, bool) else ["equals", "at_most", "at_least"]
        for relation in relations if target != oo else ["at_least"]:
            check(formula, unknown, point, relation, target)

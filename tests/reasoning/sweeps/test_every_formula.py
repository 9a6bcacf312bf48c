"""Every formula of the catalogue, swept: the same values as one by one, to the last digit where they are whole."""

from __future__ import annotations

import math

import numpy as np
import pytest
from sympy import oo

from fsdp_sym.algebra.agreement import drawn_points
from fsdp_sym.algebra.errors import OutOfRange
from fsdp_sym.algebra.vocabulary import e
from fsdp_sym.reasoning.catalogue import formulas
from fsdp_sym.reasoning.sweeps.sweep import sweep
from fsdp_sym.reasoning.work import evaluate

POINTS = 12
BEYOND = {"tree_is_faster", "hybrid_is_no_slower"}  # cleared of its fractions the comparison passes what 64 bits hold at these points


# 2^e times a latency and a bandwidth, in thousandths both, leaves 64 bits before e is at its largest; a sweep refuses that in a line.
MOST_LEVELS = {"tree_is_faster": 16}


def drawn(formula):
    letters = {*formula.letters, *(s for h in formula.where for s in h.symbols)}
    points = drawn_points(sorted(letters, key=str), POINTS, 31, formula.where)
    return [point for point in points if formula.id not in MOST_LEVELS or point[e] <= MOST_LEVELS[formula.id]]


def test_what_leaves_64_bits_is_refused():
    points = list(drawn_points(formulas()["tree_is_faster"].letters, POINTS, 31))
    with pytest.raises(OutOfRange, match="narrow the ranges, or ask for floats"):
        sweep("tree_is_faster", columns(points), together=True)


def columns(points):
    return {s: [point[s] for point in points] for s in points[0]}


def same(found, truth, exact):
    if isinstance(truth, bool):
        return bool(found) is truth
    if truth == oo:
        return math.isinf(found)
    if exact:
        return int(found) == truth
    return math.isclose(found, float(truth), rel_tol=1e-12)


@pytest.mark.parametrize("formula", [f for f in formulas().values() if f.letters], ids=lambda f: f.id)
def test_a_column_of_points_gives_what_each_point_gives(formula):
    points = drawn(formula)
    made = sweep(formula, columns(points), together=True, floats=formula.id in BEYOND)
    rows = made.table()
    assert len(rows) == len(points)
    exact = made.dtype == np.int64
    for row, point in zip(rows, points, strict=True):
        truth = evaluate(formula, point)
        assert same(row[formula.defines.name], truth, exact), point
        assert made.dtype == np.bool_ or exact or truth == oo or not made.nodes.listed[made.nodes.results[0]].whole


@pytest.mark.parametrize("formula", [f for f in formulas().values() if len(f.letters) > 1], ids=lambda f: f.id)
def test_a_grid_goes_through_every_combination(formula):
    one, other, *_ = drawn(formula)
    first, *_, last = formula.letters
    axes = {first: [one[first], other[first]], last: [one[last], other[last]]}
    rows = sweep(formula, axes, {s.name: v for s, v in one.items()}, floats=formula.id in BEYOND).table()
    expected = [
        point
        for point in (one | {first: x, last: y} for x in axes[first] for y in axes[last])
        if all(h.holds(point) for h in formula.where)
    ]  # fmt: skip
    assert len(rows) == len(expected)
    for row, point in zip(rows, expected, strict=True):
        assert same(row[formula.defines.name], evaluate(formula, point), False)


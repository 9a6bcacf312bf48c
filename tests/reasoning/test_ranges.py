"""A formula's `where` must be needed: outside it the quantity means nothing, or its count says something else."""

from __future__ import annotations

import pytest
from sympy import Integer, nan, zoo

from fsdp_sym.algebra.agreement import drawn_points
from fsdp_sym.algebra.vocabulary import letter
from fsdp_sym.reasoning.audit import matches
from fsdp_sym.reasoning.catalogue import formulas
from fsdp_sym.reasoning.work import plain

RANGES = [(f, h) for f in formulas().values() for h in f.where]


def outside(formula, hypothesis):
    """Points, large and small, at which this range is left and the others are kept."""
    letters = sorted({*formula.counted_letters, *hypothesis.symbols}, key=lambda s: letter(s).order)
    others = [h for h in formula.where if h is not hypothesis]
    for point in drawn_points(letters, 60, 11, others):
        small = {s: letter(s).low + v % 12 if letter(s).whole else v for s, v in point.items()}
        lowest = {s: Integer(letter(s).low) if s in hypothesis.symbols and letter(s).whole else v for s, v in point.items()}
        for candidate in (point, small, lowest):
            if hypothesis.holds(candidate) is False and all(h.holds(candidate) is not False for h in others):
                yield candidate


def means_the_same(formula, point):
    try:
        truth = formula.full.xreplace(point).doit()
    except TypeError:  # nothing over nothing is compared with something
        return False
    if truth in (nan, zoo):
        return False
    try:
        found = formula.counted(**{s.name: plain(point[s]) for s in formula.counted_letters})
    except (ArithmeticError, AssertionError, ValueError, IndexError):
        return False
    if isinstance(found, bool):
        return bool(truth) is found is bool(formula.exact.xreplace(point).doit())
    return letter(formula.defines).holds(truth) and matches(truth, found)


# Ranges that no value shows to be needed, and why they stand.
_LATENCY = "a link too many changes a ring's time, but at points drawn evenly latencies decide which time is the longer"
FORMAL = {
    ("zero_2_over_all_reduce", "2 is at most N"): "a single rank divides nothing by nothing, which the algebra cancels before it knows N",
    ("hybrid_is_no_slower", "n_link is at most n_node"): _LATENCY,
    ("winning_sharding", "n_link is at most n_node"): _LATENCY,
}


@pytest.mark.parametrize(("formula", "hypothesis"), RANGES, ids=[f"{f.id}-{h}" for f, h in RANGES])
def test_a_range_is_needed(formula, hypothesis):
    tried = list(outside(formula, hypothesis))
    assert tried, "no point outside the range could be drawn"
    needed = not all(means_the_same(formula, point) for point in tried)
    assert needed is ((formula.id, str(hypothesis)) not in FORMAL)

"""Tables and the best of a sweep, against going through the points one by one; what cannot be held is refused."""

from __future__ import annotations

import math
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from fractions import Fraction
from itertools import product
from multiprocessing import get_context

import numpy as np
import pytest
from sympy import Integer, Piecewise, sqrt

from fsdp_sym.algebra.errors import DimensionError, FsdpSymError, MissingValue, OutOfRange, UnknownName
from fsdp_sym.algebra.formula import Formula, Source
from fsdp_sym.algebra.vocabulary import S, e, symbol_named
from fsdp_sym.reasoning.catalogue import formula
from fsdp_sym.reasoning.sweeps import blocks as module
from fsdp_sym.reasoning.sweeps.nodes import Column, Nodes
from fsdp_sym.reasoning.sweeps.program import Program
from fsdp_sym.reasoning.sweeps.sweep import sweep
from fsdp_sym.reasoning.work import evaluator

STATE = {"b_w": 2, "b_g": 2, "b_c": 4, "b_m": 4, "b_v": 4, "b_x": 0}


def one_by_one(rows, name="all_gather"):
    each = evaluator(formula(name))
    return [each(*row) for row in rows]


@pytest.fixture(params=[7, 16, 100, 10**4], ids="blocks of {}".format)
def small_blocks(request, monkeypatch):
    """Blocks so small that every way of cutting a grid is met: within the last axis, between axes, and not at all."""
    monkeypatch.setattr(module, "BLOCK", request.param)
    return request.param


GRID = {"N": range(1, 30), "S": [7, 64, 1000, 10**9]}
ROWS = [(n, s) for n, s in product(range(1, 30), [7, 64, 1000, 10**9])]


@pytest.mark.usefixtures("small_blocks")
def test_a_grid_is_gone_through_in_order_however_it_is_cut():
    rows = sweep("all_gather", GRID).table()
    assert [(int(row["N"]), int(row["S"])) for row in rows] == ROWS
    assert rows["V_ag"].tolist() == one_by_one(ROWS)
    turned = sweep("all_gather", {"S": GRID["S"], "N": GRID["N"]}).table()
    assert sorted(turned.tolist()) == sorted((s, n, v) for n, s, v in rows.tolist())


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("largest", [False, True])
@pytest.mark.parametrize("count", [1, 5, 40, 1000])
def test_the_best_are_those_of_the_whole_table(largest, count):
    made = sweep("all_gather", GRID)
    values = one_by_one(ROWS)
    order = sorted(range(len(ROWS)), key=lambda at: (-values[at] if largest else values[at], at))[:count]
    assert made.best(count, largest).tolist() == [(*ROWS[at], values[at]) for at in order]


def test_processes_find_the_same_best():
    made = sweep("all_gather", {"N": range(1, 400), "S": range(1000, 1200)})
    with ProcessPoolExecutor(2, mp_context=get_context("forkserver")) as pool:
        assert made.best(9, executor=pool).tolist() == made.best(9).tolist()


@pytest.mark.usefixtures("small_blocks")
def test_what_lies_outside_a_formula_s_range_is_left_out():
    rows = sweep("mixture_optimizer", {"N": range(1, 13), "N_e": [1, 2, 3, 4]}, {**STATE, "P": 1000, "P_exp": 500}).table()
    assert [(int(row["N"]), int(row["N_e"])) for row in rows] == [(n, e) for n in range(1, 13) for e in (1, 2, 3, 4) if n % e == 0]


@pytest.mark.usefixtures("small_blocks")
def test_columns_of_one_table_go_side_by_side():
    rng = np.random.default_rng(5)
    n, s = rng.integers(1, 500, 333), rng.integers(1, 10**12, 333)
    expected = one_by_one(zip(n.tolist(), s.tolist(), strict=True))
    assert sweep("all_gather", {"N": n, "S": s}, together=True).table()["V_ag"].tolist() == expected
    as_floats = sweep("all_gather", {"N": n.astype(float), "S": s.astype(float)}, together=True)
    assert (as_floats.dtype, as_floats.table()["V_ag"].tolist()) == (np.int64, expected)


def test_fractions_are_kept_as_whole_numbers_of_their_part():
    """33 / 1.1 is 30, which floats take for a little less: a rank that holds 30 parameters would seem to hold 29."""
    made = sweep("ranks_for_budget", {"B": ["1.1 B/param", "1.2 B/param"], "M_max": [33, 36]}, {"P": 30})
    assert made.dtype == np.int64
    assert made.table()["N_min"].tolist() == [1, 1, 2, 1]
    assert math.floor(33 / 1.1) == 29


def test_whole_numbers_past_floats_are_kept_and_past_64_bits_refused():
    n, p = [3, 7, 2**20 + 1], [10**16 + 1, 10**17 + 3]
    made = sweep("sharded_state", {"N": n, "P": p}, STATE)
    assert made.kind is np.int64
    each = evaluator(made.formula)
    letters = [s.name for s in made.formula.letters]
    expected = [each(*({**STATE, "N": x, "P": y}[name] for name in letters)) for x in n for y in p]
    assert made.table()["M_3"].tolist() == expected
    with pytest.raises(OutOfRange, match=r"may reach 1.5e\+20, and 64 bits hold whole numbers up to 9.2e\+18: narrow the ranges, or ask"):
        sweep("sharded_state", {"N": [1], "P": [10**18, 2]}, {**STATE, "b_w": 140})
    rounded = sweep("sharded_state", {"N": [1], "P": [10**18, 2]}, {**STATE, "b_w": 140}, floats=True).table()["M_3"]
    assert rounded.dtype == np.float64
    assert rounded[0] == 154 * 10.0**18


def test_a_value_that_stays_the_same_is_spread_over_its_points():
    made = sweep("sharded_state", {"N": range(1, 4)}, {**STATE, "P": 12})
    assert made.table()["M_3"].tolist() == [192, 96, 64]
    assert sweep("all_gather", {"N": [1]}, {"S": 5}).table().tolist() == [(1, 0)]


def test_truth_values_are_a_column_too():
    rows = sweep("communication_hides", {"T_comp": ["1 ms", "3 ms"], "T_comm": ["2 ms"]}).table()
    assert rows["hides"].dtype == np.bool_
    assert rows["hides"].tolist() == [False, True]


@pytest.mark.parametrize(
    ("asked", "error", "said"),
    [
        (("all_gather", {}), MissingValue, "swept over nothing"),
        (("all_gather", {"P": [1]}), MissingValue, "does not depend on P: it can be swept over N, S"),
        (("all_gather", {"N": [1]}), MissingValue, "all_gather needs S .* to be swept: give S="),
        (("all_gather", {"N": []}, {"S": 1}), FsdpSymError, "N has no values"),
        (("all_gather", {"N": range(3, 3)}, {"S": 1}), FsdpSymError, "N has no values"),
        (("all_gather", {"N": range(3)}, {"S": 1}), OutOfRange, "N = 0 is out of range"),
        (("all_gather", {"N": ["oo"]}, {"S": 1}), OutOfRange, "give it one instead of ∞"),
        (("all_gather", {"N": [2]}, {"S": "oo"}), FsdpSymError, "S"),
        (("all_gather", {"N": np.array([[1]])}, {"S": 1}), FsdpSymError, r"shape \(1, 1\)"),
        (("all_gather", {"N": np.array([1.5])}, {"S": 1}), OutOfRange, "N = 1.5 is out of range"),
        (("all_gather", {"N": np.array([1.0, 1.5, 2.0])}, {"S": 1}), OutOfRange, "is a whole number, and some of the array's are not"),
        (("all_gather", {"N": np.array([1.0, np.nan])}, {"S": 1}), OutOfRange, "a value that is no number"),
        (("all_gather", {"N": [1], "S": [10**20]}), OutOfRange, "below 2\\^63"),
        (("all_gather", {"N": [1], "S": ["5 s"]}), DimensionError, r"S \(bytes of the whole"),
        (("all_gather", {"N": range(1, 2**64)}, {"S": 1}), OutOfRange, "below 2\\^63"),
        (("all_gather", {"S": np.array([2**63 + 8, 8], dtype=np.uint64)}, {"N": 1}), OutOfRange, "below 2\\^63"),
        (("all_gather", {"S": np.array([1e19, 8.0])}, {"N": 1}), OutOfRange, "below 2\\^63"),
        (("no_such", {"N": [1]}), UnknownName, "no_such"),
    ],
)  # fmt: skip
def test_a_request_without_sense_is_one_line(asked, error, said):
    with pytest.raises(error, match=said) as refused:
        sweep(*asked)
    assert "\n" not in str(refused.value)


def test_a_table_that_would_fill_the_memory_is_refused():
    made = sweep("all_gather", {"N": range(1, 10001), "S": range(1, 10001)})
    assert len(made) == 10**8
    with pytest.raises(OutOfRange, match="100,000,000 points are more than the 20,000,000"):
        made.table()


def test_columns_of_one_table_are_equally_long():
    with pytest.raises(FsdpSymError, match="equally long, and these have N 2, S 3"):
        sweep("all_gather", {"N": [1, 2], "S": [1, 2, 3]}, together=True)


def test_the_count_of_operations_shares_what_is_used_twice():
    made = sweep("all_gather", {"N": [2], "S": [8]})
    assert made.nodes.operations == 3  # N - 1, the shard, their product
    assert Integer(made.table()["V_ag"][0]) == 4


def test_fractions_are_divided_once_so_that_what_is_whole_looks_whole():
    rows = sweep("exposed_time", {"phi": ["0.1", "0.7", "1/3"]}, {"T_comm": "30 s"}).table()
    assert rows[rows.dtype.names[-1]].tolist() == [27.0, 9.0, 20.0]


def test_yes_and_no_have_no_best():
    with pytest.raises(OutOfRange, match="answers yes or no, and none of its points is the best"):
        sweep("communication_hides", {"T_comp": ["1 ms"], "T_comm": ["2 ms"]}).best(1, largest=True)


def test_a_real_value_is_not_refused_for_what_need_not_be_exact():
    rows = sweep("mean_state", {"P": [10**18]}, {**STATE, "b_w": 100, "N": 3}).table()
    assert rows[rows.dtype.names[-1]][0] == pytest.approx(114 * 10**18 / 3)


@pytest.mark.parametrize(("expr", "found"), [(2**e, [1, 8, 1024]), (S / 2**e, [8, 1, Fraction(1, 128)]), (3**e, [1, 27, 59049])])
def test_powers_of_a_number_go_up_and_down(expr, found):
    nodes = Nodes([expr], {S: Column(Fraction(8), Fraction(8), True), e: Column(Fraction(0), Fraction(10), True)})
    (values,) = Program(nodes, np.float64, [e], block=3).run({S: np.float64(8), e: np.array([0.0, 3.0, 10.0])}, 3)
    assert list(values) == found


def test_two_shards_of_the_same_group_are_each_rounded_from_their_own_quotient():
    """49/49 is 1, which 49 times a shared 1/49 is not: rounded up from that, a shard would be a byte too large, or too small."""
    fixed = {"K_mb": 3, "r": 1, "u_root": 0, "S_root": 4900}
    made = sweep("gathered_in_step", {"N": range(1, 400), "S_blk": [49, 1000, 10**9]}, fixed)
    assert made.dtype == np.int64
    each = evaluator(made.formula)
    letters = [s.name for s in made.formula.letters]
    expected = [each(*(({"N": n, "S_blk": size} | fixed)[x] for x in letters)) for n in range(1, 400) for size in (49, 1000, 10**9)]
    assert made.table()["V_gather"].tolist() == expected


def test_a_term_that_is_zero_everywhere_costs_nothing():
    counts = [sweep("sharded_state", {"N": [2, 4], "P": [8]}, STATE | {"b_x": extra}).nodes.operations for extra in (0, 1)]
    assert counts[0] == counts[1] - 1


def test_a_division_by_zero_is_left_to_floats():
    chosen = formula("tree_ring_crossover")
    zero = sweep(replace(chosen, where=()), {"W": [1, 2]}, {"T_lat": 1, "e": 0}).table()
    assert np.isnan(zero["S_cross"]).all()


def test_a_number_with_a_root_stands_beside_columns():
    n = symbol_named("N")
    made = Formula("example.root", defines=symbol_named("k_best"), start=sqrt(2) * n, steps=(), source=Source("an example"))
    assert sweep(made, {"N": [1, 3]}).table()["k_best"].tolist() == pytest.approx([2**0.5, 3 * 2**0.5])


@pytest.mark.usefixtures("small_blocks")
def test_two_that_go_through_a_sweep_side_by_side_do_not_meet():
    made = sweep("all_gather", GRID)
    alone = [values.tolist() for _, values, _ in made.blocks()]
    half = len(alone) // 2
    pairs = [(one.tolist(), other.tolist()) for (_, one, _), (_, other, _) in zip(made.blocks(), made.blocks(half), strict=False)]
    assert pairs == list(zip(alone, alone[half:], strict=False))


def test_a_choice_is_written_over_one_of_its_operands():
    """What it chooses between stands in buffers that are free again, and one of them takes the choice."""
    nodes = Nodes([Piecewise((2 * S, S > 3), (5 * S, True), evaluate=False)], {S: Column(Fraction(0), Fraction(10), True)})
    (values,) = Program(nodes, np.float64, [S], block=4).run({S: np.array([0.0, 3.0, 4.0, 10.0])}, 4)
    assert list(values) == [0, 15, 8, 20]

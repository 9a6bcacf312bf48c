"""The best choice under conditions, against looking at every one in plain Python; and what binds."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fsdp_sym.algebra.errors import DimensionError, FsdpSymError, MissingValue, OutOfRange, UnknownName
from fsdp_sym.reasoning.sweeps import blocks
from fsdp_sym.reasoning.sweeps.choose import choose
from fsdp_sym.reasoning.sweeps.constraints import read_constraint


def numbers(point):
    return {s.name: int(amount.value) for s, amount in point.values.items()}


def plainly(limit, group, node):
    """Splits of a world, the largest tensor degree: a plain search that shares no code with ours."""
    meets = {
        "world_size = 48": lambda d, p, t: d * p * t == 48,
        f"N_p <= {limit}": lambda d, p, t: p <= limit,
        f"N_t divides {group}": lambda d, p, t: group % t == 0,
        "tensor_group_fits_node": lambda d, p, t: t <= node,
    }

    def best(texts):
        found = [point for point in product(range(1, 49), repeat=3) if all(meets[text](*point) for text in texts)]
        return max(found, key=lambda point: point[2], default=None)

    whole = best(meets)
    binding = {}
    for text in meets:
        other = best([one for one in meets if one != text])
        if other is not None and (whole is None or other[2] > whole[2]):
            binding[text] = other
    return list(meets), whole, binding


@pytest.mark.parametrize("block", [5000, 16384])
@pytest.mark.parametrize(("limit", "group", "node"), [(8, 24, 8), (48, 7, 8), (2, 24, 48), (1, 5, 4)])
def test_it_is_what_a_plain_search_finds_and_so_is_what_binds(limit, group, node, block, monkeypatch):
    monkeypatch.setattr(blocks, "BLOCK", block)
    texts, whole, binding = plainly(limit, group, node)
    axes = {name: range(1, 49) for name in ("N_d", "N_p", "N_t")}
    found = choose(axes, largest="N_t", such_that=texts, n_node=node)
    assert found.points == 48**3
    assert (None if found.best is None else tuple(numbers(found.best).values())) == whole
    assert {text: tuple(numbers(point).values()) for text, point in found.binding.items()} == binding


def test_the_fewest_ranks_and_what_binds_in_words():
    found = choose({"N": range(1, 65)}, "B", smallest="N", such_that=["sharded_state <= 10 GB", "N <= 40"])
    assert str(found) == (
        "N = 12\n"
        "  sharded_state <= 10 GB: it is 9.333333344 GB\n"
        "  N <= 40: it is 12\n"
        "  sharded_state <= 10 GB binds: without it N = 1"
    )


def test_where_nothing_meets_all_it_says_how_near_it_comes():
    found = choose({"N": range(1, 65)}, "B", smallest="N", such_that=["sharded_state <= 1 GB", "8 divides N", "N <= 32"])
    assert found.best is None
    assert str(found).splitlines() == [
        "none of 64 choices meets every condition",
        "  sharded_state <= 1 GB binds: without it N = 8",
        "  sharded_state <= 1 GB: the nearest is 3.5 GB, at N = 32",
    ]
    upward = choose({"N": range(1, 9)}, "B", smallest="N", such_that=["sharded_state >= 200 GB"])
    assert "the nearest is 112 GB, at N = 1" in str(upward)


@pytest.mark.parametrize(
    ("limit", "said"),
    [
        ("40 GB", "N = 2\n  zero_2_state <= 40 GB: it is 27 GB\n  zero_1_state <= 40 GB: it is 30 GB\n"),
        ("1 GB", "none of 1,024 choices meets every condition\n"),
    ],
)
def test_conditions_that_bind_only_together_are_said_to(limit, said):
    found = choose({"N": range(1, 1025)}, "G", smallest="N", such_that=[f"{name} <= {limit}" for name in ("zero_2_state", "zero_1_state")])
    assert not found.binding
    assert str(found) == said + "  no condition binds by itself: without any of them N = 1"


def test_a_formula_can_be_what_is_made_small():
    found = choose({"N": [2, 4, 8]}, smallest="all_gather", such_that=["N >= 4"], S="8 GB")
    assert numbers(found.best) == {"N": 4}
    assert "all_gather = 6 GB" in str(found)
    assert "N >= 4 binds: without it N = 2, with all_gather = 4 GB" in str(found)


def test_a_bound_that_is_met_exactly_is_met():
    """33 / 1.1 is 30, which floats take for a little less: 30 parameters would seem not to fit one rank."""
    found = choose({"B": ["1.1 B/param", "1.2 B/param"]}, largest="B", such_that=["ranks_for_budget <= 1"], P=30, M_max=33)
    assert str(found).startswith("B = 1.1 B/param")


def test_numbers_that_floats_hold_for_equal_are_told_apart():
    found = choose({"P": [2**60 + 1, 2**60]}, smallest="P")
    assert found.best is not None
    assert numbers(found.best) == {"P": 2**60}


def test_without_a_condition_it_is_the_end():
    assert "no condition binds: it is the end of what was looked at" in str(choose({"N": range(1, 9)}, largest="N"))


@pytest.mark.parametrize(
    ("text", "error", "said"),
    [
        ("", FsdpSymError, "is no condition"),
        ("all_gather", FsdpSymError, "'all_gather' is no condition: write a formula or a letter"),
        ("all_gather <= shard_fits", FsdpSymError, "shard_fits answers yes or no: write it alone"),
        ("all_gather <= 8 s", DimensionError, "compares bytes with a time"),
        ("8 s >= all_gather", DimensionError, "compares"),
        ("all_gather <= N", DimensionError, "compares bytes with"),
        ("al_gather <= 8 GB", UnknownName, "al_gather"),
        ("all_gather <= 8 XB", FsdpSymError, "XB"),
        ("N divides", FsdpSymError, "is no condition"),
        ("x" * 5000, FsdpSymError, "is no condition"),
    ],
)  # fmt: skip
def test_a_condition_that_is_none_is_one_line(text, error, said):
    with pytest.raises(error, match=said) as refused:
        read_constraint(text)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 250


@pytest.mark.parametrize(
    ("asked", "error", "said"),
    [
        ({"over": {"N": [1]}}, FsdpSymError, "smallest or the largest"),
        ({"over": {"N": [1]}, "smallest": "N", "largest": "N"}, FsdpSymError, "give one of the two"),
        ({"over": {}, "smallest": "N"}, MissingValue, "among values"),
        ({"over": {"N": [1]}, "smallest": "all_gather"}, MissingValue, "the choice needs S .*: give S="),
        ({"over": {"N": [1]}, "smallest": "N", "such_that": ["all_gather <= 1 GB"]}, MissingValue, "the choice needs S"),
        ({"over": {"N": range(1, 10**6), "S": range(1, 10**6)}, "smallest": "N"}, OutOfRange, "choices are more than 1,000,000,000"),
        ({"over": {"N": [1]}, "smallest": "N", "P": 8}, FsdpSymError, "the choice does not depend on P: it takes N"),
        ({"over": {"N": [1]}, "smallest": "N", "N": 8}, FsdpSymError, "N goes through values and is fixed too"),
        ({"over": {"N": [1]}, "smallest": "communication_hides"}, FsdpSymError, "answers yes or no"),
    ],
)  # fmt: skip
def test_a_request_without_sense_is_one_line(asked, error, said):
    with pytest.raises(error, match=said) as refused:
        choose(**asked)
    assert "\n" not in str(refused.value)


WIDE = {"b_w": "1 B/param", **dict.fromkeys(("b_g", "b_c", "b_m", "b_v", "b_x"), 0)}


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({"over": {"phi": ["0.5", "0.7", "0.9"]}, "smallest": "phi", "such_that": ["exposed_time <= 3 s"], "T_comm": "10 s"}, "phi = 0.7"),
        ({"over": {"phi": ["0.1", "2/3"]}, "largest": "exposed_time", "such_that": ["exposed_time <= 3 s"], "T_comm": "9 s"}, "phi = 2/3"),
        (
            {"over": {"phi": ["0.8"]}, "largest": "phi", "such_that": ["slowdown_with_overlap = 20 %"], "T_comm": "1 s", "T_comp": "1 s"},
            "phi = 0.8",
        ),
        ({"over": {"L": range(1, 21)}, "largest": "L", "such_that": ["best_peak <= 40 B"], "c": "10 B", "A": "5 B"}, "L = 8"),
        ({"over": {"L": [3]}, "smallest": "L", "such_that": ["best_interval = 1"], "c": "2 B", "A": "6 B"}, "L = 3"),
        (
            {"over": {"P": [10**18 + 1]}, "smallest": "P", "such_that": ["mean_state <= 333333333333333334 B"], "N": 3, **WIDE},
            "P = 1,000,000,000,000,000,001",
        ),
    ],
)  # fmt: skip
def test_a_bound_that_is_met_exactly_is_met_whatever_floats_say(asked, found):
    made = choose(**asked)
    assert made.best is not None
    assert made.best.text.startswith(found)


def test_a_bound_that_is_missed_by_less_than_floats_see_is_missed():
    missed = choose({"P": [10**18 + 1]}, smallest="P", such_that=["mean_state <= 333333333333333333 B"], N=3, **WIDE)
    assert missed.best is None


@pytest.mark.parametrize(
    ("over", "condition", "said"),
    [
        ({"N_d": range(1, 17)}, "N_d = 20", "N_d = 20: the nearest is 16, at N_d = 16"),
        ({"N_d": range(1, 17), "N_t": range(1, 5), "N_p": range(1, 5)}, "world_size = 5000", "the nearest is 256"),
        ({"N": range(1, 5)}, "10 GB >= sharded_state", "the nearest is 28 GB, at N = 4"),
    ],
)
def test_the_nearest_is_the_nearest(over, condition, said):
    where = {"P": 7 * 10**9, "b_w": 2, "b_g": 2, "b_c": 4, "b_m": 4, "b_v": 4, "b_x": 0} if "N" in over else {}
    assert said in str(choose(over, where, smallest=next(iter(over)), such_that=[condition]))


def test_an_infinite_goal_is_a_value_too():
    found = choose({"N": range(1, 3)}, "G", smallest="stage_for_budget")
    assert found.best is not None
    assert numbers(found.best) == {"N": 1}
    later = choose({"N": range(1, 9)}, "G", smallest="stage_for_budget")
    assert numbers(later.best) == {"N": 5}


@pytest.mark.parametrize(
    ("text", "said"),
    [("10 GB divides N", "compares bytes with"), ("5 GB >= 3 s", "compares two amounts"), ("S divides N", "compares bytes with")],
)
def test_what_cannot_be_compared_is_refused(text, said):
    with pytest.raises(FsdpSymError, match=said):
        read_constraint(text)


@given(st.data())
def test_it_agrees_with_exact_arithmetic_where_floats_are_often_equal(data):
    """The exposed part of a communication, shares and times in thirds, sevenths and tenths, with bounds that are often met exactly."""
    shares = data.draw(st.lists(st.fractions(0, 1, max_denominator=10), min_size=1, max_size=6, unique=True))
    times = data.draw(st.lists(st.fractions(1, 20, max_denominator=7), min_size=1, max_size=4, unique=True))
    points = [(share, time, (1 - share) * time) for share in shares for time in times]
    bound = data.draw(st.sampled_from([value for *_, value in points]))
    largest = data.draw(st.booleans())
    kept = [point for point in points if point[2] <= bound]
    wanted = max(kept, key=lambda point: point[2]) if largest else min(kept, key=lambda point: point[0])
    goal = {"largest": "exposed_time"} if largest else {"smallest": "phi"}
    found = choose({"phi": shares, "T_comm": times}, such_that=[f"exposed_time <= {bound} s"], **goal)
    assert found.best is not None
    assert tuple(Fraction(str(amount.value)) for amount in found.best.values.values()) == wanted[:2]

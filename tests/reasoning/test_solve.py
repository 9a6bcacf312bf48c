"""Formulas backwards: extremes with their witness, never with its reason, and every split of a GPU count."""

from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest
from sympy import Integer, Max, Min, Rational, Symbol, ceiling, floor, sqrt

from fsdp_sym.algebra.errors import DimensionError, FsdpSymError, MissingValue, OutOfRange, UnknownName
from fsdp_sym.algebra.hypotheses import AtMost, Divides
from fsdp_sym.algebra.vocabulary import A, B, G, L, M_max, N, P, k, phi, r
from fsdp_sym.reasoning.border import Question
from fsdp_sym.reasoning.monotone import enclosure, trend
from fsdp_sym.reasoning.solve import solve, splits
from fsdp_sym.reasoning.work import work

EIGHT_BYTES = {"b_w": 8, "b_g": 0, "b_c": 0, "b_m": 0, "b_v": 0, "b_x": 0}
BUDGET = "11.2 GB"  # 0.7 of 16 GB


ABOVE = "T_comm: every value above 2.4 ms (every T_comm above does; at T_comm = 2.4 ms it is no)"

LOWEST, HIGHEST = (f"is, and this is the {end} it can be)" for end in ("smallest", "largest"))

# cell, formula, unknown, target and changed values; what is found.
FOUND = [
    ("B", "sharded_state", "N", {"at_most": "4 GB"}, "N: 28 (smallest: at N = 27 it is 4.14814816 GB)"),
    ("B", "sharded_state", "N", {"at_most": "120 GB"}, "N: 1 (already at N = 1)"),
    ("B", "sharded_state", "P", {"at_most": "80 GB", "N": 64}, "P: 320e9 (largest: at P = 320,000,000,001 it is 80.000000016 GB)"),
    ("D", "all_gather", "N", {"at_most": "600 MB"}, "N: 7 (largest: at N = 8 it is 612.5 MB)"),
    ("D", "all_gather", "N", {"at_least": "690 MB"}, "N: 70 (smallest: at N = 69 it is 689.855104 MB)"),
    ("D", "all_gather", "N", {"at_most": "1 GB"}, "N: every value, where N divides S (V_ag ≤ 1 GB whatever N is)"),
    # On 10^9 ranks the padded shards make it 999.999999 MB.
    ("D", "all_gather", "N", {"at_most": "701 MB"}, "N: every value, where N divides S (V_ag ≤ 701 MB whatever N is)"),
    ("D", "all_gather", "N", {"equals": "525 MB"}, "N: 4 (N = S/(S - V_ag))"),
    ("F", "all_gather_time", "R_bit", {"at_most": "8 ms"}, "R_bit: 612.5 Gbit/s (smallest: R_bit = (N - 1)·S·n_bit/(N·T_ag))"),
    ("F", "all_gather_time", "R_bit", {"at_least": "8 ms"}, "R_bit: 612.5 Gbit/s (largest: R_bit = (N - 1)·S·n_bit/(N·T_ag))"),
    ("E", "exposed_time", "phi", {"at_most": "2 ms"}, "φ: 1/3 (smallest: φ = (T_comm - T_exposed)/T_comm)"),
    ("E", "exposed_time", "phi", {"at_most": "5 ms"}, f"φ: 0 (T_exposed ≤ 5 ms whatever φ {LOWEST}"),
    ("E", "step_when_hidden", "T_comm", {"at_most": "9 ms"}, "T_comm: 9 ms (largest: at T_comm = 9 ms it is 9 ms)"),
    ("E", "slowdown_with_overlap", "T_comm", {"at_most": "0.1", "phi": "0.8"}, "T_comm: 4 ms (largest: T_comm = -σ/(φ - 1)·T_comp)"),
    ("E", "slowdown_with_overlap", "T_comm", {"at_most": "0.3", "phi": "0.8"}, f"T_comm: 10 ms (σ ≤ 0.3 whatever T_comm {HIGHEST}"),
    ("E", "recompute_overhead", "T_f", {"equals": "1/4", "T_b": "3 ms"}, "T_f: 1 ms (T_f = -ω/(ω - 1)·T_b)"),
    ("E", "layer_traffic", "r", {"at_most": "1 GB", "S": "400 MB"}, "r: 0 (largest: at r = 1 it is 1.05 GB)"),
    ("E", "layer_traffic", "r", {"at_most": "2 GB", "S": "400 MB"}, f"r: 1 (V_layer ≤ 2 GB whatever r {HIGHEST}"),
    ("C", "recompute_peak", "k", {"at_most": "20 GB"}, "k: 3 (smallest of several: the largest is k = 47)"),
    ("C", "recompute_peak", "k", {"at_most": "5 GB", "L": 4, "A": "1 GB", "c": "2 GB"}, "k: 3 (at k = 3 it is 5 GB)"),
    ("C", "recompute_peak", "L", {"at_most": "20 GB"}, "L: 335 (largest: at L = 336 it is 20.1326592 GB)"),
    ("H", "data_degree", "N_p", {"at_most": 5}, "N_p: 32 (smallest: at N_p = 16 it is 8)"),
    ("H", "data_degree", "G", {"at_least": 5}, "G: 160 (smallest: at G = 128 it is 4)"),
    ("G", "stage_for_budget", "N", {"at_most": 2}, "N: 11 (smallest: at N = 10 it is 3)"),
    ("G", "stage_for_budget", "M_max", {"at_most": 2}, "M_max: 11.25 GB (smallest: at M_max = 11.249999999 GB it is 3)"),
    ("G", "stage_for_budget", "N", {"equals": 2}, "N: 11 (smallest of several: there is no largest)"),
    ("G", "stage_for_budget", "M_max", {"equals": 2}, "M_max: 11.25 GB (smallest of several: the largest is M_max = 16.499999999 GB)"),
    ("E", "step_when_hidden", "T_comm", {"equals": "8 ms"}, "T_comm: 8 ms (largest: at T_comm = 8 ms it is 8 ms)"),
    ("B", "shard_fits", "N", {"equals": "yes", "M_max": "2 GB"}, "N: 56 (smallest: at N = 55 it is no)"),
    ("B", "shard_fits", "N", {"equals": False, "M_max": "2 GB"}, "N: 55 (largest: at N = 56 it is yes)"),
    ("E", "sharding_hurts", "T_comm", {"equals": "no"}, "T_comm: 2.4 ms (largest: at T_comm = 2.4 ms it is no)"),
    ("E", "sharding_hurts", "T_comm", {"equals": "yes"}, ABOVE),
    ("H", "world_size", "N_d", {"equals": 1024}, "N_d: 32 (N_d = G/(N_p·N_t))"),
]  # fmt: skip


@pytest.mark.parametrize(("cell", "formula", "unknown", "asked", "said"), FOUND, ids=[" ".join(row[:3]) for row in FOUND])
def test_what_is_found_and_why(cell: str, formula: str, unknown: str, asked: dict[str, object], said: str) -> None:
    assert solve(cell, formula, unknown, **asked).text == said  # type: ignore[arg-type]


AWAY = "and stays on the other side of the target"

NEVER = [
    ("B", "zero_1_state", "N", {"at_most": "28 GB"}, f"as N grows it tends to P·b_w + P·b_g = 28 GB, {AWAY}"),
    ("B", "zero_1_state", "N", {"at_most": "27 GB"}, f"as N grows it tends to P·b_w + P·b_g = 28 GB, {AWAY}"),
    ("B", "zero_1_state", "N", {"at_most": 28 * 10**9 + 11}, "even at N = 1e30 it is 28.000000012 GB"),
    ("B", "zero_1_bytes_per_parameter", "N", {"at_most": "4 B/param"}, "as N grows it tends to b_w + b_g = 4 B/param, and stays"),
    ("B", "sharded_state", "P", {"at_most": "0.2 B"}, "even at P = 1 it is 16 B"),
    ("A", "sharded_state", "N", {"at_most": -5}, "as N grows it tends to 0 B, and stays"),
    ("D", "all_gather", "S", {"equals": "100 MB"}, "99.999999 MB at S = 133.333332 MB and 100.000002 MB at S = 133.333333 MB"),
    ("B", "ranks_for_budget", "B", {"equals": "5/2", "M_max": "8 GB"}, "N_min is a whole number at least 1"),
    ("B", "ranks_for_budget", "B", {"at_most": 0, "M_max": "8 GB"}, "N_min is a whole number at least 1"),
    ("B", "ranks_for_budget", "B", {"at_least": 7 * 10**9 + 1, "M_max": "8 GB"}, "even at B = 8e9 B/param it is 7e9"),
    ("D", "all_gather_gain", "N", {"at_most": "10 MB"}, "even at N = 7 it is 12.5 MB"),
    ("E", "exposed_time", "phi", {"at_least": "5 ms"}, "it would take φ = -2/3, and φ is at least 0 and at most 1"),
    ("E", "step_when_hidden", "T_comm", {"at_most": "7 ms"}, "none of its values does"),
    ("E", "slowdown_with_overlap", "T_comm", {"equals": "0.9", "phi": "0.6"}, "which fits only where φ·T_comm is at most T_comp"),
    ("H", "world_size", "N_d", {"equals": 1024, "N_t": 6}, "N_d would be 128/3, and it is a whole number; it is 1008 at N_d = 42 and"),
    ("H", "ordered_splits", "e", {"at_least": 1000}, "even at e = 20 it is 231"),
    ("M", "rows_of_rank", "N", {"equals": 17, "d_0": 96, "n_rank": 4}, "none up to N = 96 does, and from there on nothing changes"),
]  # fmt: skip


@pytest.mark.parametrize(("cell", "formula", "unknown", "asked", "why"), NEVER, ids=[" ".join(row[:3]) for row in NEVER])
def test_never_says_why(cell: str, formula: str, unknown: str, asked: dict[str, object], why: str) -> None:
    found = solve(cell, formula, unknown, **asked)  # type: ignore[arg-type]
    assert found.never
    assert found.value is None
    assert found.shown() == str(found) == "never"
    assert found.reason.startswith(f"no {found.text.partition(':')[0]} gives ")
    assert why in found.reason


@pytest.mark.parametrize(
    ("asked", "target", "where"),
    [
        (("D", "all_gather", "N"), {"at_least": "800 MB"}, "N divides S"),  # 114,285,716 ranks pad it to more
        (("B", "zero_3_saving", "P"), {"at_most": 3}, "N divides P"),  # P = 3 gives 3
        (("B", "zero_3_saving", "P"), {"at_least": 3}, "N divides P"),
    ],
)
def test_what_holds_under_a_hypothesis_alone_says_so(asked: tuple[str, str, str], target: dict[str, object], where: str) -> None:
    found = solve(*asked, **target)  # type: ignore[arg-type]
    assert [h.text for h in found.assuming] == [where]
    assert found.shown() == f"{found.others or 'never'}, where {where}"
    assert found.never is (found.others == "")


@pytest.mark.parametrize(
    ("formula", "unknown", "values", "target", "where"),
    [
        ("data_degree", "N_p", {"G": 7, "N_t": 3}, {"at_least": 1}, "3·N_p divides 7"),
        ("data_degree", "N_t", {"G": 7, "N_p": 3}, {"at_most": 1}, "3·N_t divides 7"),
        ("all_gather_gain", "N", {"S": 7}, {"at_least": "1 B"}, "N·(N + 1) divides 7"),
    ],
)
def test_a_letter_without_a_possible_value_is_never(
    formula: str, unknown: str, values: dict[str, object], target: dict[str, object], where: str
) -> None:
    found = solve(values, formula, unknown, **target)  # type: ignore[arg-type]
    assert found.never
    assert found.reason.endswith(f": none is such that {where}")


def test_a_bare_solution_is_its_text() -> None:
    found = solve("A", "sharded_state", "N", at_most="80 GB")
    assert repr(found) == found.text


@pytest.mark.parametrize(("parameters", "ranks"), [(32_200_000_000, 23), (32_200_000_001, 24)])
def test_the_fewest_ranks_are_exact_by_both_ways(parameters: int, ranks: int) -> None:
    found = solve({"P": parameters, **EIGHT_BYTES}, "sharded_state", "N", at_most=BUDGET)
    assert found.value is not None
    assert found.value.value == ranks
    assert work({"P": parameters, "B": 8, "M_max": BUDGET}, "ranks_for_budget").shown() == str(ranks)


def test_a_budget_between_the_limit_and_the_padded_floor_is_never_met() -> None:
    # However many ranks, the fullest holds one parameter: 12 bytes of optimizer state above the limit of 28 GB.
    floor = 28 * 10**9 + 12
    assert solve("B", "zero_1_state", "N", at_most=floor).text == "N: 7e9 (smallest: at N = 6,999,999,999 it is 28.000000024 GB)"
    assert solve("B", "zero_1_state", "N", at_most=floor - 1).never


def test_at_a_fixed_global_batch_the_ratio_does_not_depend_on_the_ranks() -> None:
    asked = ("C", "activations_over_state_at_fixed_global_batch", "N")
    never, every = (solve(*asked, at_most=bound, b_all=8192) for bound in (1, 1000))
    for found in (never, every):
        assert "does not depend on N" in found.reason
    assert (never.never, never.shown()) == (True, "never, where N divides b_all")
    assert (every.never, every.shown()) == (False, "every value, where N divides b_all")


def test_padding_is_not_overlooked() -> None:
    # Eleven bytes over three ranks are padded to twelve: two shards of four are received.
    assert solve({"S": 11}, "all_gather", "N", equals=8).shown() == "3"
    # N = 6 would do only if six divided ten.
    assert solve({"S": 10}, "all_gather", "N", at_most="8.5 B").shown() == "5"
    assert solve({"S": 10}, "all_gather", "N", at_least="8.5 B").shown() == "4"
    # From 28 to 29 ranks the largest of 10,000 parameters' shards loses 13, from 29 to 30 it loses 11.
    saving = ({"P": 10_000, **EIGHT_BYTES}, "marginal_saving", "N")
    assert solve(*saving, at_most=100).text == "N: 29 (smallest: at N = 28 it is 104 B)"
    assert solve(*saving, equals=88).shown() == "29"
    assert solve(*saving, equals=96).never is (96 not in {work(saving[0], "marginal_saving", N=n).value for n in range(1, 200)})
    # Eight parameters over three ranks make shards of three.
    assert solve({"P": 8, "N": 3, **EIGHT_BYTES}, "sharded_state", "b_w", equals=21).shown() == "7 B/param"


def test_an_irrational_target_is_met_exactly() -> None:
    assert solve("C", "best_interval", "L", equals=4 * sqrt(6)).shown() == "96"
    assert solve("C", "best_interval", "L", at_most=4 * sqrt(6)).text == "L: 96 (largest: at L = 97 it is ≈ 9.84886)"


def test_a_solution_has_latex() -> None:
    assert solve("E", "exposed_time", "phi", at_most="2 ms").latex.endswith("= 1/3")
    assert solve("B", "zero_1_state", "N", at_most="28 GB").latex == r"N:\ \text{never}"
    assert solve("D", "all_gather", "N", at_most="1 GB").latex == r"N:\ \text{every value, where } N \mid S"


REFUSED = [
    (("A", "sharded_state", "N"), {"at_most": "5 s"}, DimensionError, "gives bytes, and '5 s' is a time: give the target in GB"),
    (("A", "sharded_state", "N"), {}, FsdpSymError, "exactly one target"),
    (("A", "sharded_state", "N"), {"at_most": 1, "equals": 1}, FsdpSymError, "exactly one target"),
    (("A", "sharded_state", "S"), {"at_most": 1}, MissingValue, "sharded_state does not depend on S: it can be solved for N, P, b_w"),
    (("D", "sharded_state", "N"), {"at_most": 1}, MissingValue, "sharded_state needs P, b_w, b_g, b_c, b_m, b_v and b_x to be solved"),
    (("D", "state_and_activations", "N"), {"at_most": 1}, MissingValue, "to be solved for N: give each a value, such as "),
    (("A", "sharded_stat", "N"), {"at_most": 1}, UnknownName, "did you mean sharded_state"),
    (("A", "sharded_state", "n"), {"at_most": 1}, UnknownName, "did you mean N"),
    (("a", "sharded_state", "N"), {"at_most": 1}, UnknownName, "did you mean A"),
    (("A", "shard_fits", "N"), {"at_most": 1}, FsdpSymError, "shard_fits answers yes or no: give the target as equals, 'yes' or 'no'"),
    (("A", "shard_fits", "N"), {"equals": "maybe"}, FsdpSymError, "answers yes or no"),
    (("D", "all_gather", "S"), {"at_most": 1, "N": "oo"}, OutOfRange, "all_gather is solved at numbers: give N one instead of ∞"),
    (("E", "data_parallel_time", "T_comm"), {"equals": "1 ms", "N": 1}, OutOfRange, "means nothing at these values: it needs that 2 is at"),
    (("A", "ranks_for_budget", "B"), {"at_most": 3}, FsdpSymError, "cannot be solved exactly for B with N_min ≤ 3: give another"),
    (("M", "rows_of_rank", "N"), {"at_most": 3, "d_0": 128256, "n_rank": 4}, FsdpSymError, "cannot be solved exactly for N with n_own ≤ 3"),
]  # fmt: skip


@pytest.mark.parametrize(("asked", "target", "error", "said"), REFUSED)
def test_a_request_without_sense_is_refused_in_one_line(
    asked: tuple[str, str, str], target: dict[str, object], error: type[FsdpSymError], said: str
) -> None:
    with pytest.raises(error) as refused:
        solve(*asked, **target)  # type: ignore[arg-type]
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def test_trend_is_read_off_structure_slope_and_branches() -> None:
    assert trend(ceiling(P / N), N) == "falls"
    assert trend(P / N - P / (N + 1), N) is None  # only numbers have a slope whose sign is known
    assert trend(7 / N - 7 / (N + 1), N) == "falls"
    assert trend((N - 1) * (7 / N), N) == "rises"
    assert trend(N + 9 / N, N) is None  # falls to 3, then rises
    assert trend(phi / (1 + phi), phi) == "rises"
    assert trend(A / Max(2 * A + 3, A + 20), A) == "rises"
    assert trend(Max(2 * A, 40 / A), A) is None
    assert trend(B, N) == "constant"


def test_an_enclosure_holds_the_expression_between() -> None:
    expr = N * ceiling(Integer(10) / (N + 1)) - (N - 1) * ceiling(10 / N)
    around = enclosure(expr, N)
    assert around is not None
    for ranks in range(1, 40):
        low, here, high = (x.xreplace({N: Integer(ranks)}) for x in (around[0], expr, around[1]))
        assert low <= here < high
    below = enclosure(floor(10 / N), N)
    assert below == (10 / N - 1, 10 / N)
    # Rising in one ceiling's coefficient and falling in its other part: no enclosure is claimed.
    assert enclosure(ceiling(10 / N) * Symbol("x", real=True), N) is None


def brute(question: Question, upto: int) -> list[int]:
    return [x for x in range(upto) if question.meets(Integer(x))]


@pytest.mark.parametrize("relation", ["<=", ">=", "<", ">"])
@pytest.mark.parametrize("target", [Integer(5), Rational(17, 2), Integer(9)])
@pytest.mark.parametrize("expr", [(N - 1) * ceiling(10 / N), ceiling(40 / N), 3 * N - 1, 40 / (N + 2) + ceiling(7 / N)])
def test_borders_are_those_of_trying_every_value(expr: Symbol, target: Integer, relation: str) -> None:
    question = Question(expr, N, relation, target)
    found, tried = question.border(), brute(question, 60)
    match found.kind:
        case "smallest":
            assert found.value == tried[0]
        case "largest":
            assert found.value == tried[-1]
            assert found.neighbour == tried[-1] + 1
        case "every":
            assert tried
        case kind:
            assert kind == "never"
            assert not tried


@pytest.mark.parametrize("relation", ["=", "<=", ">=", "<", ">"])
@pytest.mark.parametrize("target", [0, 1, 2, 3, 4, 7])
@pytest.mark.parametrize("rank", [0, 3])
def test_what_climbs_and_falls_by_turns_is_tried_until_it_stands_still(target: int, relation: str, rank: int) -> None:
    shard = ceiling(10 / N)
    question = Question(Max(0, Min(shard, 10 - rank * shard)) + (shard - 3) ** 2, N, relation, Integer(target), (AtMost(rank + 1, N),))
    found, tried = question.border(), brute(question, 40)
    assert question.settles == 10
    match found.kind:
        case "smallest" | "one":
            assert found.value == tried[0]
            assert found.kind == "smallest" or len(tried) == 1
        case "largest":
            assert [found.value, found.neighbour] == [tried[-1], tried[-1] + 1]
        case "several":
            assert [found.value, found.neighbour] == [tried[0], tried[-1] if tried[-1] < 39 else None]
        case "every" | "lowest":
            assert tried == list(range(rank + 1, 40))
        case kind:
            assert (kind, tried) == ("never", [])


@pytest.mark.parametrize("target", [{"equals": 1}, {"equals": 2}, {"equals": 3}, {"at_most": 2}, {"at_least": 2}])
def test_the_rank_that_holds_so_much_is_found_though_an_even_share_has_no_rank_in_it(target: dict[str, Any]) -> None:
    held = [3, 3, 3, 1]  # 10 rows over 4 ranks
    ((relation, wanted),) = target.items()
    meets = [r for r, own in enumerate(held) if {"equals": own == wanted, "at_most": own <= wanted, "at_least": own >= wanted}[relation]]
    found = solve({"d_0": 10, "N": 4}, "rows_of_rank", "n_rank", **target)
    assert found.never == (not meets)
    if meets:
        assert found.value is not None
        assert found.value.value == (meets[-1] if relation == "at_least" else meets[0])


def test_an_equation_is_met_where_nothing_is_rounded_too() -> None:
    assert Question((N - 1) * ceiling(12 / N), N, "=", Integer(9)).border().value == 4
    assert Question((N + 1) * ceiling(12 / N) / N, N, "=", Rational(16, 3)).border().value == 3
    assert Question((N + 1) * ceiling(12 / N) / N, N, "=", Rational(17, 3)).border().kind == "never"


def test_of_two_roots_the_possible_one_is_the_inverse() -> None:
    assert solve("H", "ordered_splits", "e", equals=66).text.startswith("e: 10 (e = ")


def test_the_values_of_a_letter_keep_the_hypotheses() -> None:
    assert list(Question(N, N, "=", Integer(1), (Divides(N, Integer(12)),)).allowed) == [1, 2, 3, 4, 6, 12]
    assert list(Question(k, k, "=", Integer(1), (AtMost(k, Integer(4)),)).allowed) == [1, 2, 3, 4]
    assert list(Question(L, L, "=", Integer(1), (AtMost(Integer(4), L),)).allowed[:2]) == [4, 5]
    assert list(Question(G, G, "=", Integer(1), (Divides(Integer(6), G),)).allowed[:2]) == [6, 12]
    assert list(Question(r, r, "=", Integer(1)).allowed) == [0, 1]
    assert list(Question(M_max, M_max, "=", Integer(1), (AtMost(Rational(7, 2), M_max),)).allowed[:1]) == [4]


# The count of ordered triples with a product of 2^e is (e + 1)(e + 2)/2.
@pytest.mark.parametrize(("total", "count"), [(1, 1), (6, 9), (8, 10), (64, 28), (512, 55), (1024, 66)])
def test_all_ordered_splits(total: int, count: int) -> None:
    found = splits(total)
    assert len(found) == len(set(found)) == count
    assert found == sorted(found)
    assert all(a * b * c == total for a, b, c in found)
    assert all(set(permutations(triple)) <= set(found) for triple in found)


def test_splits_under_constraints() -> None:
    inside = splits(1024, N_t_at_most=8)
    assert len(inside) == 38
    assert inside == [split for split in splits(1024) if split[2] <= 8]
    assert splits(1024, N_p=4, N_t=8) == [(32, 4, 8)]
    assert splits("1024", N_p=4, N_d_at_most=4) == [(1, 4, 256), (2, 4, 128), (4, 4, 64)]
    assert splits(1024, N_t=6) == splits(7, N_p=2) == []


def test_splits_of_a_world_with_very_many_divisors() -> None:
    world = 897_612_484_786_617_600  # 103,680 divisors
    assert len(splits(world, N_t=1)) == 103_680
    assert splits(world, N_t=1, N_p_at_most=2) == [(world // 2, 2, 1), (world, 1, 1)]
    assert splits(world, N_d_at_most=1000, N_p_at_most=1000, N_t_at_most=1000) == []
    with pytest.raises(FsdpSymError, match=r"GPUs have more than 1,000,000 splits here: fix or bound a degree, as N_t=8"):
        splits(world)


def test_splits_refuse_what_is_no_constraint() -> None:
    with pytest.raises(FsdpSymError, match="N_x is no constraint on a split: use N_d, N_p, N_t, alone or with _at_most"):
        splits(8, N_x=2)
    with pytest.raises(OutOfRange, match="N_t = 0 is out of range"):
        splits(8, N_t=0)
    with pytest.raises(OutOfRange, match="is out of range: GPUs in all"):
        splits(Fraction(5, 2))
    with pytest.raises(DimensionError, match="wants a plain number"):
        splits("8 GB")

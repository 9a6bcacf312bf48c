"""A formula at numbers: both readings, limits, the line that is shown, the second route, and what is refused."""

from fractions import Fraction
from math import isqrt

import pytest
from sympy import Integer, Rational, Symbol, oo, sqrt

from fsdp_sym.algebra.agreement import drawn_points
from fsdp_sym.algebra.arithmetic import Surd
from fsdp_sym.algebra.errors import DimensionError, FsdpSymError, MissingValue, OutOfRange, UnknownName
from fsdp_sym.algebra.formula import Bracket, Formula, Source
from fsdp_sym.algebra.units import Amount, byte
from fsdp_sym.algebra.vocabulary import A, N, S, V_ag, phi
from fsdp_sym.reasoning import work as working
from fsdp_sym.reasoning.catalogue import formula, formulas
from fsdp_sym.reasoning.work import Worked, count, counted_line, evaluate, evaluator, plain, work

# cell or values, formula, changes; the line.
LINES = [
    ("D", "all_gather", {"N": 64}, "V_ag = (N - 1)/N·S = (64 - 1) / 64 × 700 MB = 689.0625 MB"),
    ("D", "all_gather", {"N": 1}, "V_ag = (N - 1)/N·S = (1 - 1) / 1 × 700 MB = 0 B"),
    ("D", "all_gather", {"N": "oo"}, "V_ag → S = 700 MB as N → ∞, where N divides S"),
    ("B", "sharded_state", {"N": oo}, "M_3 → 0 B as N → ∞, where N divides P"),
    ("A", "bytes_per_parameter", {}, "B = b_w + b_g + b_c + b_m + b_v + b_x = 4 B/param + 4 B/param + 4 B/param + 4 B/param = 16 B/param"),
    ("C", "best_interval", {"A": 1, "c": 1}, "k_best = √(L·c/A) = √(96 × 1 B / 1 B) ≈ 9.79796"),
    ("E", "communication_hides", {}, "T_comm/T_comp ≤ 1: 3 ms / 8 ms ≤ 1: yes"),
    ("E", "sharding_hurts", {}, "T_comm/T_comp > ρ_max: 3 ms / 8 ms > 0.3: yes"),
]


@pytest.mark.parametrize(("where", "name", "at", "line"), LINES)
def test_the_line_says_formula_numbers_result_by_both_routes(where: object, name: str, at: dict[str, object], line: str) -> None:
    worked = work(where, name, **at)  # type: ignore[arg-type]
    assert worked.line() == str(worked) == repr(worked) == line
    assert counted_line(worked) == line


def test_numbers_too_long_to_be_read_go_in_rounded_and_come_out_with_the_exact_result_behind() -> None:
    worked = work("S", "run_time", T_mb="1/7 s", T_show="1000/3 ms", T_opt="3 ms")
    says = "T_run = ((N_p - 1)/n_chk + K_mb)·T_mb + T_show + T_opt ≈ ((16 - 1) / 1 + 32) × (1/7 s) + 333.333 ms + 3 ms "
    says += "≈ 7.05062 s (exactly 148,063/21,000 s)"
    assert worked.line() == counted_line(worked) == says
    assert worked.latex.endswith(r"\approx 7.05062\,\mathrm{s}")
    assert r"\approx \left(" in worked.latex


def test_a_long_line_is_broken_at_its_signs() -> None:
    lines = work("S", "micro_batch_time").line().splitlines()
    assert lines[0] == "T_mb"
    assert lines[1].startswith("  = L_st·P_lay·")
    assert [line for line in lines if line.startswith("  = ")][-1] == lines[-1] == "  = 10,860,491,626,496/30,385,546,875 ms ≈ 357.423 ms"
    assert all(len(line) <= 96 for line in lines)


def test_cases_are_written_one_a_line() -> None:
    lines = work("G", "stage_for_budget").line().splitlines()
    assert lines[0] == "z_min is the first that holds:"
    assert [line.split()[0] for line in lines[1:6]] == ["0", "1", "2", "3", "∞"]
    assert lines[6:] == ["z_min = 3 (ZeRO-3)"]
    assert work("G", "stage_for_budget").latex.endswith(r"= 3\text{ (ZeRO-3)}")
    assert work("G", "stage_for_budget", M_max="1 GB").value == Amount(oo)
    assert counted_line(work("G", "stage_for_budget", M_max="1 GB")).endswith("z_min = ∞")


def test_a_result_is_shown_in_another_unit_and_rounded_with_a_sign() -> None:
    worked = work("D", "all_gather", N=64)
    assert (worked.shown(), worked.shown("GB"), worked.shown(digits=3)) == ("689.0625 MB", "0.6890625 GB", "≈ 689 MB")
    assert worked.line(digits=3).endswith("× 700 MB ≈ 689 MB")


# What is not so, and the two readings.
VIOLATED = [
    ({"S": 10, "N": 7}, "all_gather", ["N divides S"], 12, Rational(60, 7)),
    ({"S": 1, "N": 2}, "all_gather", ["N divides S"], 1, Rational(1, 2)),
    ({"S": 3, "N": 2}, "zero_2_traffic", ["N divides S"], 4, 3),
    ({"L": 10, "k": 4, "c": 1}, "kept_checkpoints", ["k divides L"], 3, Rational(5, 2)),
    ({"T_f": "1 ms", "T_b": "3 ms"}, "recompute_overhead", ["T_b = 2·T_f"], Rational(1, 4), Rational(1, 3)),
    ({"T_comm": "3 ms", "T_comp": "1 ms"}, "step_when_hidden", ["T_comm is at most T_comp"], Rational(3, 1000), Rational(1, 1000)),
    ({"L": 4, "A": 4, "c": 9}, "best_peak", ["c = A"], 24, 16),
    # A reading of exactly one or nought is a number, not an answer.
    ({"S": 7, "N": 3, "r": 0}, "traffic_over_all_reduce", ["N divides S"], 1, 1),
    ({"L": 1, "A": 4, "c": 1}, "kept_cut", ["c = A"], 2, 1),
]  # fmt: skip


@pytest.mark.parametrize(("values", "name", "violated", "value", "ideal"), VIOLATED)
def test_what_does_not_hold_is_named_and_both_readings_are_exact(
    values: dict[str | Symbol, object], name: str, violated: list[str], value: object, ideal: object
) -> None:
    worked = work(values, name)
    assert [str(h) for h in worked.violated] == violated
    assert isinstance(worked.value, Amount)
    assert isinstance(worked.ideal, Amount)
    assert (worked.value.value, worked.ideal.value) == (value, ideal)
    assert worked.reading == worked.formula.closed
    assert all(said in worked.line() for said in violated)


def test_where_all_holds_the_readings_agree_and_nothing_is_added() -> None:
    worked = work({"S": 12, "N": 4}, "all_gather")
    assert worked.violated == ()
    assert worked.value == worked.ideal == Amount(Integer(9), byte)
    assert worked.reading == worked.formula.exact
    assert worked.line() == "V_ag = (N - 1)/N·S = (4 - 1) / 4 × 12 B = 9 B"


def test_a_surd_stays_exact_is_shown_rounded_and_counted_by_a_bracket() -> None:
    worked = work("C", "best_interval")
    assert worked.value == Amount(4 * sqrt(6))
    assert worked.shown() == "≈ 9.79796"
    assert r"\approx 9.79796" in worked.latex
    found = count(worked)
    assert isinstance(found, Bracket)
    assert found.low**2 < 96 < found.high**2
    assert counted_line(worked) == worked.line()


def test_a_root_that_comes_out_is_no_surd() -> None:
    assert work({"L": 4, "c": 4, "A": 4}, "kept_cut").line() == "x_kept = √L = √4 = 2"


def test_roots_that_cancel_leave_a_number_and_no_answer() -> None:
    cut = formula("kept_cut")
    found = evaluate(cut, {s: Integer(4 if s.name == "c" else 2) for s in cut.letters})
    assert found == 1
    assert not isinstance(found, bool)


def test_a_bracket_too_wide_to_show_is_refused() -> None:
    wide = Formula(
        "fsdp_sym.formulas.activations.best_interval", A, sqrt(S), (), Source("by definition"),
        counted=lambda S: Bracket(isqrt(S), isqrt(S) + 1),
    )  # fmt: skip
    with pytest.raises(FsdpSymError, match="the count of best_interval brackets its value too loosely to show it: A"):
        counted_line(work({"S": 10}, wide))


def test_counted_line_takes_nothing_from_the_formula_s_value(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, str, dict[str, object]]] = [
        ("D", "all_gather", {}), ("D", "all_gather", {"N": "oo"}), ("C", "best_interval", {}),
        ("B", "replica_fits", {}), ("G", "stage_for_budget", {}),
    ]  # fmt: skip
    right = [counted_line(work(cell, name, **at)) for cell, name, at in asked]
    assert right == [work(cell, name, **at).line() for cell, name, at in asked]

    def wrong(*_: object) -> None:
        raise AssertionError("the formula was evaluated")

    for name in ("evaluate", "evaluator", "compiled", "_symbolically"):
        monkeypatch.setattr(working, name, wrong)
    monkeypatch.setattr(Worked, "value", property(wrong))
    monkeypatch.setattr(Worked, "ideal", property(wrong))
    monkeypatch.setattr(Worked, "_limit", wrong)
    assert [counted_line(work(cell, name, **at)) for cell, name, at in asked] == right


def test_a_limit_is_counted_from_three_rank_counts() -> None:
    assert count(work("D", "all_gather", N="oo")) == Amount(Integer(700_000_000), byte)
    assert count(work("B", "zero_1_saving", N="oo")) == Amount(Integer(4))
    assert count(work("B", "sharded_state", N="oo")) == Amount(Integer(0), byte)
    quadratic = Formula(
        "fsdp_sym.formulas.communication.all_gather", V_ag, formula("all_gather").start, formula("all_gather").steps,
        Source("by definition"), counted=lambda N, S: N * N,
    )  # fmt: skip
    with pytest.raises(FsdpSymError, match=r"follows no law a \+ b/N here: its limit cannot be counted"):
        count(work("D", quadratic, N="oo"))
    with pytest.raises(FsdpSymError, match="has no N up to 256 at which nothing is padded: its limit cannot be counted"):
        count(work("B", "marginal_saving", N="oo", P=1))


REFUSED = [
    ("D", "all_gathr", {}, UnknownName, "no formula is called 'all_gathr': did you mean all_gather"),
    ("Z", "all_gather", {}, UnknownName, "no cell is called 'Z': the cells are A, B, C, D, E, F, G, H"),
    ("d", "all_gather", {}, UnknownName, "no cell is called 'd': did you mean D?"),
    ("D", "all_gather", {"n": 3}, UnknownName, "no letter is called 'n': did you mean N"),
    ("D", "all_gather", {"N": 0}, OutOfRange, "N = 0 is out of range"),
    ("D", "all_gather", {"N": 2.5}, OutOfRange, "it is a whole number at least 1"),
    ("D", "all_gather", {"N": "8 GB"}, DimensionError, "wants a plain number, and '8 GB' is bytes: write N=8"),
    ({"S": 10}, "all_gather", {}, MissingValue, "all_gather needs N (ranks that share one copy: the shard group): give N=..."),
    ({}, "all_gather", {}, MissingValue, "all_gather needs N (ranks that share one copy: the shard group), S (bytes of the whole"),
    ("D", "all_gather_gain", {"N": 3}, OutOfRange, "means nothing where S = 700 MB, N = 3: it needs that N·(N + 1) divides S"),
    ("E", "data_parallel_time", {"N": 1}, OutOfRange, "data_parallel_time means nothing where N = 1: it needs that 2 is at most N"),
    ("C", "all_activations", {"b": "oo"}, OutOfRange, "all_activations states no limit for b: give a number"),
    ("D", "ring_steps", {"N": "oo"}, OutOfRange, "ring_steps states no limit for N: give a number"),
    ("E", "data_parallel_time", {"N": "oo"}, OutOfRange, "does not depend on N, which is infinite here: give it a number"),
    ({"N": "oo"}, "all_gather", {}, MissingValue, "all_gather needs S"),
    ({"P": 10, "M_max": 3, "B": 8}, "ranks_for_budget", {}, OutOfRange, "it needs that B is at most M_max"),
]  # fmt: skip


@pytest.mark.parametrize(("where", "name", "at", "error", "said"), REFUSED)
def test_what_cannot_be_worked_is_refused_in_one_line(
    where: object, name: str, at: dict[str, object], error: type[FsdpSymError], said: str
) -> None:
    with pytest.raises(error) as refused:
        _ = work(where, name, **at).value  # type: ignore[arg-type]
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_result_out_of_its_letter_s_range_is_refused() -> None:
    share = Formula("fsdp_sym.formulas.time.exposed_time", phi, N / 2, (), Source("by definition"))
    assert work({"N": 2}, share).shown() == "1"
    with pytest.raises(OutOfRange, match=r"exposed_time gives phi = 1.5 here, out of its range .*: the values contradict one another"):
        _ = work({"N": 3}, share).value


def test_evaluate_names_what_is_missing_or_outside() -> None:
    with pytest.raises(MissingValue, match=r"all_gather needs S .*: give S=\.\.\."):
        evaluate(formula("all_gather"), {N: Integer(4)})
    bound = formula("ranks_for_budget")
    with pytest.raises(OutOfRange, match="divides by zero at these values: it needs that B is at most M_max"):
        evaluate(bound, dict(zip(bound.letters, (Integer(10), Integer(8), Integer(3)), strict=True)))


def test_a_formula_without_a_count_says_so() -> None:
    good = formula("all_gather")
    with pytest.raises(FsdpSymError, match=r"all_gather has no counting route: add counted=\.\.\. to its file"):
        count(work("D", Formula(good.module, good.defines, good.start, good.steps, good.source)))


def test_plain_keeps_a_number_exact_and_refuses_a_surd() -> None:
    assert (plain(Integer(7)), plain(Rational(7, 2))) == (7, Fraction(7, 2))
    assert (type(plain(Integer(7))), type(plain(Rational(7, 2)))) == (int, Fraction)
    with pytest.raises(Surd):
        plain(sqrt(2))


@pytest.mark.parametrize("name", list(formulas()))
def test_the_evaluator_gives_what_the_expression_gives(name: str) -> None:
    """The compiled function against SymPy's own substitution."""
    chosen = formula(name)
    where = [h for h in chosen.where if h.symbols <= set(chosen.letters)]
    for point in drawn_points(chosen.letters, 4, seed=11, given=where):
        truth = chosen.closed.xreplace(point).doit()
        try:
            found = evaluator(chosen)(*(plain(point[s]) for s in chosen.letters))
        except Surd:
            assert not truth.is_rational
            continue
        assert found == bool(truth) if isinstance(found, bool) else Rational(str(found)) == truth if found != oo else truth == oo

"""What the commands answer: text and JSON, exact and rounded, and the exit code that goes with it."""

import json
from typing import Any

import pytest
from sympy import Integer, oo

from fsdp_sym import __version__
from fsdp_sym.algebra.formula import Formula
from fsdp_sym.algebra.units import Amount, byte
from fsdp_sym.algebra.vocabulary import LETTERS
from fsdp_sym.cli import DONE, NO, main
from fsdp_sym.publishing.record import value_record
from fsdp_sym.reasoning.audit import audit, audit_formula
from fsdp_sym.reasoning.catalogue import formula, formulas
from fsdp_sym.scenarios.cells import CELLS
from fsdp_sym.teaching.lessons import LESSONS

PADDED = ["evaluate", "all_gather", "--set", "S=10 B", "--set", "N=7"]
FEWEST = ["solve", "sharded_state", "--cell", "B", "--for", "N", "--at-most"]
SPLIT = ["solve", "world_size", "--for", "N_d,N_p,N_t", "--equals"]

OWNER = ["solve", "rows_of_rank", "--for", "d_0", "--equals", "2", "--set", "N=4"]
OWNED = "d_0 = 8\nd_0 = N·n_own; others give the same: the smallest is d_0 = 5, the largest is d_0 = 8\n"
ANY_N = ["solve", "all_gather", "--cell", "D", "--for", "N", "--at-most"]
THREE = ["evaluate", "all_gather", "--set", "S=1GiB", "--set", "N=3"]
THIRD = "Under that assumption it would be 33,554,432/46,875 MB ≈ 715.827882667 MB.\n"
LONG = [word for name in ("P=17.5e9", "b_w=1 B/param", "b_g=0", "b_c=0", "b_m=0", "b_v=0", "b_x=0") for word in ("--set", name)]

# argv, exit code, and what is printed, whole.
ANSWERED = [
    (["evaluate", "all_gather", "--set", "S=700 MB", "--set", "N=4"], DONE, "525 MB\n"),
    (["evaluate", "all_gather", "--cell", "D", "--set", "N=64"], DONE, "689.0625 MB\n"),
    (["evaluate", "all_gather", "--cell", "D", "--set", "N=64", "--digits", "4"], DONE, "≈ 689.1 MB\n"),
    (["evaluate", "all_gather", "--cell", "D", "--digits", "4"], DONE, "525 MB\n"),
    (["evaluate", "all_gather", "--cell", "D", "--unit", "GB"], DONE, "0.525 GB\n"),
    (["evaluate", "all_gather", "--cell", "D", "--set", "N=oo"], DONE, "700 MB\nThe limit is taken where N divides S.\n"),
    (["evaluate", "all_gather", "--cell", "D", "--set", " N = 1 "], DONE, "0 B\n"),
    (["evaluate", "link_bandwidth", "--cell", "F"], DONE, "1.25 GB/s\n"),
    (["evaluate", "shard_fits", "--cell", "B"], DONE, "yes\n"),
    (["evaluate", "replica_fits", "--cell", "B"], DONE, "no\n"),
    (PADDED, DONE, "12 B\nNot so here: N divides S. Under that assumption it would be 60/7 B ≈ 8.57142857143 B.\n"),
    (["evaluate", "stage_for_budget", "--cell", "G"], DONE, "3 (ZeRO-3)\n"),
    (["evaluate", "stage_for_budget", "--cell", "G", "--set", "N=4"], DONE, "∞\n"),
    (["evaluate", "winning_sharding", "--cell", "P", "--set", "P=20e9", "--set", "N=64"], DONE, "4 (HSDP)\n"),
    ([*FEWEST, "4 GB"], DONE, "N = 28\nsmallest: at N = 27 it is 4.14814816 GB\n"),
    (["solve", "world_size", "--cell", "H", "--for", "N_d", "--equals", "1024"], DONE, "N_d = 32\nN_d = G/(N_p·N_t)\n"),
    (["solve", "shard_fits", "--cell", "B", "--for", "N", "--equals", "yes"], DONE, "N = 2\nsmallest: at N = 1 it is no\n"),
    ([*OWNER, "--set", "n_rank=1"], DONE, OWNED),
    ([*ANY_N, "1 GB"], DONE, "every value, where N divides S: V_ag ≤ 1 GB whatever N is\n"),
    ([*THREE, "--unit", "MB"], DONE, "715.827884 MB\nNot so here: N divides S. " + THIRD),
    (["evaluate", "replicated_state", *LONG, "--unit", "GiB"], DONE, "68,359,375/4,194,304 GiB ≈ 16.2981 GiB\n"),
    (["--version"], DONE, f"fsdp-sym {__version__}\n"),
    ([*SPLIT, "1024", "--set", "N_p=4", "--set", "N_t=8"], DONE, "N_d  N_p  N_t\n32   4    8\n1 ordered split\n"),
    ([*SPLIT, "7", "--set", "N_p=4"], NO, "never: no split of 7 meets N_p=4\n"),
]


@pytest.mark.parametrize(("argv", "code", "printed"), ANSWERED, ids=[" ".join(argv)[:60] for argv, _, _ in ANSWERED])
def test_answers(argv: list[str], code: int, printed: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(argv) == code
    assert capsys.readouterr() == (printed, "")


def asked(argv: list[str], capsys: pytest.CaptureFixture[str], code: int = DONE) -> Any:
    assert main([*argv, "--json"]) == code
    out, err = capsys.readouterr()
    assert err == ""
    return json.loads(out, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))


def test_json_holds_the_exact_value(capsys: pytest.CaptureFixture[str]) -> None:
    nothing_else = [word for letter in ("b_g", "b_c", "b_m", "b_v", "b_x") for word in ("--set", f"{letter}=0")]
    assert asked(["evaluate", "replicated_state", "--set", "P=7B", "--set", "b_w=2 B/param", *nothing_else], capsys) == {
        "formula": "replicated_state",
        "value": {"exact": "14000000000", "unit": "byte", "float": 1.4e10},
        "shown": "14 GB",
        "violated": [],
    }


def test_json_says_what_is_violated_with_both_readings(capsys: pytest.CaptureFixture[str]) -> None:
    found = asked(PADDED, capsys)
    assert (found["value"]["exact"], found["violated"], found["ideal"]["exact"]) == ("12", ["N divides S"], "60/7")


def test_json_of_a_truth_value(capsys: pytest.CaptureFixture[str]) -> None:
    assert asked(["evaluate", "replica_fits", "--cell", "B"], capsys)["value"] is False


def test_json_of_an_infinite_or_enormous_value_has_no_float() -> None:
    assert value_record(Amount(oo)) == {"exact": "oo", "unit": "1", "float": None}
    assert value_record(Amount(Integer(10) ** 400, byte)) == {"exact": f"1{'0' * 400}", "unit": "byte", "float": None}


def test_json_of_an_irrational_value_keeps_the_root(capsys: pytest.CaptureFixture[str]) -> None:
    found = asked(["evaluate", "best_interval", "--cell", "C"], capsys)
    assert (found["value"]["exact"], found["shown"]) == ("4*sqrt(6)", "≈ 9.79796")


def test_never_is_an_answer_with_its_reason(capsys: pytest.CaptureFixture[str]) -> None:
    argv = ["solve", "zero_1_state", "--cell", "B", "--for", "N", "--at-most", "20 GB"]
    found = asked(argv, capsys, NO)
    assert (found["value"], found["shown"]) == (None, "never")
    assert main(argv) == NO
    out, err = capsys.readouterr()
    assert out == f"never: {found['reason']}\n"
    assert "28 GB" in out
    assert err == ""


def test_json_says_what_never_and_every_value_assume(capsys: pytest.CaptureFixture[str]) -> None:
    found = asked(["solve", "zero_3_saving", "--cell", "B", "--for", "P", "--at-most", "3"], capsys, NO)
    assert (found["shown"], found["assuming"]) == ("never, where N divides P", ["N divides P"])
    assert asked([*FEWEST, "4 GB"], capsys)["assuming"] == []


def test_json_shows_a_long_fraction_with_its_decimal(capsys: pytest.CaptureFixture[str]) -> None:
    assert asked(["evaluate", "replicated_state", *LONG, "--unit", "GiB"], capsys)["shown"].endswith(" GiB ≈ 16.2981 GiB")


def test_json_of_splits(capsys: pytest.CaptureFixture[str]) -> None:
    found = asked([*SPLIT, "1024"], capsys)
    assert len(found["value"]) == 66
    assert found["value"][0] == {"N_d": 1, "N_p": 1, "N_t": 1024}
    assert asked([*SPLIT, "7", "--set", "N_p=4"], capsys, NO)["value"] is None


def test_a_target_wins_over_the_cell_s_own_value(capsys: pytest.CaptureFixture[str]) -> None:
    assert asked(["solve", "world_size", "--cell", "H", "--for", "N_d", "--equals", "2048"], capsys)["shown"] == "64"


def test_explain_derives_a_formula_and_works_it_where_numbers_are_given(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "all_gather"]) == DONE
    derived = capsys.readouterr().out
    assert derived.startswith("In an all-gather each rank receives every shard but its own.\n")
    assert derived.count("[proved]") == 3
    assert main(["explain", "all_gather", "--set", "S=700 MB", "--set", "N=4"]) == DONE
    assert capsys.readouterr().out == f"{derived}\n  V_ag = (N - 1)/N·S = (4 - 1) / 4 × 700 MB = 525 MB\n"


@pytest.mark.parametrize(
    ("formula", "states"),
    [
        ("best_interval", ["A_peak", "A_peak = L/k·c + k·A", "k_best = √(L·c/A)"]),
        ("replica_fits", ["M_0", "M_0 = P·(b_w + b_g + b_c + b_m + b_v + b_x)", "P·(b_w + b_g + b_c + b_m + b_v + b_x) ≤ M_max"]),
        ("transfer_time", ["W·T = V", "T = V/W"]),
    ],
)
def test_a_state_is_never_called_what_it_is_not(formula: str, states: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """What is minimised is no interval, and what is compared is no yes or no."""
    lines = asked(["explain", formula], capsys)["derivation"][1:-1]
    assert [line.strip() for line in lines[::2]] == states


def test_the_cases_of_a_formula_are_a_line_each(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "stage_for_budget"]) == DONE
    out = capsys.readouterr().out
    assert "\n  z_min = 0 if M_0 ≤ M_max;\n          1 if M_1 ≤ M_max;\n" in out
    assert max(map(len, out.splitlines())) <= 130


def test_explain_works_a_cell_again_at_other_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "D", "--set", "N=8"]) == DONE
    out = capsys.readouterr().out
    for said in (CELLS["D"].question, *CELLS["D"].conventions, "N = 8: ranks", "S = 700 MB: ", "[proved]", "= 612.5 MB"):
        assert said in out
    assert "64" not in out
    assert out.count("V_ag = (N - 1)/N·S = (8 - 1) / 8") == 1


def test_explain_says_where_a_number_cannot_be_worked_and_goes_on(capsys: pytest.CaptureFixture[str]) -> None:
    argv = ["explain", "E", "--set", "T_comm=40 ms"]
    assert main(argv) == DONE
    out = capsys.readouterr().out
    refused = out.index("\n  slowdown_with_overlap means nothing where T_comm = 40 ms")
    assert "  σ_dp = r·T_comm/((r + 2)·T_comp + 2·T_comm) = 1 × 40 ms" in out[refused:]
    worked = [one for derived in asked(argv, capsys)["formulas"] for one in derived["worked"]]
    assert [one["why"][:35] for one in worked if one["formula"] == "slowdown_with_overlap"] == ["slowdown_with_overlap means nothing"]


def test_explain_works_again_what_takes_its_number_from_another_work(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "F", "--set", "S=1.4 GB"]) == DONE
    assert "ρ = T_comm/T_comp = 980 ms / 8 ms = 122.5\n" in capsys.readouterr().out


@pytest.mark.parametrize("cell", CELLS)
def test_every_cell_is_explained(cell: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = asked(["explain", cell], capsys)
    assert found["question"] == CELLS[cell].question
    assert any(one["worked"] for one in found["formulas"])
    assert all(one["value"] is not None for derived in found["formulas"] for one in derived["worked"])


def test_explain_as_json_has_derivation_and_result(capsys: pytest.CaptureFixture[str]) -> None:
    found = asked(["explain", "all_gather", "--set", "S=700 MB", "--set", "N=4"], capsys)
    assert found["verdicts"] == ["proved"] * 3
    assert found["value"]["exact"] == "525000000"
    assert "value" not in asked(["explain", "all_gather"], capsys)


def test_list_shows_everything_once(capsys: pytest.CaptureFixture[str]) -> None:
    found = asked(["list"], capsys)
    assert [row["cell"] for row in found["cells"]] == list(CELLS)
    assert [row["lesson"] for row in found["lessons"]] == list(LESSONS)
    assert [row["formula"] for row in found["formulas"]] == list(formulas())
    assert [row["letter"] for row in found["letters"]] == [s.name for s in LETTERS]
    assert main(["list", "formulas"]) == DONE
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 1 + len(formulas())
    assert lines[0].split() == ["formula", "topic", "title"]


def test_audit_lists_every_formula_and_fails_with_one(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    good = formula("all_gather")
    uncounted = Formula(good.module, good.defines, good.start, good.steps, good.source)
    monkeypatch.setattr("fsdp_sym.reasoning.audit.audit", lambda: audit([good]))
    assert main(["audit"]) == DONE
    out = capsys.readouterr().out
    assert out.splitlines()[0].endswith("points counted  known values")
    assert out.endswith("1 of 1 formulas hold\n")
    monkeypatch.setattr("fsdp_sym.reasoning.audit.audit", lambda: [audit_formula(good), audit_formula(uncounted)])
    assert main(["audit"]) == NO
    out = capsys.readouterr().out
    assert "UNVERIFIED" in out
    assert out.endswith("1 of 2 formulas hold\n")
    assert [row["status"] for row in asked(["audit"], capsys, NO)] == ["proved", "UNVERIFIED"]

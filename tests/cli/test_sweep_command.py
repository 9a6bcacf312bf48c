"""fsdp-sym sweep: tables, the best, files and pictures of many points, and what it refuses."""

from __future__ import annotations

import csv
import json
import shlex
from xml.etree import ElementTree

import pytest

from fsdp_sym.cli import DONE, NO, WRONG, main

GATHER = ["sweep", "all_gather", "--set", "S=1 GB"]


def lines(capsys):
    return [line.split() for line in capsys.readouterr().out.splitlines()]


def test_a_table_has_the_letters_and_their_base_units(capsys):
    assert main([*GATHER, "--over", "N=2..16*2"]) == DONE
    assert lines(capsys) == [
        ["N", "V_ag", "[B]"], ["2", "500,000,000"], ["4", "750,000,000"], ["8", "875,000,000"], ["16", "937,500,000"],
    ]  # fmt: skip


def test_a_range_goes_on_in_steps_and_its_ends_may_be_large(capsys):
    assert main(["sweep", "sharded_state", "--cell", "B", "--over", "N=8..24+8", "--over", "P=1e9..2e9+1e9"]) == DONE
    assert [row[:2] for row in lines(capsys)[1:]] == [[n, p] for n in ("8", "16", "24") for p in ("1,000,000,000", "2,000,000,000")]


def test_every_combination_is_a_point_and_the_best_are_few(capsys):
    asked = ["sweep", "sharded_state", "--cell", "B", "--over", "N=1..1000", "--over", "P=1e9,7e9"]
    assert main([*asked, "--best", "2", "--json"]) == DONE
    assert json.loads(capsys.readouterr().out) == [{"N": 1000, "P": 10**9, "M_3": 16 * 10**6}, {"N": 999, "P": 10**9, "M_3": 16 * 1001002}]
    assert main([*asked, "--best", "1", "--largest", "--json", "--jobs", "2"]) == DONE
    assert json.loads(capsys.readouterr().out) == [{"N": 1, "P": 7 * 10**9, "M_3": 112 * 10**9}]


def test_every_point_is_written_and_the_picture_drawn(tmp_path, capsys):
    table, picture = tmp_path / "all.csv", tmp_path / "all.svg"
    assert main([*GATHER, "--over", "N=1..1500", "--csv", str(table), "--plot", str(picture)]) == DONE
    assert capsys.readouterr().out.split() == [str(table), str(picture)]
    rows = list(csv.reader(table.read_text().splitlines()))
    assert (rows[0], rows[1], len(rows)) == (["N", "V_ag [B]"], ["1", "0"], 1501)
    assert rows[7] == ["7", str(6 * -(-(10**9) // 7))]
    assert ElementTree.parse(picture).getroot().tag.endswith("svg")


def test_what_is_never_reached_is_said_and_is_null_in_json(capsys):
    assert main(["sweep", "stage_for_budget", "--cell", "G", "--over", "N=4,8"]) == DONE
    assert lines(capsys) == [["N", "z_min"], ["4", "∞"], ["8", "3", "(ZeRO-3)"]]
    assert main(["sweep", "stage_for_budget", "--cell", "G", "--over", "N=4,8", "--json"]) == DONE
    assert [row["z_min"] for row in json.loads(capsys.readouterr().out)] == [None, 3.0]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ([], "swept over nothing: name a letter and its values, such as N=1..64"),
        (["--over", "N"], "--over 'N' gives no letter values: write it like --over N=1..64"),
        (["--over", "N=9..2"], "has 0 values"),
        (["--over", "N=1..100000000"], "has 100,000,000 values: give from one to 10,000,000"),
        (["--over", "N=0..8*2"], "grows by no factor"),
        (["--over", "N=1..8*1"], "grows by no factor"),
        (["--over", "N=1..8+0"], "goes on by no step"),
        (["--over", "N=1e9..1"], "has 0 values"),
        (["--over", "N=1..99999999999999999999"], "has 99,999,999,999,999,999,999 values"),
        (["--over", "N=1..5+-1"], "--over N=1..5+-1 has '-1' as its step: give a whole number in base units, like N=8..64+8"),
        (["--over", "N=1..5*x"], "has 'x' as its factor: give a whole number"),
        (["--over", "N=..5"], "has '' as its first value: give a whole number"),
        (["--over", "N=1..2..3"], "has '2..3' as its last value: give a whole number"),
        (["--over", "N=1..2.5"], "has '2.5' as its last value: give a whole number"),
        (["--over", "N=1e400..2"], "has 1e400 as its first value, which is too large: give a number that 64 bits hold"),
        (["--over", f"N=1..{'9' * 5000}"], "as its last value, which is too large"),
        (["--over", "N=1..4", "--over", "N=8"], "--over gives N twice: give all of its values at once"),
        (["--over", "N=1..4", "--csv", "x.svg", "--plot", "x.svg"], "give --csv and --plot a file each"),
        (["--over", "N=1..4", "--csv", "/dev/null"], "is there and is no file: name another one"),
        (["--over", "N=x"], "N: 'x' is not an amount"),
        (["--over", "N=0..3"], "N = 0 is out of range"),
        (["--over", "N=1..4", "--largest"], "give --best COUNT too"),
        (["--over", "N=1..4", "--scheduler", "tcp://127.0.0.1:1"], "--scheduler sends the search for the best to a cluster: give --best"),
        (["--over", "N=1..4", "--plot", "x.jpg"], "neither .svg nor .png"),
        (["--over", "N=1..4", "--csv", "no/such/folder.csv"], "cannot be written"),
        (["--over", "N=1..4000"], "too many to print: ask for the best with --best 10, or write them with --csv FILE"),
        (["--over", "N=1..4000", "--plot", "x.svg"], "cannot be read: a picture has 6 of 2,000 at most"),
        (["--over", "N=1..3", "--over", "S=1e17"], "S goes through values and is fixed too: give it one or the other"),
        (["--over", "N=1..3", "--set", "P=8"], "all_gather does not depend on P: it takes N, S"),
    ],
)  # fmt: skip
def test_a_request_without_sense_is_one_line(more, said, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main([*GATHER, *more]) == WRONG
    captured = capsys.readouterr()
    assert said in captured.err
    assert captured.err.count("\n") == 1
    assert captured.out == ""
    assert not list(tmp_path.iterdir())


WINS = ["sweep", "winning_sharding", "--cell", "P"]


@pytest.mark.parametrize(
    ("over", "said"),
    [
        (["--over", "N=1..12"], "at the 12 points given: it needs that 2·n_node is at most N, and no point is such"),
        (["--over", "N=7"], "at the 1 point given: it needs that n_node divides N and that 2·n_node is at most N, and no point is such"),
        # Of 5 in a node there are two nodes, and of 12 they are whole.
        (
            ["--over", "N=12", "--over", "n_node=5,12", "--set", "n_link=1"],
            "at the 2 points given: it needs that n_node divides N and that 2·n_node is at most N, and no single point is such",
        ),
    ],
)
@pytest.mark.parametrize("more", [[], ["--best", "3"], ["--csv", "x.csv"], ["--plot", "x.svg"], ["--json"]], ids=str)
def test_where_no_point_is_left_the_range_that_none_meets_is_said(over, said, more, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main([*WINS, *over, *more]) == WRONG
    captured = capsys.readouterr()
    assert captured.err.startswith("fsdp-sym: winning_sharding means nothing ")
    assert said in captured.err
    assert captured.err.count("\n") == 1
    assert captured.out == ""
    assert not list(tmp_path.iterdir())


CHOOSE = ["choose", "--cell", "B", "--over", "N=1..64", "--smallest", "N"]


def test_a_choice_says_what_binds_and_no_choice_is_an_answer_too(capsys):
    assert main([*CHOOSE, "--such-that", "sharded_state <= 10 GB"]) == DONE
    assert capsys.readouterr().out.splitlines() == [
        "N = 12", "  sharded_state <= 10 GB: it is 9.333333344 GB", "  sharded_state <= 10 GB binds: without it N = 1",
    ]  # fmt: skip
    assert main([*CHOOSE, "--such-that", "sharded_state <= 1 GB"]) == NO
    assert capsys.readouterr().out.startswith("none of 64 choices meets every condition\n")
    assert main([*CHOOSE, "--such-that", "sharded_state <= 10 GB", "--json"]) == DONE
    record = json.loads(capsys.readouterr().out)
    assert record["best"]["values"]["N"]["exact"] == "12"
    assert record["binding"]["sharded_state <= 10 GB"]["values"]["N"]["exact"] == "1"
    assert main(["choose", "--over", "N=1..4"]) == WRONG
    assert "give one of the two" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["sweep", "choose"])
def test_what_the_help_shows_as_an_example_runs(name, capsys):
    assert main([name, "--help"]) == DONE
    shown = capsys.readouterr().out.partition("For example:")[2]
    lines = [" ".join(part.split()) for part in shown.split("fsdp-sym ")[1:]]
    assert len(lines) == 2
    for line in lines:
        assert main(shlex.split(line)) == DONE, line

"""Measuring at a terminal, without measuring: what is asked, what is refused, what is shown and what is written."""

from __future__ import annotations

import json
import sys
from fractions import Fraction

import pytest

from fsdp_sym import cli
from fsdp_sym.algebra.errors import FsdpSymError
from fsdp_sym.evidence.values import VALUES
from fsdp_sym.measure import run
from fsdp_sym.measure.reading import Reading
from fsdp_sym.reasoning.evidence import records


@pytest.fixture
def found(monkeypatch):
    """What a measurement of the group ``optimizer`` finds: what is recorded, but for what a test changes."""
    values = {record.id: record.value for record in records().values() if record.group == "optimizer"}
    monkeypatch.setattr(run, "measure", lambda groups, say=None: list(run.readings("optimizer", values.items())))
    monkeypatch.setattr(run, "torch_version", lambda: "2.13.0")
    return values


def test_the_table_shows_predicted_beside_measured(found, capsys):
    assert cli.main(["measure", "--only", "optimizer"]) == 0
    out = capsys.readouterr().out
    assert "24,576     24,576    0           all tensors at once" in out
    assert out.endswith("6 of 6 predictions hold\n")


def test_a_prediction_that_is_off_is_marked_and_answered_no(found, capsys):
    found["flat-temporaries"] *= 2
    assert cli.main(["measure", "--only", "optimizer"]) == 1
    out = capsys.readouterr().out
    assert "✗  49,152     98,304    -50 %" in out
    assert "changed: flat-temporaries: 49152 was recorded, 98304 is measured" in out
    assert "5 of 6 predictions hold" in out


def test_recording_shows_what_changed_and_keeps_the_rest(found, monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(run, "FILE", tmp_path / "measured.json")
    found["flat-temporaries"] += 4
    assert cli.main(["measure", "--only", "optimizer", "--record"]) == 1
    assert "changed: flat-temporaries: 49152 -> 49156" in capsys.readouterr().out
    written = json.loads((tmp_path / "measured.json").read_text())
    assert written["values"] == json.loads(json.dumps({k: int(v) for k, v in VALUES.items()} | {"flat-temporaries": 49156}, sort_keys=True))


def test_the_table_as_json(found, capsys):
    assert cli.main(["measure", "--only", "optimizer", "--json"]) == 0
    row = json.loads(capsys.readouterr().out)[0]
    assert row == {
        "id": "foreach-temporaries", "what": "all tensors at once", "predicted": "24576", "measured": "24576", "recorded": "24576",
        "holds": True,
    }  # fmt: skip


@pytest.mark.parametrize("missing", ["torch", "transformers"])
def test_what_is_missing_is_said_in_one_line(missing, monkeypatch, capsys):
    monkeypatch.setattr(run, "find_spec", lambda name: None if name == missing else object())
    assert cli.main(["measure"]) == 2
    captured = capsys.readouterr()
    assert captured.err.count("\n") == 1
    remedy = "install a CPU build of torch 2.13.0, then in a clone pip install -c constraints.txt '.[verify]'"
    assert f"{missing} is not installed: {remedy}" in captured.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--only", "wir"], "did you mean wire"),
        (["--gpus", "8"], "--config and --gpus together"),
        (["--config", "config.json"], "--config and --gpus together"),
        (["--config", "config.json", "--gpus", "8", "--record"], "drop --only and --record"),
        (["--config", "config.json", "--gpus", "0"], "shares the model among nobody"),
    ],
)
def test_refusals(arguments, said, capsys):
    assert cli.main(["measure", *arguments]) == 2
    captured = capsys.readouterr()
    assert said in captured.err
    assert captured.err.count("\n") == 1


def test_every_record_of_a_group_must_be_measured_and_nothing_else():
    values = {record.id: record.value for record in records().values() if record.group == "parallel"}
    with pytest.raises(FsdpSymError, match="parallel measures x, and no record is called so"):
        list(run.readings("parallel", [("x", 1)]))
    values.pop("sp-kept")
    with pytest.raises(FsdpSymError, match="parallel did not measure sp-kept: say how in measure"):
        list(run.readings("parallel", values.items()))


def test_help_waits_for_no_framework(capsys):
    assert cli.main(["measure", "--help"]) == 0
    assert "--record" in capsys.readouterr().out
    assert "torch" not in sys.modules


@pytest.mark.parametrize(
    ("predicted", "measured", "within", "bound", "ok", "difference"),
    [
        (100, 100, 0, False, True, "0"),
        (100, 101, 0, False, False, "-0.99 %"),
        (100, 101, Fraction(1, 50), False, True, "-0.99 %"),
        (100, 101, Fraction(1, 50), True, False, "-0.99 %"),
        (110, 100, Fraction(1, 10), True, True, "+10 %"),
        (111, 100, Fraction(1, 10), True, False, "+11 %"),
        (1, 0, Fraction(1, 10), False, False, "all of it"),
    ],
)
def test_a_reading_says_whether_it_holds(predicted, measured, within, bound, ok, difference):
    reading = Reading("x", Fraction(predicted), Fraction(measured), within, bound)
    assert (reading.ok, reading.difference) == (ok, difference)


def test_only_the_wire_may_move_a_little():
    assert not Reading("x", Fraction(100), Fraction(101), Fraction(1, 50), recorded=Fraction(100)).changed
    assert Reading("x", Fraction(101), Fraction(101), Fraction(1, 50), bound=True, recorded=Fraction(100)).changed
    assert Reading("x", Fraction(101), Fraction(101), recorded=Fraction(100)).changed
    assert not Reading("x", Fraction(101), Fraction(101)).changed

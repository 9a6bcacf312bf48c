"""`grade` and `report` at a terminal: what they say, and their exit codes."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from returning import ASSIGNMENT, as_moodle, hand_out, keys, notebook, sheet, thinking, written

from fsdp_sym.cli import DONE, WRONG, main
from fsdp_sym.publishing.exporters import EXPORTERS
from fsdp_sym.publishing.exporters.form import Bank
from fsdp_sym.teaching.drills import pose, question_named

ADA, BEN = sheet("s1", "Ada Lovelace"), sheet("s2", "Ben Bitdiddle")


@pytest.fixture
def class_(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    hand_out(tmp_path / ASSIGNMENT, (ADA, BEN))
    as_moodle(tmp_path / "returned", ADA, notebook(ADA, keys(ADA) | {"Q1": thinking(ADA, "s-is-the-shard", "Q1")}))
    return tmp_path


def run(*argv: str, code: int = DONE) -> None:
    assert main([*argv]) == code


def test_grade(class_, capsys):
    run("grade", ASSIGNMENT, "returned", "--format", "plain,moodle,canvas", "--jobs", "1")
    assert capsys.readouterr().out.splitlines() == [
        "hw1: 1 of 2 marked; the median is 10 of 12 points",
        "nothing came back from: 1",
        "what was odd about files and students: report.txt, lines: 1",
        "graded: the gradebook, feedback for each student, class-report.html",
    ]
    assert {"gradebook.csv", "moodle.csv", "canvas.csv", "class-report.html"} <= {path.name for path in (class_ / "graded").iterdir()}


def test_grade_on_processes_with_corrections(class_, capsys):
    written(class_ / "c.csv", b"student,question,correction,value,reason\n,Q1,also,s-is-the-shard,\n")
    run("grade", ASSIGNMENT, "returned", "--jobs", "2", "--corrections", "c.csv", "--out", "other")
    assert "moved by the corrections: moves.csv, students: 1" in capsys.readouterr().out
    run("grade", ASSIGNMENT, "returned", "--corrections", "c.csv", "--allow-lower", "--why", "s1", "Q1")
    assert capsys.readouterr().out.splitlines()[-2:] == ["marks: 0 of 2", "corrected: s-is-the-shard is accepted too; it counts 2"]


def test_why(class_, capsys):
    run("grade", ASSIGNMENT, "returned", "--why", "s1", "Q1")
    out = capsys.readouterr().out
    assert out.startswith(f"s1 (Ada Lovelace), sheet {ADA.sheet}")
    assert "may be: s-is-the-shard" in out
    assert not (class_ / "graded").exists()


def test_a_terminal_gets_nothing_but_text(class_, capsys):
    as_moodle(class_ / "returned", BEN, notebook(BEN, {"Q1": "\x1b]0;owned\x07\x1b[2J"}), number=1002, file="\x1b[2J\u202e.ipynb")
    run("grade", ASSIGNMENT, "returned", "--jobs", "1")
    run("grade", ASSIGNMENT, "returned", "--why", "s2", "Q1")
    out = capsys.readouterr().out
    assert "?[2J?.ipynb" in out
    assert "\\x1b]0;owned" in out
    assert not set(out) & set("\x1b\x07\u202e")


def test_report(class_, capsys):
    run("grade", ASSIGNMENT, "returned", "--jobs", "1")
    capsys.readouterr()
    run("report", "graded", "--names")
    assert capsys.readouterr().out == "graded/class-report.html\n"


def test_report_of_responses_to_an_exported_bank(class_, capsys):
    drills = tuple(pose(question_named("D-all-gather"), seed) for seed in (1, 2))
    for name, content in EXPORTERS["moodle"].export(Bank("Practice", (drills,))).items():
        written(class_ / "bank" / name, content)
    codes = list(json.loads((class_ / "bank/bank.json").read_bytes())["questions"])
    with (class_ / "responses.csv").open("w", newline="") as file:
        rows = [["Last name", "Question 1", "Response 1"], *(["x", f"How many? Question {code}", "0.001 GB"] for code in codes)]
        csv.writer(file).writerows(rows)
    run("report", "--responses", "responses.csv", "--bank", "bank")
    assert capsys.readouterr().out == "2 answers\nclass-report.html\n"
    assert "2 not right" in (class_ / "class-report.html").read_text()


REFUSED = {
    "grade none returned": "no hand-out record is at none/keys/record.jsonl",
    "grade hw1 none": "none is neither a folder nor a zip",
    "grade hw1 returned --format excel": "no gradebook is called 'excel'",
    "grade hw1 returned --allow-lower": "give them with --corrections",
    "grade hw1 returned --corrections none.csv": "none.csv cannot be read",
    "grade hw1 returned --out returned/graded": "would be read as returned work",
    "grade hw1 returned --why s1 Q77": "no question is called 'Q77'",
    "grade hw1 returned --why s77 Q1": "no student is called 's77'",
    "grade hw1 returned --scheduler tcp://127.0.0.1:1": "no Dask scheduler answers at tcp://127.0.0.1:1",
    "report": "report needs a folder",
    "report graded": "graded/results.jsonl cannot be read",
    "report graded --bank bank": "report needs a folder",
    "report --responses none.csv --bank bank": "none.csv cannot be read",
}


@pytest.mark.parametrize(("command", "says"), REFUSED.items(), ids=REFUSED)
def test_what_cannot_be_done_is_one_line(class_, command, says, capsys, monkeypatch):
    monkeypatch.setattr("fsdp_sym.cli.cluster._SECONDS_TO_CONNECT", 0.5)
    alone = ["--jobs", "1"] if command.startswith("grade") else []
    run(*command.split(), *alone, code=WRONG)
    out, err = capsys.readouterr()
    assert out == ""
    assert says in err
    assert err.count("\n") == 1

"""`assign` and `check` at a terminal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fsdp_sym.cli import DONE, NO, WRONG, main

ASSIGN = ["assign", "--cells", "A,D", "--questions", "4", "--roster", "roster.csv", "--key-file", "course.key", "--out", "hw1"]


@pytest.fixture(autouse=True)
def _in_a_course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    Path("roster.csv").write_text("Student;Name;Format;Exempt\ns1;Anna;;\ns2;Bob;large print;\ns3;Eve;;yes\n")
    assert main(["assign", "--new-key", "course.key"]) == DONE
    assert capsys.readouterr() == ("course.key holds a new key: keep it to yourself, for as long as the course lasts\n", "")


def test_a_class_is_handed_out(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*ASSIGN, "--to", "notebook,markdown", "--due", "2026-03-14 23:59"]) == DONE
    out, err = capsys.readouterr()
    assert err == ""
    first, *rest = out.splitlines()
    assert first.startswith("hw1: 3 sheets, no two of them alike; the two most alike differ in ")
    assert rest == [
        f"{Path('hw1/sheets')} (for the students): 4 written, 0 there already",
        f"{Path('hw1/keys')} (for you alone): the record that grading needs, the keys, the rubric",
        "exempt, and handed no sheet: 1",
    ]
    assert "Due: 2026-03-14 23&#58;59 UTC" in Path("hw1/sheets/s2.md").read_text()
    assert main([*ASSIGN, "--to", "notebook,markdown", "--due", "2026-03-14 23:59", "--name", "hw1"]) == DONE
    assert "0 written, 4 there already" in capsys.readouterr().out


def test_questions_by_their_ids(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["--question-ids", "D-all-gather, A-shard", *ASSIGN[5:]]
    assert main(["assign", *asked]) == DONE
    head = json.loads(Path("hw1/keys/record.jsonl").read_text().splitlines()[0])
    assert [question["id"] for question in head["questions"]] == ["D-all-gather", "A-shard"]


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["assign"], ["assign needs --roster: fsdp-sym assign --cells"]),
        ([*ASSIGN[:-4], "--out", "hw1"], ["--key-file, which fsdp-sym assign --new-key course.key writes"]),
        (ASSIGN[:-2], ["assign needs --out"]),
        (ASSIGN[:3] + ASSIGN[5:], ["either --cells with --questions, or --question-ids"]),
        ([*ASSIGN, "--question-ids", "D-steps"], ["either --cells with --questions, or --question-ids"]),
        ([*ASSIGN, "--to", "word"], ["no format of a sheet is called 'word'", "notebook, pdf, markdown"]),
        ([*ASSIGN, "--name", "../x"], ["'../x' is no name for an assignment"]),
        ([*ASSIGN, "--due", "Friday"], ["'Friday' is no date: write it as 2026-03-14"]),
        ([*ASSIGN, "--jobs", "0"], ["--jobs"]),
        ([*ASSIGN[:-1], "."], ["course.key lies in what is handed out: keep the key outside"]),
        ([*ASSIGN, "--key-file", "roster.csv"], ["roster.csv is no key file"]),
        ([*ASSIGN, "--key-file", "no.key"], ["no key file is at no.key: write one with fsdp-sym assign --new-key no.key"]),
        ([*ASSIGN, "--roster", "none.csv"], ["none.csv cannot be read"]),
        (["assign", "--new-key", "course.key"], ["course.key exists, and a key is never written over"]),
        (["check"], ["FILE"]),
        (["check", "none.ipynb"], ["none.ipynb cannot be read"]),
        (["check", "roster.csv"], ["roster.csv: this cannot be read as notebook"]),
    ],
    ids=lambda value: " ".join(value)[:40],
)
def test_wrong_requests_are_one_line_and_hand_nothing_out(argv: list[str], words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(argv) == WRONG
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert [word for word in words if word not in err] == [], err
    assert not Path("hw1").exists()


def test_a_sheet_is_checked(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["assign", "--question-ids", "D-all-gather,D-wrong-line", *ASSIGN[5:]]) == DONE
    capsys.readouterr()
    sheet = Path("hw1/sheets/s1.ipynb")
    notebook = json.loads(sheet.read_text())
    answers = iter(["5.25e2 MB", "1", "525"])
    for cell in notebook["cells"]:
        if cell["id"].endswith("-answer"):
            cell["source"].append(next(answers))
    sheet.write_text(json.dumps(notebook))
    assert main(["check", str(sheet)]) == NO
    out, err = capsys.readouterr()
    assert err == ""
    assert out.splitlines()[:-1] == [
        "Q1    read as 525 MB = 525,000,000 B",
        "Q2.1  read as 1",
        "Q2.2  cannot be read: a unit is missing: add one, such as 525 MB",
        "        525",
        "           ^",
    ]
    assert out.splitlines()[-1].endswith(": 3 answers, 2 read, 1 that cannot be read")
    assert main(["check", str(sheet), "--json"]) == NO
    found = json.loads(capsys.readouterr().out)
    assert [answer["state"] for answer in found["answers"]] == ["read", "read", "invalid"]
    notebook["cells"][-1]["source"][-1] += " MB"
    sheet.write_text(json.dumps(notebook))
    assert main(["check", str(sheet)]) == DONE
    assert capsys.readouterr().out.endswith(": 3 answers, 3 read\n")


def test_a_hostile_sheet_says_nothing_to_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    cells = [{"source": "Sheet: hw1-0\n\nAnswer Q1\n\n\x1b[2J"}, {"source": "Answer Q2 \x1b[2J"}]
    Path("hw1.ipynb").write_text(json.dumps({"cells": cells, "metadata": {"fsdp_sym": {"sheet": "\x1b[31mhw\r2"}}}))
    assert main(["check", "hw1.ipynb"]) == NO
    out, err = capsys.readouterr()
    assert err == ""
    assert len(out.splitlines()) == 5
    assert all(line.isprintable() for line in out.splitlines())

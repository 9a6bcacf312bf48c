"""`drill` poses and judges at a terminal, and `progress` shows what was kept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fsdp_sym.cli import DONE, NO, WRONG, main
from fsdp_sym.teaching.drills.worked import shown_key
from fsdp_sym.teaching.practice import practice
from fsdp_sym.teaching.progress import FILE


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def said(capsys: pytest.CaptureFixture[str]) -> str:
    out, err = capsys.readouterr()
    assert err == ""
    return out


def test_a_question_names_the_command_that_answers_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["drill", "D", "--seed", "5"]) == DONE
    lines = said(capsys).splitlines()
    assert lines[0] == practice("D", 5).name
    assert lines[-1] == "Answer with: fsdp-sym drill D --seed 5 --answer '...'"
    assert not Path(FILE).exists()


def test_right_wrong_and_invalid_answers(capsys: pytest.CaptureFixture[str]) -> None:
    one = practice("D", 5)
    right = shown_key(one._question, one._drill.posed).removeprefix("≈ ")
    assert main(["drill", "D", "--seed", "5", "--answer", right]) == DONE
    assert said(capsys).endswith("Right.\n")
    assert main(["drill", "D", "--seed", "5", "--answer", "many bytes"]) == NO
    assert "^" in said(capsys)
    rival = next(r for r in one._drill.rivals if r.misconception and not r.slip)
    assert main(["drill", "D", "--seed", "5", "--answer", f"{float(rival.value):.9g} B", "--json"]) == NO
    found = json.loads(said(capsys))
    assert (found["verdict"], rival.misconception in found["diagnosis"]) == ("wrong", True)
    assert main(["progress", "--json"]) == DONE
    (row,) = json.loads(said(capsys))
    assert (row["question"], row["answers"], row["right"]) == (one.question, "2", "1")
    assert rival.misconception in row["last"]


def test_progress_of_an_empty_folder(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["progress"]) == DONE
    assert said(capsys) == "nothing was tried in this folder: begin with fsdp-sym drill\n"


@pytest.mark.parametrize(("argv", "words"), [(["drill", "Z"], "no cell is called 'Z'"), (["drill", "D", "--seed", "x"], "seed")])
def test_wrong_requests(argv: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(argv) == WRONG
    out, err = capsys.readouterr()
    assert out == ""
    assert words in err
    assert err.count("\n") == 1


def test_a_damaged_progress_file_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    Path(FILE).write_text("{")
    assert main(["progress"]) == WRONG
    assert "move it away to begin anew" in capsys.readouterr().err

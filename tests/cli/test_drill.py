"""`drill` poses and judges at a terminal, and `progress` shows what was kept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fsdp_sym.cli import DONE, NO, WRONG, main
from fsdp_sym.publishing.exporters.answer_text import answer_text
from fsdp_sym.teaching.drills import QUESTIONS, pose
from fsdp_sym.teaching.practice import practice
from fsdp_sym.teaching.progress import FILE, load


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def said(capsys: pytest.CaptureFixture[str]) -> str:
    out, err = capsys.readouterr()
    assert err == ""
    return out


def right(question: str, seed: int) -> str:
    drill = pose(QUESTIONS[question], seed)
    return "; ".join(answer_text(key, part.expects) for key, part in zip(drill.keys, drill.posed.parts, strict=True))


def wrong(question: str, seed: int, misconception: str) -> str:
    drill = pose(QUESTIONS[question], seed)
    rival = next(r for r in drill.rivals() if (r.misconception, r.slip) == (misconception, None))
    return answer_text(rival.value, drill.posed.parts[0].expects)


@pytest.mark.parametrize("words", [["drill"], ["drill", "D"], ["drill", "D", "--seed", "5"], ["drill", "D-faded", "--seed", "2"]])
def test_the_command_that_a_question_names_answers_that_question(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == DONE
    lines = said(capsys).splitlines()
    question, seed = lines[0].partition(":")[0].split(", number ")
    parts = len(pose(QUESTIONS[question], int(seed)).posed.parts)
    assert lines[-1] == f"Answer with: fsdp-sym drill {question} --seed {seed} --answer '{'; '.join(['...'] * parts)}'"
    assert not Path(FILE).exists()
    assert main(["drill", question, "--seed", seed, "--answer", right(question, int(seed))]) == DONE
    assert said(capsys).startswith("✓ Right")


def test_right_wrong_and_invalid_answers(capsys: pytest.CaptureFixture[str]) -> None:
    drill = ["drill", "D-all-gather", "--seed", "5"]
    assert main([*drill, "--answer", "many bytes"]) == NO
    assert "^" in said(capsys)
    assert not Path(FILE).exists()
    assert main([*drill, "--solution"]) == DONE
    assert "of your own first" in said(capsys)
    assert main([*drill, "--answer", wrong("D-all-gather", 5, "received-its-own-shard"), "--json"]) == NO
    found = json.loads(said(capsys))
    assert (found["verdict"], found["earned"], found["diagnosis"]) == ("wrong", "0", ["received-its-own-shard"])
    for words, head in ((["--solution"], "Worked answer\n"), (["--hint", "2"], "Hint 2 of 3\n"), (["--hint", "3"], "Hint 3 of 3\n")):
        assert main([*drill, *words]) == DONE
        assert said(capsys).startswith(head)
    assert main([*drill, "--answer", right("D-all-gather", 5)]) == DONE
    said(capsys)
    assert main(["progress", "--json"]) == DONE
    assert json.loads(said(capsys)) == [{"question": "D-all-gather", "answers": "2", "right": "1", "last": "right"}]


def test_the_question_as_json_holds_all_that_is_shown_and_no_key(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["drill", "D-wrong-line", "--seed", "3", "--json"]) == DONE
    posed = practice(question="D-wrong-line", seed=3).posed
    assert json.loads(said(capsys)) == {
        "question": "D-wrong-line",
        "seed": 3,
        "prompt": posed.prompt,
        "lines": list(posed.lines),
        "parts": [part.ask for part in posed.parts],
        "givens": dict(posed.givens),
    }


def test_which_thought_it_was_is_asked_and_kept(capsys: pytest.CaptureFixture[str]) -> None:
    answered = ["drill", "D-layer", "--seed", "2", "--answer", wrong("D-layer", 2, "forgot-the-second-gather")]
    assert main(answered) == NO
    asked = said(capsys)
    assert "--thought a" in asked
    letter = next(line[0] for line in asked.splitlines() if "gathered for the forward pass and gradients scattered" in line)
    assert main([*answered, "--thought", letter]) == NO
    assert "gathered a second time" in said(capsys)
    assert [a.diagnosis for a in load(Path()).attempts] == [("forgot-the-second-gather",)]
    assert main(["drill", "D-steps", "--seed", "2", "--thought", "a"]) == DONE
    assert "Nothing to ask yet" in said(capsys)


def test_progress_says_what_is_due(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["drill", "D-steps", "--seed", "1", "--answer", "1"]) == NO
    for seed in "123":
        assert main(["drill", "H-world", "--seed", seed, "--answer", right("H-world", int(seed))]) == DONE
    said(capsys)
    assert main(["progress"]) == DONE
    assert said(capsys).splitlines()[-1] == "due again: D-steps, with new numbers: fsdp-sym drill"
    assert main(["drill"]) == DONE
    assert said(capsys).startswith("D-steps, number 2:")


def test_progress_of_an_empty_folder(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["progress"]) == DONE
    assert said(capsys) == "nothing was tried in this folder: begin with fsdp-sym drill\n"


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["drill", "Z"], "no cell is called 'Z'"),
        (["drill", "D-all-gathr"], "did you mean D-all-gather"),
        (["drill", "D", "--seed", "x"], "seed"),
        (["drill", "D", "--hint", "4"], "there are three hints"),
    ],
)
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

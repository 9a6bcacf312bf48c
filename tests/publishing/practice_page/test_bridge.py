"""What the practice page is told: the drills' own judgements as plain data, and nothing that a reader can cause is an error."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fsdp_sym.publishing.practice_page.bridge import Desk
from fsdp_sym.teaching.drills import QUESTIONS, diagnose, pose
from fsdp_sym.teaching.lessons import OURS
from fsdp_sym.teaching.practice import interleaved
from fsdp_sym.teaching.progress import FILE, load


@pytest.fixture
def ask(tmp_path: Path):
    desk = Desk(tmp_path / "kept")

    def asking(name: str, *given: object) -> dict[str, Any]:
        return json.loads(desk.run(name, json.dumps(given)))

    return asking


def told(card: dict[str, Any]) -> list[str]:
    return [card["head"], *(block["text"] for block in card["blocks"])]


def test_cell_d_as_a_student_goes_through_it(ask):
    drawn = ask("draw", "D")
    assert drawn["name"] == "D-steps, number 1"
    assert drawn["prompt"] == "How many steps does a ring all-gather over 40 ranks take?"
    assert drawn["givens"] == [["N", "40", "ranks that share one copy: the shard group"]]
    assert drawn["parts"] == [{"label": "", "ask": "Give a whole number.", "options": []}]
    assert told(ask("solution")["card"])[0] == "The worked answer comes after your own"
    wrong = ask("answer", "40")
    assert told(wrong["card"]) == [
        "✗ Not right", "Read as: 40", "A rank needs a step for each shard it does not have, one fewer than there are ranks.",
    ]  # fmt: skip
    assert (wrong["verdict"], wrong["tried"], wrong["letters"]) == ("wrong", True, [])
    assert wrong["table"] == [{"question": "D-steps", "answers": "1", "right": "0", "last": "ring-steps-are-ranks"}]
    assert told(ask("solution")["card"])[1] == "n_steps = N - 1 = 40 - 1 = 39"
    right = ask("answer", "39")
    assert (right["verdict"], right["table"][0]["right"]) == ("right", "1")


def test_nothing_typed_and_nothing_readable_cost_nothing(ask):
    ask("draw", "D")
    assert told(ask("answer", " ")["card"]) == ["○ Not answered yet", "Give a whole number."]
    unread = ask("answer", "<b>40</b>")
    assert unread["card"]["verdict"] == "invalid"
    assert unread["card"]["blocks"][1] == {"style": "lines", "text": "<b>40</b>\n^"}
    assert (unread["tried"], unread["table"]) == (False, [])


def test_a_draw_moves_on_and_another_has_other_numbers(ask):
    met = [ask("draw", "D")["question"] for _ in interleaved("D")]
    assert sorted(met) == sorted(interleaved("D"))
    assert ask("another")["name"] == f"{met[-1]}, number 2"
    assert ask("draw", None)["cell"] != "D"


def test_every_part_has_its_choices_and_a_thought_is_asked_about_by_letter(ask):
    posed = ask("numbered", "E-hurts", 1)
    assert [part["options"] for part in posed["parts"]] == [["yes", "no"], ["a", "b", "c", "d"]]
    assert posed["givens"][-1] == ["ρ_max", "0.3", "ratio above which sharding is said to hurt"]
    for question in QUESTIONS.values():
        drill = pose(question, 1)
        asked = next((r for r in drill.rivals() if len(diagnose(drill, str(r.value)).diagnosis) > 1), None)
        if len(drill.posed.parts) == 1 and asked is not None:
            ask("numbered", question.id, 1)
            answer = ask("answer", str(asked.value))
            if answer["letters"]:
                break
    assert answer["letters"][:2] == ["a", "b"]
    assert answer["card"]["blocks"][-1]["text"] == "Say it with a letter below."
    assert told(ask("thought", "a")["card"])[0] == "Then this is the point"
    ask("draw", None)
    assert ask("thought", "a") == {"refused": "no thought is asked about: answer the question first"}


@pytest.mark.parametrize("cell", [lesson.cell for lesson in OURS.values() if lesson.cell])
def test_a_forecast_is_put_in_plain_text_and_met_with_the_truth(ask, cell):
    forecast = ask("forecast", cell)
    assert not set("*$\\[") & set(forecast["prompt"])
    kept = ask("guess", cell, forecast["example"])
    assert kept["kept"]
    assert kept["truth"].startswith("truth: ")
    assert not ask("guess", cell, "much")["kept"]
    assert "Nothing was typed" in ask("guess", cell, "")["said"]


def test_progress_is_the_file_that_practice_writes_and_is_taken_up_again(ask, tmp_path):
    ask("draw", "D")
    text = ask("answer", "40")["file"]
    again = json.loads(Desk(tmp_path / "later").run("restore", json.dumps([text])))
    assert again["table"][0]["last"] == "ring-steps-are-ranks"
    assert load(tmp_path / "later") == load(tmp_path / "kept")
    assert ask("forget")["table"] == []


HALF = '{"attempts": [{"question": "D-steps", "seed": 1, "text": "\\ud800", "verdict": "wrong", "diagnosis": []}]}'


@pytest.mark.parametrize("text", ["{", "[]", '{"attempts": [{}]}', "\x00", "\ud800", HALF])
def test_progress_that_cannot_be_read_is_said_and_left_out(ask, tmp_path, text):
    restored = ask("restore", text)
    assert (restored["lost"], restored["table"]) == (True, [])
    assert load(tmp_path / "kept").attempts == ()
    assert (tmp_path / "kept" / FILE).exists()


def test_what_cannot_be_asked_yet_is_refused_in_one_line(ask):
    assert ask("answer", "40") == {"refused": "no question is drawn yet: draw one first"}


def test_half_of_a_character_is_an_answer_that_cannot_be_read(ask):
    ask("draw", "D")
    assert ask("answer", "\ud800")["card"]["verdict"] == "invalid"


@pytest.mark.parametrize(
    ("name", "given"),
    [("sing", []), ("draw", []), ("draw", ["no cell"]), ("numbered", ["no-question", 1]), ("forecast", ["no cell"]), ("guess", ["D", 5])],
)
def test_what_the_page_never_asks_is_refused_in_one_line(ask, name, given):
    refused = ask(name, *given)["refused"]
    assert "\n" not in refused
    assert "load the page again" in refused or "no cell" in refused

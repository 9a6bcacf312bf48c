"""Practice: a question, an answer that is diagnosed, hints, the worked line, and progress that survives."""

from __future__ import annotations

import json
import os

import pytest

from fsdp_sym.algebra.errors import FsdpSymError, UnknownName
from fsdp_sym.teaching.drills import QUESTIONS, pose
from fsdp_sym.teaching.drills.worked import hints, shown_key, solution
from fsdp_sym.teaching.practice import practice
from fsdp_sym.teaching.progress import FILE, Attempt, Progress, load, save


def right_text(one):
    return shown_key(one._question, one._drill.posed).removeprefix("≈ ")


def wrong_text(one):
    rival = next(r for r in one._drill.rivals if r.misconception and not r.slip)
    return f"{float(rival.value) / 1e6:.8g} MB", rival.misconception


@pytest.mark.parametrize("question", QUESTIONS, ids=[q.id for q in QUESTIONS])
def test_the_worked_answer_is_right(question, tmp_path):
    one = practice(question=question.id, seed=4, folder=tmp_path)
    assert repr(one.answer(right_text(one))).endswith("Right.")
    assert one.solution().lines == (solution(question, one._drill.posed),)


def test_a_wrong_answer_is_told_what_went_wrong_and_kept_once(tmp_path):
    one = practice(question="D-all-gather", seed=3, folder=tmp_path)
    text, thought = wrong_text(one)
    said = repr(one.answer(text))
    assert said.startswith("Read as: ")
    assert repr(one.answer(text)) == said
    (attempt,) = load(tmp_path).attempts
    assert (attempt.verdict, attempt.seed, attempt.text) == ("wrong", 3, text)
    assert thought in attempt.diagnosis


def test_an_invalid_answer_costs_nothing_and_is_escaped(tmp_path):
    one = practice(question="D-all-gather", seed=3, folder=tmp_path)
    shown = one.answer("<script>alert(1)</script>")
    assert "<script>" not in shown._repr_html_()
    assert not (tmp_path / FILE).exists()


def test_the_last_hint_and_the_solution_wait_for_an_attempt(tmp_path):
    one = practice(question="D-all-gather", seed=3, folder=tmp_path)
    three = hints(one._question, one._drill.posed)
    assert [repr(one.hint()), repr(one.hint())] == [f"Hint {n} of 3: {three[n - 1]}" for n in (1, 2)]
    assert three[2] not in repr(one.hint()) + repr(one.solution())
    one.answer("1 MB")
    assert repr(one.hint()) == f"Hint 3 of 3: {three[2]}"
    assert three[2] in repr(one.solution())


def test_without_a_seed_cells_take_turns_and_what_was_missed_comes_back_with_new_numbers(tmp_path):
    first = practice(folder=tmp_path)
    missed, numbers = first._question.id, first._drill.posed.givens
    first.answer("1 B/param" if first._question.unit else "1")
    seen = []
    for _ in range(3):
        one = practice(folder=tmp_path)
        seen.append(one._question.cell)
        assert one._question.id != missed
        one.answer(right_text(one))
    assert len(set(seen)) == 3
    again = practice(folder=tmp_path)
    assert again._question.id == missed
    assert again._drill.posed.seed == first._drill.posed.seed + 1
    assert again._drill == pose(again._question, again._drill.posed.seed)
    assert isinstance(numbers, tuple)


def test_a_missed_question_rests_before_it_is_due():
    missed = Attempt("D-all-gather", 1, "1 MB", "wrong")
    other = Attempt("A-shard", 1, "1 GB", "right")
    assert Progress((missed, other)).due() is None
    assert Progress((missed, other, other, other)).due() == "D-all-gather"
    assert Progress((missed, other, other, other, Attempt("D-all-gather", 2, "2 MB", "right"))).due() is None


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"attempts": [{}]}', b'{"attempts": 3}', b"[" * 100_000, b"\xff\xfe"])
def test_a_damaged_progress_file_is_left_alone(tmp_path, damage):
    (tmp_path / FILE).write_bytes(damage)
    with pytest.raises(FsdpSymError, match="move it away to begin anew"):
        practice(folder=tmp_path)
    assert (tmp_path / FILE).read_bytes() == damage


def test_an_interrupted_save_keeps_the_old_progress(tmp_path, monkeypatch):
    save(tmp_path, Progress((Attempt("A-shard", 1, "1 GB", "right"),)))
    old = (tmp_path / FILE).read_bytes()

    def replace(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", replace)
    with pytest.raises(KeyboardInterrupt):
        save(tmp_path, Progress())
    assert (tmp_path / FILE).read_bytes() == old
    assert os.listdir(tmp_path) == [FILE]
    assert json.loads(old)["attempts"][0]["question"] == "A-shard"


def test_requests_that_make_no_sense(tmp_path):
    for wrong in ({"cell": "Z"}, {"question": "D-all-gathr"}):
        with pytest.raises(UnknownName):
            practice(**wrong, folder=tmp_path)
    with pytest.raises(FsdpSymError, match="seed is a whole number"):
        practice("D", seed="3", folder=tmp_path)

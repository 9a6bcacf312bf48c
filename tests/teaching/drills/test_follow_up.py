"""Which of several thoughts it was: asked of every answer that more than one leads to, key-free, and resolved to one of them."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from fsdp_sym.publishing.exporters.answer_text import answer_text, is_an_answer
from fsdp_sym.teaching.answers import Choice
from fsdp_sym.teaching.drills import QUESTIONS, diagnose, pose
from fsdp_sym.teaching.drills.follow_up import follow_up
from fsdp_sym.teaching.misconceptions import MISCONCEPTIONS, SLIPS

SLIP_IDS = {slip.id for slip in SLIPS}
_SHOW = """
from fsdp_sym.teaching.drills import QUESTIONS, diagnose, pose
from fsdp_sym.teaching.drills.follow_up import follow_up
print([follow_up(d, diagnose(d, "1.12 GB")).posed.lines for d in [pose(QUESTIONS["D-layer"], 2)]])
"""


def wrong_answers(drill):
    """Each thought, alone and with a slip, with the judgement of its answer; the other parts are answered rightly."""
    texts = [answer_text(key, part.expects) for key, part in zip(drill.keys, drill.posed.parts, strict=True)]
    for at, part in enumerate(drill.posed.parts):
        for rival in drill.rivals(at):
            if rival.slip in (None, "bits-for-bytes") and is_an_answer(rival.value, part.expects):
                typed = [*texts[:at], answer_text(rival.value, part.expects), *texts[at + 1 :]]
                yield rival, diagnose(drill, *typed), at


@pytest.mark.parametrize("question", QUESTIONS)
def test_it_is_asked_wherever_several_are_told_and_each_leads_to_its_own(question):
    drill = pose(QUESTIONS[question], 3)
    for rival, judged, at in wrong_answers(drill):
        part = judged.parts[at] if judged.parts else judged
        asked = follow_up(drill, judged)
        assert (asked is not None) == (len(part.says) > 1), (question, rival)
        if asked is None:
            continue
        assert asked.part == at
        letters = [line[0] for line in asked.posed.lines]
        assert letters == list("abcdefgh"[: len(letters)])
        assert asked.posed.parts[0].expects.options == tuple(letters)
        told = {letter: asked.resolve(letter) for letter in letters}
        assert {said for letter in letters[:-1] for said in told[letter].says} == set(part.says)
        for letter, line in zip(letters[:-1], asked.posed.lines, strict=False):
            thoughts = told[letter].diagnosis - SLIP_IDS
            assert len(thoughts) <= 1
            said = [MISCONCEPTIONS[name].thinks for name in thoughts] or ["My thought was right, and I slipped in the unit."]
            assert line == f"{letter}) {said[0]}"
            assert told[letter].diagnosis < judged.diagnosis
            assert (told[letter].verdict, told[letter].earned) == (judged.verdict, judged.earned)
        none = told[letters[-1]]
        assert asked.posed.lines[-1] == f"{letters[-1]}) None of these."
        assert not none.diagnosis & (part.diagnosis - SLIP_IDS)
        assert drill.question.hints(drill.variant)[1] in none.says[0]


def test_what_is_right_or_unknown_is_not_asked_about():
    drill = pose(QUESTIONS["D-layer"], 2)
    for text in ("1.68 GB", "", "1 GB", "many", "1.7 GB"):
        assert follow_up(drill, diagnose(drill, text)) is None


def test_what_is_no_letter_resolves_nothing():
    drill = pose(QUESTIONS["D-layer"], 2)
    asked = follow_up(drill, diagnose(drill, "1.12 GB"))
    assert [asked.resolve(text).verdict for text in ("", "z", "d", "a b", 3, None)] == [
        "not answered", "invalid", "invalid", "invalid", "invalid", "not answered",
    ]  # fmt: skip
    assert all(asked.resolve(text) == asked.resolve("a") for text in ("a)", "(a)", " A "))


def test_the_order_is_drawn_and_the_same_in_every_process():
    drills = [pose(QUESTIONS["B-shard-mixed"], seed) for seed in range(1, 30)]
    first = set()
    for drill in drills:
        for rival, judged, _ in wrong_answers(drill):
            if (rival.misconception, rival.slip) == ("forgot-the-master-copy", None) and (asked := follow_up(drill, judged)):
                assert isinstance(asked.posed.parts[0].expects, Choice)
                first.add(asked.posed.lines[0])
    assert len(first) > 1
    runs = [{**os.environ, "PYTHONHASHSEED": seed} for seed in ("1", "77")]
    assert len({subprocess.run([sys.executable, "-c", _SHOW], env=env, capture_output=True, check=True).stdout for env in runs}) == 1


def test_the_question_holds_no_key():
    drill = pose(QUESTIONS["D-layer"], 2)
    asked = follow_up(drill, diagnose(drill, "1.12 GB"))
    assert "1.68" not in repr(asked.posed)
    assert asked.posed.givens == ()

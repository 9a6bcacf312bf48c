"""Drills are deterministic, tell their wrong answers apart, and diagnose each in several spellings."""

from __future__ import annotations

import hashlib
import os
import random
import subprocess
import sys
from fractions import Fraction

import pytest

from fsdp_sym.algebra.units import unit_size
from fsdp_sym.teaching.answers import Count
from fsdp_sym.teaching.drills import QUESTIONS, diagnose, pose
from fsdp_sym.teaching.drills.diagnose import TOLERANCE, expects
from fsdp_sym.teaching.drills.pose import APART, label
from fsdp_sym.teaching.misconceptions import MISCONCEPTIONS, about

IDS = [q.id for q in QUESTIONS]
SEEDS = range(4)
_DIGEST = """
import hashlib
from fsdp_sym.teaching.drills import QUESTIONS, pose
drills = [pose(q, seed) for q in QUESTIONS for seed in range(3)]
text = repr([(d.posed, d.key, d.rivals, [sorted(known) for known in d.ambiguous]) for d in drills])
print(hashlib.sha256(text.encode()).hexdigest())
"""


def typed(question, value, digits=8):
    """A value as a student types it in the question's unit: plain, with an exponent, and with a group of digits."""
    size = Fraction(int(unit_size(question.unit)[0].p), int(unit_size(question.unit)[0].q)) if question.unit else Fraction(1)
    number = value / size
    unit = f" {question.unit}" if question.unit else ""
    if isinstance(expects(question), Count):
        return [str(number), f"{number}.0", f" {number} "]
    plain = f"{float(number):.{digits}g}{unit}"
    return [plain, f"{float(number):.{digits - 1}e}{unit}", plain.replace(" ", "")]


@pytest.mark.parametrize("question", QUESTIONS, ids=IDS)
def test_a_question_is_posed_without_its_key(question):
    drill = pose(question, 1)
    posed = drill.posed
    assert posed == pose(question, 1).posed
    assert "[[" not in posed.prompt
    assert all(str(text) for _, text in posed.givens)
    assert not hasattr(posed, "key")
    assert not hasattr(posed, "rivals")


def test_poses_are_the_same_in_every_process():
    def digest(seed):
        env = {**os.environ, "PYTHONHASHSEED": seed}
        return subprocess.run([sys.executable, "-c", _DIGEST], env=env, capture_output=True, text=True, check=True).stdout

    assert digest("1") == digest("77")


@pytest.mark.parametrize("question", QUESTIONS, ids=IDS)
def test_seeds_give_different_numbers(question):
    if question.draws:
        assert len({pose(question, seed).posed.givens for seed in SEEDS}) > 2


@pytest.mark.parametrize("question", QUESTIONS, ids=IDS)
def test_the_truth_is_right_and_four_digits_are_enough(question):
    for seed in SEEDS:
        drill = pose(question, seed)
        for text in typed(question, drill.key):
            assert diagnose(drill, text).verdict == "right", (drill.posed, text)
        if not isinstance(expects(question), Count):
            for text in typed(question, drill.key, digits=4):
                assert diagnose(drill, text).verdict == "right", (drill.posed, text)


@pytest.mark.parametrize("question", QUESTIONS, ids=IDS)
def test_every_wrong_thought_is_diagnosed_as_itself_in_several_spellings(question):
    met = set()
    for seed in SEEDS:
        drill = pose(question, seed)
        for rival in drill.rivals:
            if rival.slip is not None or (isinstance(expects(question), Count) and rival.value.denominator != 1):
                continue
            met.add(rival.misconception)
            for text in typed(question, rival.value):
                judged = diagnose(drill, text)
                assert judged.verdict == "wrong"
                assert rival.misconception in judged.diagnosis, (drill.posed, text, judged)
                assert judged.says
    whole = isinstance(expects(question), Count)
    if question.kind != "limit" and not whole and not question.plans:
        assert met == {m.id for m in about(question.formula)}


def test_every_misconception_is_met_somewhere():
    reached = {r.misconception for q in QUESTIONS for seed in range(12) for r in pose(q, seed).rivals if r.slip is None}
    assert set(MISCONCEPTIONS) <= reached


@pytest.mark.parametrize("question", QUESTIONS, ids=IDS)
def test_what_means_something_else_lies_apart(question):
    """The rule itself, over again and slowly: truth, rivals, and the four unit slips of each."""
    drill = pose(question, 5)
    slips = (None, "gib-for-gb", "gb-for-gib", "bits-for-bytes", "bytes-for-bits")
    values = [("truth", drill.key), *((label(r), r.value) for r in drill.rivals if r.slip in slips)]
    for at, (one, x) in enumerate(values):
        for other, y in values[at + 1 :]:
            if abs(x - y) <= APART * min(x, y):
                assert any({one, other} <= known for known in drill.ambiguous), (one, other, x, y)


def test_random_wrong_answers_are_hardly_ever_diagnosed():
    """Log-uniform over six decades round the truth; at most 2 % may be taken for a misconception."""
    uniform = random.Random(20).random
    tried = taken = 0
    for question in QUESTIONS:
        if isinstance(expects(question), Count):
            continue
        for seed in range(3):
            drill = pose(question, seed)
            for _ in range(40):
                value = drill.key * Fraction(10 ** (uniform() * 6 - 3))
                judged = diagnose(drill, typed(question, value)[0])
                if judged.verdict != "right":
                    tried += 1
                    taken += bool(judged.diagnosis)
    assert tried > 2500
    assert taken <= tried * 2 // 100, f"{taken} of {tried}"


def test_close_invalid_and_empty_answers():
    question = next(q for q in QUESTIONS if q.id == "D-all-gather")
    drill = pose(question, 3)
    near = drill.key * (1 + 4 * TOLERANCE)
    if not any(abs(r.value - near) <= TOLERANCE * r.value for r in drill.rivals):
        assert diagnose(drill, typed(question, near)[0]).verdict == "close"
    assert diagnose(drill, "").verdict == "not answered"
    assert diagnose(drill, "about 400 MB").verdict == "invalid"
    assert diagnose(drill, "400").verdict == "invalid"
    assert diagnose(drill, "3 s").verdict == "wrong"
    assert diagnose(drill, "__import__('os').system('true')").verdict == "invalid"
    assert diagnose(drill, ["400 MB"]).verdict == "invalid"


def test_two_thoughts_with_one_value_are_both_named():
    question = next(q for q in QUESTIONS if q.id == "D-layer")
    drill = pose(question, 2)
    rival = next(r for r in drill.rivals if r.misconception == "forgot-the-second-gather" and r.slip is None)
    judged = diagnose(drill, typed(question, rival.value)[0])
    assert {"forgot-the-second-gather", "forgot-the-reduce-scatter"} <= judged.diagnosis


def test_a_digest_depends_on_the_seed():
    first, second = (hashlib.sha256(repr(pose(QUESTIONS[2], s).posed).encode()).hexdigest() for s in (1, 2))
    assert first != second

"""Drills are deterministic, tell their wrong answers apart, and diagnose each in several spellings."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from fractions import Fraction

import pytest

from fsdp_sym.algebra.printing import to_text
from fsdp_sym.algebra.units import unit_size
from fsdp_sym.scenarios.cells import READING_PATH
from fsdp_sym.teaching.answers import Choice, Count, Number, Quantity, Symbolic, Triple, same_expression
from fsdp_sym.teaching.drills import KINDS, QUESTIONS, Variant, diagnose, pose, restore
from fsdp_sym.teaching.drills.separation import APART, SEPARATED_SLIPS, TOLERANCE, label
from fsdp_sym.teaching.drills.value import Value
from fsdp_sym.teaching.drills.values import readings
from fsdp_sym.teaching.misconceptions import MISCONCEPTIONS

ALL = list(QUESTIONS.values())
VALUES = [q for q in ALL if isinstance(q, Value)]
SEEDS = range(4)
_DIGEST = """
import hashlib
from fsdp_sym.teaching.drills import QUESTIONS, pose
drills = [pose(q, seed) for q in QUESTIONS.values() for seed in range(2)]
text = repr([(d.variant, d.posed, d.keys, [d.rivals(p) for p in range(len(d.keys))]) for d in drills])
digest = hashlib.sha256(text.encode()).hexdigest()
print(digest, hash("a text"))
"""


def named(questions):
    return pytest.mark.parametrize("question", questions, ids=[q.id for q in questions])


def typed(expects, key, digits=8):
    """A key as a student types it, in several spellings."""
    if key is None:
        return ["none", "None.", " there is none "]
    match expects:
        case Quantity():
            size = unit_size(expects.unit)[0]
            number = Fraction(key) / Fraction(int(size.p), int(size.q))
            plain = f"{float(number):.{digits}g} {expects.unit}"
            return [plain, f"{float(number):.{digits - 1}e} {expects.unit}", plain.replace(" ", "")]
        case Count():
            return [str(key), f"{key}.0", f" {key} "]
        case Number():
            return [f"{float(key):.{digits}g}", f"{float(key):.{digits - 1}e}", f" {float(key):.{digits}g} "]
        case Triple():
            return [" x ".join(map(str, key)), "*".join(map(str, key)), "({}, {}, {})".format(*key)]
        case Choice():
            return [key, f" {key.upper()} ", f"{key}."]
        case Symbolic():
            return [to_text(key).replace("·", "*"), str(key)]


def right(drill, digits=8):
    """Right answers to all parts, in each of three spellings."""
    spelled = [typed(part.expects, key, digits) for part, key in zip(drill.posed.parts, drill.keys, strict=True)]
    return [tuple(texts[at % len(texts)] for texts in spelled) for at in range(3)]


def test_every_kind_is_asked_and_every_cell_has_most_of_them():
    assert {q.kind for q in ALL} == set(KINDS)
    for cell in READING_PATH:
        kinds = {q.kind for q in ALL if q.cell == cell}
        assert {"compute", "formula", "wrong line", "faded", "principle"} <= kinds, (cell, kinds)


@named(ALL)
def test_a_question_is_posed_without_its_key(question):
    posed = pose(question, 1).posed
    assert posed == pose(question, 1).posed
    assert "[[" not in posed.prompt + "".join(posed.lines)
    assert not hasattr(posed, "keys")
    assert [part.label for part in posed.parts] == ([""] if len(posed.parts) == 1 else [str(n + 1) for n in range(len(posed.parts))])
    assert all(part.ask.endswith(".") and part.ask not in posed.prompt for part in posed.parts)


def test_poses_are_the_same_in_every_process():
    env = {**os.environ, "PYTHONHASHSEED": "1"}
    elsewhere = subprocess.run([sys.executable, "-c", _DIGEST], env=env, capture_output=True, text=True, check=True).stdout
    here = {}
    exec(_DIGEST, here)
    digest, hashed = elsewhere.split()
    assert digest == here["digest"]
    assert int(hashed) != hash("a text"), "sets are walked in one order in both: nothing was tried"


@named(ALL)
def test_a_drill_is_made_again_from_what_was_drawn(question):
    drill = pose(question, 7)
    again = restore(Variant(drill.variant.question, tuple((str(n), str(t)) for n, t in drill.variant.drawn)))
    assert (again.posed, again.keys) == (drill.posed, drill.keys)


@named([q for q in ALL if getattr(q, "draws", True)])
def test_seeds_give_different_variants(question):
    assert len({pose(question, seed).variant for seed in range(8)}) > 2


@named(ALL)
def test_the_truth_is_right_and_four_digits_are_enough(question):
    for seed in SEEDS:
        drill = pose(question, seed)
        for texts in right(drill) + right(drill, digits=4):
            judged = diagnose(drill, *texts)
            assert (judged.verdict, judged.earned) == ("right", 1), (drill.posed, texts, judged)


@named(VALUES)
def test_every_wrong_thought_is_diagnosed_as_itself_in_several_spellings(question):
    met = set()
    (part,) = pose(question, 0).posed.parts
    whole = isinstance(part.expects, Count)
    for seed in SEEDS:
        drill = pose(question, seed)
        for rival in drill.rivals():
            if rival.slip is not None or (whole and rival.value.denominator != 1):
                continue
            met.add(rival.misconception)
            for text in typed(part.expects, rival.value):
                judged = diagnose(drill, text)
                assert (judged.verdict, judged.earned) == ("wrong", 0)
                assert rival.misconception in judged.diagnosis, (drill.posed, text, judged)
                assert judged.says
    if question.kind not in ("limit", "missing") and not whole and not question.plans:
        assert met == {name for name, _ in readings(question.formula, False, frozenset(question.draws))[1]}


@named([q for q in ALL if not isinstance(q, Value)])
def test_every_other_wrong_answer_is_diagnosed_as_itself(question):
    for seed in SEEDS:
        drill = pose(question, seed)
        answers = list(right(drill)[0])
        for at, part in enumerate(drill.posed.parts):
            for rival in drill.rivals(at):
                if rival.slip is None and rival.value != drill.keys[at] and getattr(rival.value, "denominator", 1) == 1:
                    (text, *_) = typed(part.expects, rival.value)
                    judged = diagnose(drill, *answers[:at], text, *answers[at + 1 :])
                    assert judged.verdict == "wrong"
                    assert rival.misconception in judged.diagnosis, (drill.posed, text, judged)


def test_every_misconception_is_met_somewhere():
    drills = [pose(question, seed) for question in ALL for seed in range(8)]
    reached = {r.misconception for drill in drills for part in range(len(drill.keys)) for r in drill.rivals(part) if r.slip is None}
    assert set(MISCONCEPTIONS) <= reached, set(MISCONCEPTIONS) - reached


@named([q for q in ALL if q.kind in ("compute", "limit", "backwards", "faded")])
def test_what_means_something_else_lies_apart(question):
    """The rule itself, over again and slowly: truth, rivals, and the four unit slips of each."""
    drill = pose(question, 5)
    ambiguous = question.ambiguous(drill.variant)
    for at, key in enumerate(drill.keys):
        rivals = [r for r in drill.rivals(at) if r.slip in (None, *SEPARATED_SLIPS)]
        values = [("truth", key), *((label(r.misconception, r.slip), r.value) for r in rivals)]
        for n, (one, x) in enumerate(values):
            for other, y in values[n + 1 :]:
                if abs(x - y) <= APART * min(x, y):
                    assert any({one, other} <= known for known in ambiguous), (one, other, x, y)


def test_random_wrong_answers_are_hardly_ever_diagnosed():
    """Log-uniform over six decades round the truth; at most 2 % may be taken for a misconception."""
    uniform = random.Random(20).random
    tried = taken = 0
    for question in VALUES:
        if isinstance(pose(question, 0).posed.parts[0].expects, Count):
            continue
        for seed in range(3):
            drill = pose(question, seed)
            for _ in range(40):
                value = drill.keys[0] * Fraction(10 ** (uniform() * 6 - 3))
                judged = diagnose(drill, typed(drill.posed.parts[0].expects, value)[0])
                if judged.verdict != "right":
                    tried += 1
                    taken += bool(judged.diagnosis)
    assert tried > 2500
    assert taken <= tried * 2 // 100, f"{taken} of {tried}"


def test_close_invalid_and_empty_answers():
    drill = pose(QUESTIONS["D-all-gather"], 3)
    near = drill.keys[0] * (1 + 4 * TOLERANCE)
    assert not any(abs(r.value - near) <= TOLERANCE * r.value for r in drill.rivals())
    judged = diagnose(drill, typed(drill.posed.parts[0].expects, near)[0])
    assert (judged.verdict, judged.earned, judged.diagnosis) == ("close", 0, frozenset())
    assert diagnose(drill, "").verdict == "not answered"
    assert diagnose(drill, "about 400 MB").verdict == "invalid"
    assert diagnose(drill, "400").verdict == "invalid"
    assert diagnose(drill, "3 s").verdict == "wrong"
    assert diagnose(drill, "__import__('os').system('true')").verdict == "invalid"
    assert diagnose(drill, ["400 MB"]).verdict == "invalid"


def test_two_thoughts_with_one_value_are_both_named():
    drill = pose(QUESTIONS["D-layer"], 2)
    rival = next(r for r in drill.rivals() if r.misconception == "forgot-the-second-gather" and r.slip is None)
    judged = diagnose(drill, typed(drill.posed.parts[0].expects, rival.value)[0])
    assert {"forgot-the-second-gather", "forgot-the-reduce-scatter"} <= judged.diagnosis


def test_an_undiagnosed_answer_is_shown_the_first_step_that_differs():
    drill = pose(QUESTIONS["D-layer"], 2)
    one_gather = drill.keys[0] / 3
    stopped = diagnose(drill, typed(drill.posed.parts[0].expects, one_gather)[0])
    assert stopped.verdict == "wrong"
    if not stopped.diagnosis:
        assert "stopped one step early: V_ag" in stopped.says[0]
    lost = diagnose(drill, "12.34567 TB")
    assert "The first step is V_ag (bytes each rank receives in an all-gather) = (N - 1)/N·S" in lost.says[0]


def test_parts_earn_their_share_and_an_error_is_marked_once():
    drill = pose(QUESTIONS["D-faded"], 1)
    layer, reduce = drill.keys
    as_typed = [typed(p.expects, k)[0] for p, k in zip(drill.posed.parts, drill.keys, strict=True)]
    assert diagnose(drill, *as_typed).earned == 1
    assert diagnose(drill, as_typed[0], "").earned == Fraction(1, 2)
    assert diagnose(drill, "; ".join(as_typed)).earned == 1
    assert diagnose(drill, as_typed[0]).parts[1].verdict == "not answered"
    assert layer != reduce


def test_a_line_that_follows_from_a_wrong_one_is_right():
    drill = pose(QUESTIONS["E-faded"], 1)
    wrong = drill.keys[0] * 2
    carried = drill.question.carried(drill.variant, 1, (wrong,))
    assert carried != drill.keys[1]
    texts = [typed(p.expects, k)[0] for p, k in zip(drill.posed.parts, (wrong, carried, drill.keys[2]), strict=True)]
    judged = diagnose(drill, *texts)
    assert [p.verdict for p in judged.parts][:2] == ["wrong", "right"]
    assert "marked once" in " ".join(judged.parts[1].says)
    assert judged.earned == Fraction(2, 3)


def test_a_stage_and_its_inequality_go_together():
    question = QUESTIONS["G-stage"]
    drill = next(d for s in range(40) if (d := pose(question, s)).keys[0] == "ZeRO-2")
    lines = drill.posed.lines
    stage_1 = next(line[0] for line in lines if line.endswith("P·(b_c + b_m + b_v + b_x)/N + P·(b_w + b_g) ≤ M_max"))
    judged = diagnose(drill, "ZeRO-1", stage_1)
    assert [p.verdict for p in judged.parts] == ["wrong", "right"]
    higher = [diagnose(d, "fsdp", "a").parts[0] for s in range(40) if (d := pose(question, s)).keys[0] in ("ZeRO-0", "ZeRO-1", "ZeRO-2")]
    assert any("shards more than is needed" in judged.says[0] for judged in higher)
    assert {pose(question, s).keys[0] for s in range(60)} == {"ZeRO-0", "ZeRO-1", "ZeRO-2", "ZeRO-3", "none"}


@named([q for q in ALL if q.kind == "formula"])
def test_a_formula_is_right_however_it_is_written(question):
    drill = pose(question, 2)
    (part,) = drill.posed.parts
    for accepted in question.accepted(drill.variant):
        text = to_text(accepted).replace("·", "*").replace("⌈", "ceil(").replace("⌉", ")")
        assert diagnose(drill, text).verdict == "right", text
    assert not any(same_expression(r.value, drill.keys[0], part.expects.letters) for r in drill.rivals())
    assert diagnose(drill, "17").verdict == "wrong"


@named([q for q in ALL if q.kind == "wrong line"])
def test_a_wrong_line_shows_one_misconception_and_the_rest_follows(question):
    for seed in range(12):
        drill = pose(question, seed)
        line = int(drill.keys[0])
        assert drill.variant.texts["line"] == str(line)
        assert f"Line {line} is wrong." in question.solution(drill.variant)[0]
        assert question.solution(drill.variant)[1].removeprefix("Right is ").rstrip(".") not in drill.posed.lines[line - 1]
    assert len({pose(question, s).keys[0] for s in range(30)}) > 1


@named(ALL)
def test_hints_say_more_and_more_and_end_with_the_worked_answer(question):
    drill = pose(question, 3)
    first, second, third = question.hints(drill.variant)
    assert len({first, second, third}) == 3
    assert question.solution(drill.variant)[-1].split(" = ")[-1].rstrip(".") in third

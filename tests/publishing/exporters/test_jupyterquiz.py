"""The quiz by jupyterquiz's own match rule, against `diagnose`: which answer is right, and what is said of it."""

from __future__ import annotations

import json
import random
from functools import cache

import pytest

from fsdp_sym.publishing.exporters import EXPORTERS
from fsdp_sym.publishing.exporters.answer_text import in_unit
from fsdp_sym.publishing.exporters.form import Bank
from fsdp_sym.publishing.exporters.jupyterquiz import _html
from fsdp_sym.publishing.exporters.wrong_answers import judged
from fsdp_sym.teaching.answers import Choice, Count, Quantity
from fsdp_sym.teaching.drills import QUESTIONS, pose

QUIZ = EXPORTERS["jupyterquiz"]
CARRIED = {q.id: q for q in QUESTIONS.values() if q.kind in QUIZ.kinds}
UNTYPED = {"gib-for-gb", "bits-for-bytes"}


@cache
def items(name, seed):
    """A question's drill and its items, one a part."""
    drill = pose(QUESTIONS[name], seed)
    found = json.loads(QUIZ.export(Bank("a bank", ((drill,),)))["self-study.json"])
    assert len(found) == len(drill.posed.parts)
    return drill, found


def shown(item, typed):
    """Whether jupyterquiz marks a typed number as right, and what it shows: the first match wins."""
    above, slash, below = typed.partition("/")
    number = float(above) / float(below) if slash else float(above)
    other = "Incorrect. Try again."
    for answer in item["answers"]:
        if "value" in answer:
            if number == answer["value"]:
                return answer["correct"], answer["feedback"]
        elif "range" in answer:
            if answer["range"][0] <= number < answer["range"][1]:
                return answer["correct"], answer["feedback"]
        elif answer["type"] == "default":
            other = answer["feedback"]
    return False, other


def typed_numbers(drill, at, unit):
    """Every answer of which something is known, some that are close, borders, and what nobody thinks of."""
    draw = random.Random(f"{drill.posed.question}:{at}").random
    for value in (drill.keys[at], *(rival.value for rival in drill.rivals(at))):
        number = in_unit(value, unit)
        if isinstance(drill.posed.parts[at].expects, Count):
            yield str(number)
        else:
            yield from (f"{float(number * share):.6g}" for share in (1, 1 + (draw() - 0.5) / 500))
    key = float(in_unit(drill.keys[at], unit))
    yield from (f"{key * share:.6g}" for share in (0.979, 0.981, 0.9985, 1.0015, 1.019, 1.021))
    yield from (f"{key * 10 ** (6 * draw() - 3):.4g}" for _ in range(8))


@pytest.mark.parametrize("name", CARRIED)
def test_a_typed_number_gets_the_verdict_and_the_words_of_diagnose(name, monkeypatch):
    # The first step that differs is worked out anew for each answer, and is what this format leaves out.
    monkeypatch.setattr(type(QUESTIONS[name]), "differs", lambda self, *args: "")
    drill, found = items(name, 3)
    for at, (part, item) in enumerate(zip(drill.posed.parts, found, strict=True)):
        if isinstance(part.expects, Choice):
            continue
        unit = part.expects.unit if isinstance(part.expects, Quantity) else ""
        default = item["answers"][-1]["feedback"]
        for typed in typed_numbers(drill, at, unit):
            judgement = judged(drill, at, f"{typed} {unit}")
            right, says = shown(item, typed)
            assert right == (judgement.verdict == "right"), typed
            known = judgement.verdict != "wrong" or judgement.diagnosis
            if known and not judgement.diagnosis & UNTYPED:
                assert says == "<br>".join(map(_html, judgement.says)), typed
            elif not known:
                assert says == default, typed


@pytest.mark.parametrize("name", [name for name, q in CARRIED.items() if q.kind in ("choose", "wrong line", "principle")])
def test_a_choice_gets_the_verdict_and_the_words_of_diagnose(name):
    drill, found = items(name, 4)
    for at, (part, item) in enumerate(zip(drill.posed.parts, found, strict=True)):
        if not isinstance(part.expects, Choice):
            continue
        assert item["type"] == "multiple_choice"
        for option, answer in zip(part.expects.options, item["answers"], strict=True):
            judgement = judged(drill, at, option)
            assert answer["answer"].startswith(_html(option))
            assert answer["correct"] == (judgement.verdict == "right")
            assert answer["feedback"] == "<br>".join(map(_html, judgement.says))


def test_every_kind_is_carried_or_refused():
    assert {q.kind for q in CARRIED.values()} == QUIZ.kinds
    assert {q.kind for q in QUESTIONS.values()} - QUIZ.kinds == {"missing", "formula", "faded"}


def test_ranges_are_apart_and_in_order():
    for name in ("D-all-gather", "G-stage-2", "E-slowdown"):
        for answers in (item["answers"] for item in items(name, 3)[1]):
            bounds = [bound for answer in answers if "range" in answer for bound in answer["range"]]
            assert bounds == sorted(bounds)
            assert all(low < high for low, high in zip(bounds[::2], bounds[1::2], strict=True))


def test_texts_are_no_html_no_formulas_and_no_links():
    assert _html("<b> & $x$ [a](b) <http://c>") == "&lt;b&gt; &amp; &#36;x&#36; &#91;a&#93;(b) &lt;http://c&gt;"


def test_the_files_are_the_same_again_and_say_that_they_are_for_self_study():
    bank = Bank("Sharded *training*", tuple((pose(QUESTIONS[name], 1), pose(QUESTIONS[name], 2)) for name in ("D-all-gather", "A-fits")))
    made = QUIZ.export(bank)
    assert made == QUIZ.export(bank)
    assert QUIZ.self_study
    found = json.loads(made["self-study.json"])
    assert [item["id"] for item in found] == ["D-all-gather-001", "D-all-gather-002", *["A-fits-001"] * 2, *["A-fits-002"] * 2]
    assert all("self-study" in item["note"] for item in found)
    notebook = json.loads(made["self-study.ipynb"])
    assert "self-study" in "".join(notebook["cells"][0]["source"])
    assert 'display_quiz("self-study.json"' in "".join(notebook["cells"][1]["source"])

"""Practice: a question, an answer that is diagnosed, hints, the worked line, and progress that survives."""

from __future__ import annotations

import json
import os
from html.parser import HTMLParser
from itertools import pairwise

import pytest

from fsdp_sym.algebra.errors import FsdpSymError, UnknownName
from fsdp_sym.publishing.exporters.answer_text import answer_text
from fsdp_sym.scenarios.cells import READING_PATH
from fsdp_sym.teaching.cards import VERDICTS_SAID, Card, judgement_card, question_card
from fsdp_sym.teaching.drills import QUESTIONS, diagnose, pose
from fsdp_sym.teaching.practice import Thought, interleaved, practice
from fsdp_sym.teaching.progress import FILE, Attempt, Progress, load, save

# What must never be taken for anything but text.
HOSTILE = ("<script>alert(1)</script>", "$\\href{javascript:x}{y}$", "<img src=x onerror=x>", "a & b", '"><b>')


def right_texts(one):
    drill = pose(QUESTIONS[one.question], one.seed)
    return [answer_text(key, part.expects) for key, part in zip(drill.keys, drill.posed.parts, strict=True)]


def wrong_text(one, misconception):
    rival = next(r for r in pose(QUESTIONS[one.question], one.seed).rivals() if (r.misconception, r.slip) == (misconception, None))
    return answer_text(rival.value, one.posed.parts[0].expects)


class Reader(HTMLParser):
    """The text of an HTML, and every tag and attribute in it."""

    def __init__(self, html):
        super().__init__()
        self.texts, self.tags, self.attributes = [], set(), set()
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes.update(name for name, _ in attrs)

    def handle_data(self, data):
        self.texts.append(data)


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_worked_answer_is_right_in_parts_and_in_one_text(question, tmp_path):
    one = practice(question=question, seed=4, folder=tmp_path)
    assert one.answer(*right_texts(one)).verdict == "right"
    assert one.answer("; ".join(right_texts(one))).verdict == "right"
    (attempt,) = load(tmp_path).attempts
    assert (attempt.question, attempt.seed, attempt.verdict) == (question, 4, "right")


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_card_says_all_of_the_question_in_text_and_in_html(question):
    one = practice(question=question, seed=4, folder=None)
    posed = one.posed
    shown = Reader(one._repr_html_())
    for said in (one.name, posed.prompt, *posed.lines, *(part.ask for part in posed.parts)):
        assert said in repr(one)
        assert said in "\n".join(shown.texts)
    assert shown.tags == {"div"} | ({"pre"} if posed.kind in ("wrong line", "faded") else set())
    assert shown.attributes == {"style", "class"} if "pre" not in shown.tags else {"style"} <= shown.attributes


def test_a_wrong_answer_is_told_what_went_wrong_and_kept_once(tmp_path):
    one = practice(question="D-all-gather", seed=3, folder=tmp_path)
    text = wrong_text(one, "received-its-own-shard")
    said = repr(one.answer(text))
    assert said.startswith(f"{VERDICTS_SAID['wrong']}\nRead as: ")
    assert said.endswith("A rank holds its own shard from the start and receives only those of the others.")
    assert repr(one.answer(text)) == said
    (attempt,) = load(tmp_path).attempts
    assert attempt == Attempt("D-all-gather", 3, text, "wrong", ("received-its-own-shard",))
    one.answer("1 MB")
    one.answer(text)
    assert [a.text for a in load(tmp_path).attempts] == [text, "1 MB"]


def test_an_empty_answer_is_a_calm_line_and_costs_nothing(tmp_path):
    one = practice(question="D-all-gather", seed=3, folder=tmp_path)
    two = practice(question="D-wrong-line", seed=3, folder=tmp_path)
    for said in (one.answer(""), one.answer(), one.answer("  "), two.answer("", ""), two.answer(""), two.answer(" ; ")):
        assert said.text.startswith(f"{VERDICTS_SAID['not answered']}\nPut your answer")
    assert not (tmp_path / FILE).exists()


def test_each_part_has_its_verdict_and_the_share_is_said(tmp_path):
    one = practice(question="D-wrong-line", seed=3, folder=tmp_path)
    which, result = right_texts(one)
    assert one.answer(which, "many MB").text.startswith("? Not understood: 1 of 2 parts right")
    assert load(tmp_path).attempts == ()
    half = one.answer(which, "5 MB").text
    assert half.startswith("✗ Not right: 1 of 2 parts right, which earns 1/2 of the marks\n  (1) ✓ Right\n")
    assert "\n  (2) ✗ Not right\n  Read as: 5 MB = 5,000,000 B\n" in half
    assert one.answer(which).text.startswith("○ Not answered yet: 1 of 2 parts right")
    assert one.answer(which, result).text.startswith("✓ Right: 2 of 2 parts right\n")
    assert [a.verdict for a in load(tmp_path).attempts] == ["wrong", "not answered", "right"]


@pytest.mark.parametrize("typed", HOSTILE)
def test_an_answer_that_cannot_be_read_costs_nothing_and_is_escaped(typed, tmp_path):
    one = practice(question="D-all-gather", seed=3, folder=tmp_path)
    shown = one.answer(typed)
    assert shown.text.splitlines()[0] == VERDICTS_SAID["invalid"]
    html = Reader(shown._repr_html_())
    assert html.tags <= {"div", "pre"}
    assert html.attributes <= {"style", "class"}
    assert not (tmp_path / FILE).exists()


@pytest.mark.parametrize("typed", HOSTILE)
def test_every_text_on_a_card_is_escaped_and_nothing_is_typeset(typed):
    card = Card(typed, (("say", typed), ("quiet", typed), ("lines", typed), ("choices", typed)), "right", (Card(typed),))
    html = Reader(card._repr_html_())
    assert html.texts == [typed] * 6
    assert html.tags == {"div", "pre"}
    assert card._repr_html_().startswith('<div class="mathjax_ignore tex2jax_ignore"')


def test_every_verdict_has_an_icon_and_a_word_of_its_own():
    icons, words = zip(*(said.split(" ", 1) for said in VERDICTS_SAID.values()), strict=True)
    assert len(set(icons)) == len(set(words)) == len(VERDICTS_SAID)
    frames = {judgement_card(diagnose(pose(QUESTIONS["D-steps"], 1), text))._repr_html_()[:160] for text in ("", "x", "1", "2")}
    assert len(frames) == 3


def test_a_card_is_made_of_the_posed_question_alone():
    drill = pose(QUESTIONS["G-stage"], 3)
    assert "ZeRO" in question_card(drill.posed, "Q1").text


def test_the_last_hint_and_the_solution_wait_for_an_attempt(tmp_path):
    one = practice(question="D-all-gather", seed=3, folder=tmp_path)
    drill = pose(QUESTIONS["D-all-gather"], 3)
    three = drill.question.hints(drill.variant)
    for at in (1, 2):
        assert one.hint().text == f"Hint {at} of 3\n{three[at - 1]}"
    assert three[2] not in one.hint().text + one.hint(3).text + one.solution().text
    one.answer("seven MB")
    assert three[2] not in one.hint().text
    one.answer("1 MB")
    assert one.hint().text == f"Hint 3 of 3\n{three[2]}" == one.hint(3).text
    assert one.hint(1).text == f"Hint 1 of 3\n{three[0]}"
    assert one.solution().text == "\n".join(["Worked answer", *drill.question.solution(drill.variant)])
    assert three[2] in practice(question="D-all-gather", seed=3, folder=tmp_path).hint(3).text
    with pytest.raises(FsdpSymError, match="there are three hints"):
        one.hint(4)


def test_which_of_several_thoughts_it_was_is_asked_before_any_is_spoken_to(tmp_path):
    one = practice(question="D-layer", seed=2, folder=tmp_path)
    assert one.follow_up().text.startswith("Nothing to ask yet")
    one.answer("1 MB")
    assert one.follow_up().text.startswith("Nothing to ask\n")
    assert one.follow_up().answer("b").text == one.follow_up().text
    text = wrong_text(one, "forgot-the-second-gather")
    said = one.answer(text).text
    tells = {"a": "The gradients of all ranks", "b": "With resharding"}
    assert "Which of these was yours?" in said
    assert not any(tell in said for tell in tells.values())
    asked = one.follow_up()
    assert isinstance(asked, Thought)
    assert all(line in repr(asked) and line in said for line in asked.asked.posed.lines)
    assert asked.answer("z").verdict == "invalid"
    assert load(tmp_path).attempts[-1].diagnosis == ("forgot-the-reduce-scatter", "forgot-the-second-gather")
    for choice, tell in tells.items():
        assert tell in asked.answer(f"{choice})").text
    assert load(tmp_path).attempts[-1].diagnosis == ("forgot-the-second-gather",)
    assert "V_layer" in asked.answer("c").text
    assert load(tmp_path).attempts[-1].diagnosis == ()


def test_a_new_kernel_can_still_be_asked(tmp_path):
    one = practice(question="D-layer", seed=2, folder=tmp_path)
    one.answer(wrong_text(one, "forgot-the-second-gather"))
    again = practice(question="D-layer", seed=2, folder=tmp_path)
    assert "With resharding" in again.follow_up().answer("b").text


def test_without_a_folder_nothing_is_written_and_the_last_hint_still_waits(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    one = practice(question="D-layer", seed=2, folder=None)
    assert "of your own first" in one.solution().text
    one.answer(wrong_text(one, "forgot-the-second-gather"))
    one.follow_up().answer("a")
    assert one.solution().text.startswith("Worked answer")
    assert os.listdir(tmp_path) == []
    practice(question="D-layer", seed=2).answer("1 MB")
    assert os.listdir(tmp_path) == [FILE]


def test_questions_take_turns_over_cells_and_kinds():
    ids = interleaved()
    assert sorted(ids) == sorted(QUESTIONS)
    cells = [QUESTIONS[name].cell for name in ids]
    assert cells[: 2 * len(READING_PATH)] == [*READING_PATH, *READING_PATH]
    kinds = [QUESTIONS[name].kind for name in ids[:40]]
    assert all(one != other for one, other in pairwise(kinds))
    assert len(set(kinds[:9])) == 9
    mine = [QUESTIONS[name].kind for name in interleaved("D")]
    assert len(set(mine[:6])) == 6
    assert {QUESTIONS[name].cell for name in interleaved("D")} == {"D"}


def test_without_a_seed_cells_take_turns_and_what_was_missed_comes_back_with_new_numbers(tmp_path):
    first = practice(folder=tmp_path)
    assert practice(folder=tmp_path).name == first.name
    first.answer("1 B/param")
    seen = []
    for _ in range(3):
        one = practice(folder=tmp_path)
        seen.append(one.cell)
        assert one.question != first.question
        one.answer(*right_texts(one))
    assert len(set(seen)) == 3
    again = practice(folder=tmp_path)
    assert (again.question, again.seed) == (first.question, first.seed + 1)
    assert practice("D", folder=tmp_path).cell == "D"


def test_a_missed_question_rests_before_it_is_due():
    missed = Attempt("D-all-gather", 1, "1 MB", "wrong")
    other = Attempt("A-shard", 1, "1 GB", "right")
    assert Progress((missed, other)).due() is None
    assert Progress((missed, other, other, other)).due() == "D-all-gather"
    assert Progress((missed, other, other, other, Attempt("D-all-gather", 2, "2 MB", "right"))).due() is None
    assert Progress((Attempt("D-faded", 1, "1 GB; ", "not answered"), other, other, other)).due() == "D-faded"


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

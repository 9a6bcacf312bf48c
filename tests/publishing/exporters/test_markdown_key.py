"""The Markdown sheet is made from posed questions alone; its key has every right answer and every thought to look for."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from html import unescape

import pytest
from markdown_it import MarkdownIt

from fsdp_sym.publishing.exporters import EXPORTERS
from fsdp_sym.publishing.exporters.answer_text import answer_text, is_an_answer
from fsdp_sym.publishing.exporters.form import Bank
from fsdp_sym.teaching.drills import KINDS, QUESTIONS, pose
from fsdp_sym.teaching.drills.diagnose import told

MARKDOWN = EXPORTERS["markdown"]


def shown(markdown):
    """The text that a reader sees, without its spacing."""
    html = MarkdownIt("commonmark").enable("table").render(markdown.decode())
    return " ".join(unescape(re.sub("<[^>]*>", " ", html)).split())


def as_read(text):
    return " ".join(text.split())


@pytest.fixture(scope="module")
def bank():
    return Bank("Homework *1* <b>", tuple(tuple(pose(question, seed) for seed in (4, 5)) for question in QUESTIONS.values()))


@pytest.fixture(scope="module")
def files(bank):
    return MARKDOWN.export(bank)


@pytest.fixture(scope="module")
def key(files):
    return shown(files["key.md"])


def test_the_sheet_has_every_question_as_it_was_posed(bank, files):
    sheet = shown(files["questions.md"])
    assert sheet.startswith("Homework *1* <b>")
    for drill in (drill for variants in bank.questions for drill in variants):
        for text in (drill.posed.prompt, *drill.posed.lines, *(part.ask for part in drill.posed.parts)):
            assert as_read(text) in sheet


def test_a_prompt_is_no_markup(bank):
    drill = bank.questions[0][0]
    hostile = "1. *a* _b_ `c` <script>alert(1)</script> [d](e) # f"
    made = MARKDOWN.export(Bank("a", ((replace(drill, posed=replace(drill.posed, prompt=hostile)),),)))
    assert hostile in shown(made["questions.md"])


def test_the_sheet_holds_no_key(bank, files):
    """With every key, rival and worked answer replaced it is the same, to the byte."""

    class Silent:
        def rivals(self, *_):
            return ()

        def solution(self, *_):
            return ("something else",)

    emptied = tuple(
        tuple(replace(drill, keys=(Fraction(1),) * len(drill.keys), question=Silent()) for drill in variants) for variants in bank.questions
    )
    made = MARKDOWN.export(Bank(bank.title, emptied))
    assert made["questions.md"] == files["questions.md"]
    assert made["key.md"] != files["key.md"]


@pytest.mark.parametrize("number", range(1, len(QUESTIONS) + 1), ids=list(QUESTIONS))
def test_the_key_has_the_answers_the_working_and_the_thoughts(number, bank, key):
    variants = bank.questions[number - 1]
    _, _, mine = key.partition(f"Question {number}: {variants[0].posed.question} ")
    mine, _, _ = mine.partition(f" Question {number + 1}: ")
    for at, drill in enumerate(variants, 1):
        _, _, here = mine.partition(f"Question {number}, variant {at} ")
        here, _, _ = here.partition(f" Question {number}, variant {at + 1} ")
        assert as_read(" ".join(drill.question.solution(drill.variant))) in here
        for part_at, (part, right) in enumerate(zip(drill.posed.parts, drill.keys, strict=True)):
            assert f"{f'Part {part.label}' if part.label else 'Answer'}: {as_read(answer_text(right, part.expects))}" in here
            for rival in drill.rivals(part_at):
                if rival.misconception and not rival.slip and is_an_answer(rival.value, part.expects):
                    assert as_read(answer_text(rival.value, part.expects)) in here
                    assert as_read(told(rival)) in here


def test_the_same_bytes_again_and_all_kinds(bank, files):
    assert MARKDOWN.export(bank) == files
    assert MARKDOWN.kinds == set(KINDS) == {variants[0].posed.kind for variants in bank.questions}
    assert set(files) == {"questions.md", "key.md"}

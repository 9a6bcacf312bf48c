"""What a student edition tells when it is asked: the paragraph or the answer, with its numbers, and never the question."""

from __future__ import annotations

import pytest

from fsdp_sym import tell
from fsdp_sym.algebra.errors import UnknownName
from fsdp_sym.publishing.exporters.notebook import notebook
from fsdp_sym.teaching.lessons import LESSONS
from fsdp_sym.teaching.lessons.blocks import Ask, Say
from fsdp_sym.teaching.lessons.words import filled

HELD = [(lesson, b) for lesson in LESSONS.values() for b in lesson.blocks if isinstance(b, Say | Ask)]


@pytest.fixture
def told(monkeypatch):
    """The Markdown that was shown last."""
    shown = []
    monkeypatch.setattr("IPython.display.display", lambda markdown: shown.append(markdown.data))

    def last(lesson, slug):
        tell(lesson, slug)
        return shown[-1]

    return last


def test_a_paragraph_is_told_with_its_numbers(told):
    assert told("D-communication-volume", "gather-read").startswith("With 4 ranks each receives 525 MB, with 64 it is 689.0625 MB.")


def test_an_answer_is_told_and_not_its_question(told):
    said = told("A-memory-in-fp32", "ask-sgd")
    assert said == "Both moments go; the parameter and its gradient stay: 8 B/param. Adam doubles the state of an fp32 model."


@pytest.mark.parametrize(("lesson", "block"), HELD, ids=[f"{lesson.id}-{block.slug}" for lesson, block in HELD])
def test_what_is_told_is_the_text_of_the_lesson(told, lesson, block):
    assert told(lesson.id, block.slug) == filled(lesson, block.text if isinstance(block, Say) else block.answer)


@pytest.mark.parametrize("lesson", LESSONS.values(), ids=LESSONS)
def test_every_cell_that_asks_to_be_told_is_answered(told, lesson):
    for cell in notebook(lesson, "student").cells:
        if cell.source.startswith("tell("):
            assert told(*[part.strip('"') for part in cell.source[5:-1].split(", ")])


def test_an_unknown_paragraph_or_lesson_is_refused_by_name(told):
    with pytest.raises(UnknownName, match=r"no paragraph of D-communication-volume is called 'gather-reed'.*gather-read"):
        told("D-communication-volume", "gather-reed")
    with pytest.raises(UnknownName, match="no lesson is called 'D'"):
        told("D", "gather-read")

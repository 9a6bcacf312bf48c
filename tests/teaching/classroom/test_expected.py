"""What an answer is read as travels in the sheet's text, and comes back equal."""

from __future__ import annotations

import pytest

from fsdp_sym.teaching.classroom.expected import comment, expected_in, fields
from fsdp_sym.teaching.drills import KINDS, QUESTIONS, pose


@pytest.mark.parametrize("kind", KINDS)
def test_every_question_says_what_it_reads(kind: str) -> None:
    questions = [q for q in QUESTIONS.values() if q.kind == kind]
    assert questions
    for question in questions:
        for seed in range(3):
            expected = fields("Q7", pose(question, seed).posed)
            line = comment(expected)
            assert expected_in(f"some text\n\n{line}\n\nmore") == expected
            assert line.count("-->") == 1
            assert "--" not in line[4:-3]
            assert "$" not in line
            assert "\n" not in line


def test_fields_are_named_by_their_parts() -> None:
    assert list(fields("Q1", pose(QUESTIONS["D-steps"], 0).posed)) == ["Q1"]
    assert list(fields("Q2", pose(QUESTIONS["D-wrong-line"], 0).posed)) == ["Q2.1", "Q2.2"]


@pytest.mark.parametrize(
    "told",
    [
        "{}",
        "{",
        '{"Q1": 1}',
        '{"Q1": ["quantity", "Go"]}',
        '{"Q1": ["quantity", "GB"*9]}',
        '{"Q1": ["quantity"]}',
        '{"Q1": ["number", 1]}',
        '{"Q1": ["choice", 1, 2]}',
        '{"Q1": ["choice", ["a"], [1]]}',
        '{"Q1": ["formula", "zz"]}',
        '{"Q1": ["count", 1]}',
        '{"Q1": ["code", "x"]}',
        '{"Q1": ["whole numbers", "abc"]}',
        '{"Q1": []}',
        '["Q1"]',
        '{"Q1": {"a": 1}}',
        '{"Q1": null}',
    ],
)
def test_a_damaged_line_says_nothing(told: str) -> None:
    assert expected_in(f"<!-- fsdp-sym reads {told} -->") == {}


def test_a_long_text_is_looked_through_at_once() -> None:
    for text in ("<!-- fsdp-sym reads {" * 50_000, "<!-- fsdp-sym reads {\n" * 50_000, "<!-- fsdp-sym reads {" + "} -->" * 50_000):
        assert expected_in(text) == {}

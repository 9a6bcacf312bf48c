"""Why a student has a mark: everything that went into it, in lines."""

from __future__ import annotations

import json

import pytest
from returning import ASSIGNMENT, hand_out, keys, notebook, sheet, thinking, written

from fsdp_sym.algebra.errors import FsdpSymError
from fsdp_sym.teaching.classroom.corrections import NONE, read_corrections
from fsdp_sym.teaching.classroom.why import why
from fsdp_sym.teaching.misconceptions import MISCONCEPTIONS

ADA = sheet("s1", "Ada Lovelace")
TYPED = keys(ADA) | {"Q1": thinking(ADA, "s-is-the-shard", "Q1"), "Q4": "about nine"}


@pytest.fixture
def places(tmp_path):
    written(tmp_path / "returned/s1.ipynb", notebook(ADA, TYPED))
    return hand_out(tmp_path / ASSIGNMENT, (sheet("s0", "Zoe"), ADA)), tmp_path / "returned"


def test_it_tells_everything(places):
    found = why(*places, NONE, "s1", "Q1")
    drill = dict(ADA.drills(_header(places)))["Q1"]
    assert found[0] == f"s1 (Ada Lovelace), sheet {ADA.sheet}, read from s1.ipynb"
    assert found[1] == "Q1: D-all-gather (compute, cell D), 2 points"
    assert found[2] == drill.posed.prompt
    assert f"typed: {TYPED['Q1']!r}" in found
    assert f"givens: {', '.join(f'{name} = {value}' for name, value in drill.posed.givens)}" in found
    assert "right within: 0.1 %" in found
    assert "verdict: wrong" in found
    assert f"may be: s-is-the-shard ({MISCONCEPTIONS['s-is-the-shard'].thinks})" in found
    assert f"told: {MISCONCEPTIONS['s-is-the-shard'].tell}" in found
    assert [f"  {line}" for line in drill.question.solution(drill.variant)] == found[found.index("worked answer:") + 1 : -1]
    assert found[-1] == "marks: 0 of 2"


def _header(places):
    from fsdp_sym.teaching.classroom.record import read_record

    return read_record(places[0])[0]


def test_a_student_is_found_by_name_and_parts_are_told_apart(places):
    found = why(*places, NONE, "Lovelace, Ada", "Q3")
    assert {"Q3.1:", "Q3.2:"} <= set(found)
    assert "right within: no tolerance: exactly this" in found
    assert "marks: 2 of 2" in found
    assert "right within: no tolerance: the same value wherever both formulas have one" in why(*places, NONE, "s1", "Q2")


def test_what_could_not_be_read_is_told(places):
    found = why(*places, NONE, "s1", "Q4")
    assert {"typed: 'about nine'", "read as: nothing", "verdict: invalid"} <= set(found)


def test_a_correction_is_told(places, tmp_path):
    file = written(tmp_path / "c.json", json.dumps({"questions": {"Q1": {"full": True, "reason": "unclear"}}}).encode())
    found = why(*places, read_corrections(file), "s1", "Q1")
    assert found[-2:] == ["marks: 0 of 2", "corrected: full marks: unclear; it counts 2"]


def test_a_mark_for_the_whole_sheet_and_what_was_not_lowered_are_told(places, tmp_path):
    marks = {"sheet": {"mark": 11, "reason": "oral exam"}, "Q2": {"mark": 0, "reason": "copied"}}
    file = written(tmp_path / "c.json", json.dumps({"students": {"s1": marks}}).encode())
    found = why(*places, read_corrections(file), "s1", "Q1")
    assert found[-2:] == ["kept: Q2: not lowered to 0: copied", "the whole sheet: marked by hand: oral exam; it counts 11 of 12"]


@pytest.mark.parametrize(
    ("student", "label", "says"),
    [
        ("s1", "Q9", "no question is called 'Q9'"),
        ("s9", "Q1", "no student is called 's9'"),
        ("s0", "Q1", "nothing of s0 is marked: missing"),
    ],
)
def test_what_it_cannot_tell_it_says(places, student, label, says):
    with pytest.raises(FsdpSymError, match=says):
        why(*places, NONE, student, label)

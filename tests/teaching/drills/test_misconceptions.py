"""Misconceptions: each differs from the truth, says something, and is met by a question of its cell."""

from __future__ import annotations

import re

import pytest

from fsdp_sym.algebra.agreement import agree
from fsdp_sym.reasoning.catalogue import formula, formulas
from fsdp_sym.scenarios.cells import READING_PATH
from fsdp_sym.teaching.drills import QUESTIONS
from fsdp_sym.teaching.drills.value import Value
from fsdp_sym.teaching.misconceptions import MISCONCEPTIONS, PRINCIPLES, SLIPS, about

PADDED = {"allocator_rounding", "layers_of_stage", "layers_with_ends", *(f.id for f in formulas().values() if f.topic == "sharding")}
PAIRS = [(m, f) for m in MISCONCEPTIONS.values() for f in m.about]


def test_there_are_at_least_forty_and_four_for_each_cell():
    assert len(MISCONCEPTIONS) >= 40
    for cell in READING_PATH:
        met = {m.id for q in QUESTIONS.values() if q.cell == cell and isinstance(q, Value) for m in about(q.formula)}
        assert len(met) >= 4, (cell, met)


@pytest.mark.parametrize(("misconception", "name"), PAIRS, ids=[f"{m.id}-{f}" for m, f in PAIRS])
def test_a_rival_differs_from_the_truth(misconception, name):
    truth = formula(name).exact
    rival = misconception.rival(truth)
    # What is about padding alone differs only where something is padded.
    refuted = agree(truth, rival, formula(name).hypotheses).kind == "refuted"
    assert refuted or (name in PADDED and agree(formula(name).closed, rival, formula(name).where).kind == "refuted")


@pytest.mark.parametrize("misconception", MISCONCEPTIONS.values(), ids=list(MISCONCEPTIONS))
def test_a_misconception_tells_without_numbers(misconception):
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", misconception.id)
    assert misconception.violates.id in PRINCIPLES
    for said in (misconception.thinks, misconception.tell):
        assert said.endswith(".")
        assert not re.search(r"\d", re.sub(r"fp\d+", "", said)), said


def test_ids_are_one_name_space():
    ids = [*MISCONCEPTIONS, *(s.id for s in SLIPS)]
    assert len(ids) == len(set(ids))

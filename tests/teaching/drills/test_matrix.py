"""The report on which wrong answers a question tells apart."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from fsdp_sym import cli
from fsdp_sym.teaching.drills import QUESTIONS, pose
from fsdp_sym.teaching.drills.matrix import TRUTH, separations, told_apart_by
from fsdp_sym.teaching.drills.value import Value

MASTER_OR_MOMENT = frozenset(("forgot-the-master-copy", "one-moment-only"))
GATHER_OR_SCATTER = frozenset(("forgot-the-second-gather", "forgot-the-reduce-scatter"))
ASKED = ["A-replica", "A-shard", "C-peak", "D-layer", "D-write-layer", "E-faded", "F-all-gather-time", "G-stage-2"]


def test_what_is_never_told_apart_says_what_to_ask_next():
    (matrix,) = separations(QUESTIONS["D-layer"])
    assert matrix.never == (GATHER_OR_SCATTER,)
    assert matrix.thoughts[0] == TRUTH
    assert told_apart_by(MASTER_OR_MOMENT) == () or all(q in QUESTIONS for q in told_apart_by(MASTER_OR_MOMENT))


def test_a_plan_with_unequal_widths_tells_the_master_copy_from_a_moment():
    """With 2 + 2 + 4 + 4 + 4 bytes the two are one number, with 2 + 2 + 4 + 8 + 8 they are not: half of the variants."""
    (matrix,) = separations(QUESTIONS["A-replica"])
    assert matrix.apart[MASTER_OR_MOMENT] == Fraction(1, 2)


@pytest.mark.parametrize("name", ASKED)
def test_the_matrix_is_what_the_drawn_values_say(name):
    """Over again from rivals of accepted variants: a pair that lay together in one of them is not at a hundred per cent."""
    question = QUESTIONS[name]
    for seed in range(5):
        drill = pose(question, seed)
        for at, matrix in enumerate(separations(question)):
            rivals = [r for r in drill.rivals(at) if r.slip is None]
            for one in rivals:
                for other in rivals:
                    pair = frozenset((one.misconception, other.misconception))
                    if one.value == other.value and len(pair) == 2:
                        assert matrix.apart[pair] < 1


@pytest.mark.parametrize("question", [q for q in QUESTIONS.values() if isinstance(q, Value)], ids=lambda q: q.id)
def test_truth_and_every_thought_can_be_told_apart(question):
    for matrix in separations(question):
        assert all(share > 0 for pair, share in matrix.apart.items() if TRUTH in pair)


def test_the_audit_prints_the_matrix(capsys):
    assert cli.main(["audit", "--question", "D-layer"]) == 0
    out = capsys.readouterr().out
    assert "never told apart: forgot-the-reduce-scatter and forgot-the-second-gather" in out
    assert out.splitlines()[2].split()[:4] == ["0", "right", ".", "100"]
    assert cli.main(["audit", "--question", "A-replica", "--json"]) == 0
    (record,) = json.loads(capsys.readouterr().out)
    assert {"pair": sorted(MASTER_OR_MOMENT), "share": 0.5} in record["apart"]
    assert cli.main(["audit", "--question", "A-replcia"]) == 2
    assert "did you mean A-replica" in capsys.readouterr().err

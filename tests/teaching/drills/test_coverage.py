"""Every formula is asked for, every question knows wrong answers, and every wrong thought that was promised has its row."""

from __future__ import annotations

import pytest

from fsdp_sym.reasoning.catalogue import formulas
from fsdp_sym.scenarios.cells import CELLS
from fsdp_sym.teaching.drills import KINDS, QUESTIONS, pose
from fsdp_sym.teaching.drills.choose import STAGES, STATES, Decide, Stage
from fsdp_sym.teaching.drills.faded import Faded
from fsdp_sym.teaching.drills.justify import Justify
from fsdp_sym.teaching.drills.split import DEGREE, Split
from fsdp_sym.teaching.drills.value import Value
from fsdp_sym.teaching.drills.written import Written
from fsdp_sym.teaching.drills.wrong_line import WrongLine
from fsdp_sym.teaching.misconceptions import MISCONCEPTIONS, SLIPS

CHOICE_KINDS = ("choose", "principle", "wrong line")
LEAST_RIVALS = 2
SEEDS = range(4)

PROMISED = {
    "the master copy is forgotten": ["forgot-the-master-copy"],
    "Adam is kept in the parameters' precision": ["adam-in-the-parameters-precision"],
    "only weights are counted, or weights and gradients": ["only-the-weights", "no-optimizer-states"],
    "fp16 halves the state": ["half-precision-halves-everything"],
    "activations are sharded too": ["activations-sharded-too"],
    "nothing is sharded": ["nothing-sharded"],
    "a stage shards only what the next lower one does": ["next-lower-stage", "parameters-stay-whole", "gradients-stay-whole"],
    "multiplied instead of divided": ["multiplied-by-the-ranks"],
    "N for N - 1": ["received-its-own-shard", "ring-steps-are-ranks"],
    "N + 1": ["one-rank-too-many"],
    "S is the shard": ["s-is-the-shard"],
    "the world for the shard group": ["world-for-shard-group", "world-size-in-the-gather"],
    "a collective is forgotten": ["forgot-the-second-gather", "forgot-the-reduce-scatter"],
    "an all-reduce is counted once": ["all-reduce-counted-once"],
    "bits for bytes, both ways": ["bits-for-bytes", "bytes-for-bits", "bits-taken-for-bytes", "multiplied-by-the-bits"],
    "GB for GiB, both ways": ["gib-for-gb", "gb-for-gib"],
    "kilo for mega, ms for s": ["a-thousand-too-large", "a-thousand-too-small"],
    "the sum of the degrees for the product": ["degrees-added", "divided-by-the-sum"],
    "the floor of a division with a remainder": ["remainder-dropped", "rounded-down"],
    "communication always adds, or always hides": ["communication-always-adds", "communication-always-hides"],
    "the overlap is inverted": ["overlap-inverted"],
    "the ratio is inverted": ["ratio-upside-down"],
    "the root of the layers is taken for what is dropped": ["sqrt-is-what-is-dropped"],
    "a higher stage always costs more traffic": ["higher-stage-always-costs"],
}


def asked(question):
    """The formulas whose values, expressions or comparisons a question asks for."""
    match question:
        case Value() | Written() | Decide():
            return (question.formula,)
        case WrongLine() | Faded():
            return tuple(name for name, _ in question.chain.lines)
        case Stage():
            return ("stage_for_budget", *STATES)
        case Split():
            return (DEGREE,)
        case Justify():
            return ()
    raise TypeError(type(question))


def test_every_formula_is_asked_for():
    found = {name for question in QUESTIONS.values() for name in asked(question)}
    assert set(formulas()) - found == set()


def test_no_question_speaks_of_a_formula_that_there_is_not():
    assert {name for question in QUESTIONS.values() for name in asked(question)} <= set(formulas())


def test_the_stages_of_a_choice_are_those_of_the_formula():
    assert len(STAGES) == len(STATES) + 1


@pytest.mark.parametrize("what", PROMISED)
def test_a_wrong_thought_that_was_promised_has_its_row(what):
    assert set(PROMISED[what]) <= {*MISCONCEPTIONS, *(slip.id for slip in SLIPS)}


@pytest.mark.parametrize("question", [q for q in QUESTIONS.values() if q.kind not in CHOICE_KINDS], ids=lambda q: q.id)
def test_every_part_of_a_question_knows_two_wrong_thoughts(question):
    for part in range(len(pose(question, 0).posed.parts)):
        met = {r.misconception for seed in SEEDS for r in pose(question, seed).rivals(part) if r.misconception is not None}
        assert len(met) >= LEAST_RIVALS, (question.id, part, met)


def test_every_cell_is_asked_in_several_ways():
    for cell in CELLS:
        kinds = [question.kind for question in QUESTIONS.values() if question.cell == cell]
        assert len(set(kinds)) >= 5, (cell, set(kinds))
    assert {question.kind for question in QUESTIONS.values()} == set(KINDS)

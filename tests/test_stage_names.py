"""A ZeRO stage has the same label wherever one stands: in a plan, an account, a picture, an answer, beside a number."""

from __future__ import annotations

from fsdp_sym.algebra.vocabulary import STAGES, letter, z_min, z_win
from fsdp_sym.figures.picture import draw
from fsdp_sym.reasoning.planner.space import SHARDINGS
from fsdp_sym.scenarios.conventions import CONVENTIONS
from fsdp_sym.teaching.drills import choose


def test_every_place_takes_the_one_list_of_names():
    assert tuple(list(CONVENTIONS)[:4]) == STAGES
    assert {x.stage: x.name for x in SHARDINGS[:3]} == dict(enumerate(STAGES[:3]))
    assert tuple(row[0] for row in draw("stages_against_budget").table.rows) == STAGES
    assert letter(z_min).called == letter(z_win).called[:4] == STAGES
    assert [letter(z_min).named(stage) for stage in range(5)] == [*STAGES, ""]


def test_an_answer_may_name_the_first_one_as_everything_else_does():
    assert choose.STAGES[1:4] == STAGES[1:]
    assert dict(choose._STAGE_WORDS)[STAGES[0]] == choose.STAGES[0]

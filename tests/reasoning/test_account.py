"""A rank's account: its parts add up, agree with the arrays and formulas, and a phase holds what it should."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fsdp_sym.algebra.errors import FsdpSymError, OutOfRange, UnknownName
from fsdp_sym.reasoning.account import Step, account
from fsdp_sym.reasoning.catalogue import formula
from fsdp_sym.reasoning.ranks import rank_bytes
from fsdp_sym.reasoning.step import moments
from fsdp_sym.reasoning.work import evaluator
from fsdp_sym.scenarios.shapes import SHAPES

SEVEN = SHAPES["Llama-2-7B"]


def sizes(phase):
    return {part.name: part.size for part in phase.parts}


@pytest.mark.parametrize(("ranks", "rank"), [(1, 0), (8, 3), (1024, 0), (1024, 1023)])
def test_persistent_parts_are_what_the_arrays_say(ranks, rank):
    found = account(SEVEN, ranks, rank=rank)
    assert sum(part.size for part in found.persistent) == rank_bytes(SEVEN, ranks).allocated[rank]


def test_every_part_names_a_formula_or_an_optimizer():
    for phase in account(SEVEN, 8, Step(recompute="full")).phases:
        for part in phase.parts:
            assert part.formula.endswith(" optimizer") or formula(part.formula)
            assert part.size >= 0


def test_the_phases_hold_what_lives_in_them():
    """Measured lifetimes: 4P/N in the first forward pass, 12P/N in later ones, 16P/N and temporaries in the step."""
    share = SEVEN.parameters // 8
    first, _, step, later = (sizes(phase) for phase in account(SEVEN, 8).phases)
    states = ("sharded parameters", "sharded gradients", "momentum", "variance")
    assert sum(first.get(name, 0) for name in states) == 4 * share
    assert sum(later.get(name, 0) for name in states) == 12 * share
    assert sum(step.get(name, 0) for name in states) == 16 * share
    assert step["optimizer temporaries"] == 4 * share
    assert "optimizer temporaries" not in sizes(account(SEVEN, 8, Step(optimizer="fused")).phases[2])


def test_a_for_loop_holds_two_of_the_largest_tensor_beside_the_one_before():
    head, last_norm = 32000 * 4096 // 8 * 4, 4096 // 8 * 4
    assert sizes(account(SEVEN, 8, Step(optimizer="for-loop")).phases[2])["optimizer temporaries"] == 2 * head + last_norm


@pytest.mark.parametrize("step", [Step(), Step(batch=1, tokens=8, reshard=False), Step(batch=8, recompute="full"), Step(ahead=2)])
@pytest.mark.parametrize("shape", [SEVEN, SHAPES["GPT-2 small"], SHAPES["Qwen2.5-0.5B"]])
def test_every_phase_adds_up_by_its_formula(shape, step):
    step = replace(step, tokens=min(step.tokens, shape.positions or step.tokens))
    found = account(shape, 8, step)
    for phase in found.phases:
        adds_up = formula(phase.formula)
        assert phase.size == evaluator(adds_up)(*(phase.values.get(s.name, 0) for s in adds_up.letters))
    _, backward, update, later = (phase.size for phase in found.phases)
    assert found.peak.size == evaluator(formula("step_peak"))(later, backward, update)


def moment(named, **step):
    """One moment of a step of Llama-2-7B on 8 ranks."""
    every = moments(SEVEN, 8, 0, account(SEVEN, 8).persistent, Step(**step))
    return next(found for found in every if found.moment == named)


def test_full_recompute_keeps_inputs_and_one_block():
    whole, lean = (sizes(moment("block 32's feed-forward layer is turned back", recompute=r)) for r in ("none", "full"))
    hidden = 2048 * 4096 * 2
    assert lean["inputs of blocks"] == 32 * hidden
    assert whole["activations of blocks"] == 32 * (lean["activations of the block being recomputed"] + hidden)


@pytest.mark.parametrize(
    ("step", "named", "units"),
    [
        ({}, "the last block is gathered", 3),
        ({"ahead": 1}, "the last block is gathered", 3),
        ({"ahead": 2}, "the last 2 blocks are gathered", 4),
        ({"reshard": False}, "the last block is gathered", 34),
    ],
)
def test_units_are_gathered_ahead_or_stay(step, named, units):
    found = moment(named, **step)
    assert found.values["n_held"] == units
    assert found.values["S_unit"] == 202383360 * 2


def test_gradients_come_as_activations_go():
    first, second, last = (moment(f"block {n}'s feed-forward layer is turned back").values for n in (32, 31, 1))
    assert "M_g" not in first
    assert first["A_all"] > second["A_all"] > last["A_all"]
    assert last["M_g"] == 31 * second["M_g"] == 31 * 202383360 * 4 // 8


def test_headroom_is_what_the_budget_leaves():
    found = account(SEVEN, 8)
    assert found.headroom(found.peak.size) == 0
    assert found.headroom(found.peak.size, margin=1) == -1


def test_another_convention_keeps_a_master_copy():
    zero = {part.name: part.size for part in account(SEVEN, 8, convention="ZeRO-3").persistent}
    assert zero["master copy"] == zero["momentum"] == 2 * zero["sharded parameters"]


@pytest.mark.parametrize(
    ("make", "kind", "said"),
    [
        (lambda: account(SEVEN, 8, rank=8), OutOfRange, "numbered from 0 to 7"),
        (lambda: account(SEVEN, 8, convention="ZeRO-1"), FsdpSymError, "leaves buffers whole"),
        (lambda: account(SEVEN, 8, convention="FSDP3"), UnknownName, "did you mean FSDP2"),
        (lambda: account(SHAPES["Mixtral-8x7B"], 8), FsdpSymError, "has experts"),
        (lambda: Step(tokens=0), OutOfRange, "tokens is 0"),
        (lambda: Step(optimizer="flat"), UnknownName, "one of fused, foreach, for-loop"),
    ],
)
def test_requests_that_make_no_sense(make, kind, said):
    with pytest.raises(kind, match=said):
        make()


@pytest.mark.parametrize(
    ("shape", "asked", "said"),
    [
        ("Llama-2-7B", {"convention": "frozen"}, "frozen keeps no gradients"),
        ("GPT-2 small", {"step": Step(tokens=1025)}, "1024 positions, fewer than a sequence of 1025 tokens has"),
    ],
)
def test_what_has_no_step_is_refused_in_one_line(shape, asked, said):
    with pytest.raises(FsdpSymError, match=said) as refused:
        account(SHAPES[shape], 8, **asked)
    assert "\n" not in str(refused.value)

"""A rank's account: its parts add up, agree with the arrays and formulas, and a phase holds what it should."""

from __future__ import annotations

import pytest

from fsdp_sym.algebra.errors import FsdpSymError, OutOfRange, UnknownName
from fsdp_sym.reasoning.account import Step, account
from fsdp_sym.reasoning.catalogue import formula
from fsdp_sym.reasoning.ranks import rank_bytes
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
    assert sizes(account(SEVEN, 8, Step(optimizer="fused")).phases[2])["optimizer temporaries"] == 0


def test_a_for_loop_holds_two_of_the_largest_tensor():
    largest = 32000 * 4096 // 8 * 4
    assert sizes(account(SEVEN, 8, Step(optimizer="for-loop")).phases[2])["optimizer temporaries"] == 2 * largest


def test_the_peak_is_the_formula_of_the_peak():
    found = account(SEVEN, 8)
    backward, step = sizes(found.phases[1]), sizes(found.phases[2])
    at = {
        "M_w": backward["sharded parameters"], "M_g": backward["sharded gradients"],
        "M_o": backward["momentum"] + backward["variance"] + backward["step counters"], "M_tmp": step["optimizer temporaries"],
        "n_held": 1, "S_unit": backward["gathered units"], "S_ug": backward["unsharded gradients"], "S_red": backward["reduction buffer"],
        "A_all": backward["activations of all blocks"] + backward["logits and their copy"],
    }  # fmt: skip
    peak = formula("step_peak")
    assert found.peak.size == evaluator(peak)(*(at[s.name] for s in peak.letters))


def test_full_recompute_keeps_inputs_and_one_block():
    whole, lean = (sizes(account(SEVEN, 8, Step(recompute=r)).phases[0]) for r in ("none", "full"))
    assert lean["inputs of all blocks"] == 32 * 2048 * 4096 * 2
    assert lean["activations of the block being recomputed"] * 32 == whole["activations of all blocks"]


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

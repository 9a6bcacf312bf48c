"""Conventions: their parts, their sums, what stays as ranks are added, and the formula that adds them up."""

from __future__ import annotations

from fractions import Fraction

import pytest

from fsdp_sym.reasoning.catalogue import formula
from fsdp_sym.reasoning.work import evaluator, plain
from fsdp_sym.scenarios.conventions import CONVENTIONS
from fsdp_sym.scenarios.plans import WIDTHS

# name -> (bytes a parameter undivided, what stays as N grows), as papers and frameworks print them
PRINTED = {
    "data parallel": (16, 16), "ZeRO-1": (16, 4), "ZeRO-2": (16, 2), "ZeRO-3": (16, 0), "FSDP2": (16, 0), "FSDP2 bf16": (8, 0),
    "FSDP2 SGD": (8, 0), "FSDP2 SGD momentum": (12, 0), "FSDP2 amsgrad": (20, 0), "FSDP2 8-bit Adam": (10, 0), "8-byte Adam": (24, 0),
    "Megatron": (18, 18), "Megatron distributed optimizer": (18, 6), "Megatron fp16 distributed optimizer": (20, 4),
    "Megatron fp32 distributed optimizer": (16, 8), "DeepSpeed ZeRO-2": (20, 2), "DeepSpeed ZeRO-3": (18, 0), "frozen": (2, 0),
}  # fmt: skip


def test_every_convention_is_compared():
    assert set(PRINTED) == set(CONVENTIONS)


@pytest.mark.parametrize("convention", CONVENTIONS.values(), ids=list(CONVENTIONS))
def test_a_convention_adds_up_to_what_is_printed(convention):
    total, stays = PRINTED[convention.name]
    assert convention.total == total
    assert sum(w for s, w in convention.widths.items() if s not in convention.divided) == stays


@pytest.mark.parametrize("convention", CONVENTIONS.values(), ids=list(CONVENTIONS))
def test_its_formula_divides_what_it_says(convention):
    chosen = formula(convention.state)
    parameters, ranks = 8 * 10**9, 8
    letters = {"P": parameters, "N": ranks} | {s.name: int(plain(convention.plan.values[s].value)) for s in WIDTHS}
    found = evaluator(chosen)(*(letters[s.name] for s in chosen.letters))
    shared = sum(Fraction(w, ranks if s in convention.divided else 1) for s, w in convention.widths.items())
    assert found == parameters * shared


def test_one_sum_from_different_parts():
    zero, fsdp2 = CONVENTIONS["ZeRO-3"], CONVENTIONS["FSDP2"]
    assert zero.total == fsdp2.total == 16
    assert zero.widths != fsdp2.widths
    assert zero.said == "(2 (parameter) + 2 (gradient) + 4 (master copy) + 4 (momentum) + 4 (variance))/N"
    megatron = CONVENTIONS["Megatron distributed optimizer"].said
    assert megatron == "2 (parameter) + 4 (gradient) + (4 (master copy) + 4 (momentum) + 4 (variance))/N"

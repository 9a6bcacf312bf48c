"""All ranks of a world at once: measured totals, conservation, and the formulas rank by rank."""

from __future__ import annotations

import pytest

from fsdp_sym.algebra.errors import OutOfRange
from fsdp_sym.reasoning.catalogue import formula
from fsdp_sym.reasoning.ranks import STEP_COUNTER, rank_bytes
from fsdp_sym.reasoning.work import evaluator
from fsdp_sym.scenarios.shapes import SHAPES


def test_the_bytes_that_a_run_of_fsdp2_showed():
    """Llama-2-7B under FSDP2 with Adam, PyTorch 2.13.0: exact where every row divides, uneven at 1024 ranks."""
    shape = SHAPES["Llama-2-7B"]
    assert set(rank_bytes(shape, 8).logical) == {16 * shape.parameters // 8}
    assert set(rank_bytes(shape, 64).logical) == {1_684_603_904}
    uneven = rank_bytes(shape, 1024).logical
    assert (uneven[0], uneven[-1]) == (106_434_624, 56_102_976)


@pytest.mark.parametrize("name", ["GPT-2 small", "Llama-3-8B", "Gemma-2B", "Mixtral-8x7B"])
@pytest.mark.parametrize("ranks", [1, 3, 7, 64, 3000])
def test_the_ranks_share_the_model_and_nothing_is_lost(name, ranks):
    shape = SHAPES[name]
    found = rank_bytes(shape, ranks)
    assert len(found.logical) == len(found.allocated) == ranks
    assert found.logical.sum() == 16 * shape.parameters
    assert (found.allocated >= found.logical).all()
    assert (found.allocated[:1] == found.logical[:1] + STEP_COUNTER * shape.tensor_count).all()


@pytest.mark.parametrize("rank", [0, 5, 6])
def test_the_arrays_are_the_formula_rank_by_rank(rank):
    shape, tensor = SHAPES["Llama-3-8B"], formula("tensor_on_rank")
    allocated = evaluator(tensor)
    total = STEP_COUNTER * shape.tensor_count
    for t in shape.tensors:
        at = {"d_0": t.rows, "n_rest": t.rest, "N": 7, "n_rank": rank, "b_e": 8, "b_s": 8}
        total += t.alike * allocated(*(at[s.name] for s in tensor.letters))
    assert rank_bytes(shape, 7).allocated[rank] == total


def test_another_plan_keeps_other_bytes():
    shape = SHAPES["GPT-2 small"]
    assert rank_bytes(shape, 1, "pure bf16 Adam").logical[0] == 8 * shape.parameters
    assert rank_bytes(shape, 1, "fp32 SGD").logical[0] == 8 * shape.parameters
    assert rank_bytes(shape, 1, "fp32 AdamW with amsgrad").logical[0] == 20 * shape.parameters
    with pytest.raises(OutOfRange, match="give at least 1"):
        rank_bytes(shape, 0)

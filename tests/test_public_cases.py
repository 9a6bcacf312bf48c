"""Questions that people who do this job really asked, answered from the inputs alone; each fails under the convention it turns on."""

from __future__ import annotations

from fractions import Fraction

import pytest

from fsdp_sym import solve, splits, work
from fsdp_sym.algebra.errors import FsdpSymError
from fsdp_sym.algebra.units import show
from fsdp_sym.reasoning.account import account
from fsdp_sym.scenarios.conventions import CONVENTIONS
from fsdp_sym.scenarios.shapes import SHAPES

SEVEN = 6738415616
ZERO = {"b_w": 2, "b_g": 2, "b_c": 4, "b_m": 4, "b_v": 4, "b_x": 0}


def value(formula, **at):
    return int(work(at, formula).value.value)


def gib(formula, digits=4, **at):
    return show(work(at, formula).value, "GiB", digits).removeprefix("≈ ").removesuffix(" GiB")


def test_optimizer_state_of_6_7b_is_twelve_bytes_a_parameter():
    """Weights 13.4, gradients 13.4, optimizer 80.4 GB: not four times the two-byte weights, and not without the master copy."""
    whole = value("replicated_state", P="6.7e9", **ZERO)
    weights_and_gradients = value("replicated_state", P="6.7e9", **ZERO | {"b_c": 0, "b_m": 0, "b_v": 0})
    assert (weights_and_gradients, whole - weights_and_gradients) == (26_800_000_000, 80_400_000_000)
    assert gib("replicated_state", P="6.7e9", **ZERO) == "99.84"


def test_eighteen_bytes_and_what_stays():
    megatron = {"b_w": 2, "b_g": 4, "b_c": 4, "b_m": 4, "b_v": 4}
    assert CONVENTIONS["Megatron"].total == 18
    assert value("distributed_optimizer", P="7e9", N=8, **megatron) == 52_500_000_000
    assert value("distributed_optimizer", P="7e9", N="oo", **megatron) == 6 * 7 * 10**9
    assert value("sharded_state", P="7e9", N=8, **megatron, b_x=0) == 15_750_000_000
    assert value("sharded_state", P="7e9", N=8, **ZERO) == 14_000_000_000


def test_a_printed_29_01_gb_is_gib():
    at = {"P": "6805e6", "N": 4, "P_big": 131000000, "b_w": 2, "b_g": 4, "b_c": 4, "b_m": 4, "b_v": 4}
    assert gib("deepspeed_zero_3", **at) == "29.01"
    assert value("deepspeed_zero_3", **at) == 31_146_500_000
    assert gib("sharded_state", P="6805e6", N=4, **ZERO) == "25.35"


def test_memory_that_does_not_halve_follows_a_law():
    peaks = {"M_one": "33.06 GB", "M_two": "19.02 GB"}
    assert work(peaks, "peak_by_two", N=4).shown() == "12 GB"
    assert work(peaks, "peak_by_two", N=8).shown() == "8.49 GB"
    assert work(peaks, "peak_by_two", N="oo").shown() == "4.98 GB"
    assert work(peaks, "unshared_part").shown() == "4.98 GB"


def test_seven_billion_on_eight_32_gb_cards():
    """Persistent state says stage 2; the optimizer step, with fp32 gradient shards and two temporaries, says stage 3."""
    budget = "31.75 GiB"
    at = {"P": SEVEN, "N": 8, **ZERO}
    stages = ("replicated_state", "zero_1_state", "zero_2_state", "sharded_state")
    assert [gib(stage, **at) for stage in stages] == ["100.4", "34.52", "23.53", "12.55"]
    assert int(work(at, "stage_for_budget", M_max=budget).value.value) == 2
    temporary = value("foreach_temporaries", P=SEVEN, N=8, b_t=4)
    assert gib("foreach_temporaries", P=SEVEN, N=8, b_t=4) == "3.138"
    # What stage 2 keeps whole, then shards: master copy, moments, fp32 gradients; and two temporaries of the step.
    held = {"M_w": 2 * SEVEN, "M_g": 4 * SEVEN // 8, "M_o": 12 * SEVEN // 8, "M_tmp": 2 * temporary}
    assert gib("optimizer_step_peak", **held) == "31.38"
    assert gib("optimizer_step_peak", **held | {"M_tmp": temporary}) == "28.24"
    peak = value("optimizer_step_peak", **held)
    assert work({"M_peak": peak, "M_over": "0.5 GiB", "M_max": budget}, "peak_fits").value is False
    third = value("optimizer_step_peak", **held | {"M_w": 2 * SEVEN // 8})
    assert work({"M_peak": third, "M_over": "0.5 GiB", "M_max": budget}, "peak_fits").value is True


def test_what_388_mib_were():
    layer = SHAPES["Llama-2-7B"]
    block = sum(t.elements * t.alike for t in layer.tensors if t.group == "block") // layer.layers
    assert block == 202_383_360
    rounded = work({"S": 2 * block, "S_page": "2 MiB"}, "allocator_rounding")
    assert rounded.shown("MiB") == "388 MiB"
    assert gib("sharded_state", P=SEVEN, N=5, **ZERO) == "20.08"


def test_logits_of_32k_tokens():
    at = {"b": 1, "s": 32768, "v": 151936}
    assert gib("logit_activations", **at, b_a=2, b_f=4) == "27.82"
    only_fp32 = value("logit_activations", **at, b_a=2, b_f=4) - value("logit_activations", **at, b_a=1, b_f=1)
    assert only_fp32 == 32768 * 151936 * 4


def test_activation_coefficients_are_bytes_already():
    at = {"b": 1, "s": 2048, "d": 4096, "f": 16384, "a": 32, "b_a": 2, "b_k": 1}
    assert gib("block_activations", **at, digits=3) == "0.891"
    assert round(32 * value("block_activations", **at) / 2**30, 1) == 28.5
    assert value("full_recompute", b=1, s=2048, d=4096, b_a=2) * 32 == 2**29


def test_degrees_that_do_not_multiply_to_the_world_are_refused():
    with pytest.raises(FsdpSymError, match="divides"):
        _ = work({"G": 8, "N_p": 3, "N_t": 2}, "data_degree").value
    assert int(work({"G": 6, "N_p": 3, "N_t": 2}, "data_degree").value.value) == 1
    assert [len(splits(world)) for world in (6, 8, 64, 512)] == [9, 10, 28, 55]


def test_frozen_weights_have_neither_gradients_nor_states():
    frozen = dict.fromkeys(ZERO, 0) | {"b_w": 2}
    assert value("zero_2_state", P="33e9", N=8, **frozen) == 66 * 10**9
    assert value("sharded_state", P="33e9", N=8, **frozen) == 8_250_000_000


def test_buckets_are_counted_in_elements():
    mib = {n_el: value("bucket_bytes", n_el=n_el, n_buf=2, b_e=2) / 2**20 for n_el in ("5e8", "1e8", "1e7")}
    assert round(mib["5e8"] - value("bucket_bytes", n_el="5e8", n_buf=1, b_e=2) / 2**20, 1) == 953.7
    assert [round(x, 1) for x in (mib["5e8"], mib["5e8"] - mib["1e8"], mib["5e8"] - mib["1e7"])] == [1907.3, 1525.9, 1869.2]


def test_grouped_queries_and_tied_embeddings_are_counted_once():
    assert SHAPES["Llama-2-70B"].parameters == 68_976_648_192
    small = SHAPES["GPT-2 small"]
    head = small.words * small.hidden
    assert (small.parameters, head, small.parameters + head) == (124_439_808, 38_597_376, 163_037_184)


def test_ninety_six_rows_over_five_ranks_are_padded():
    assert value("shard_rows", d_0=96, N=5) == 20
    assert value("padding_rows", d_0=96, N=5) == 4
    assert value("rows_of_rank", d_0=96, N=5, n_rank=4) == 16


def test_hybrid_sharding_needs_more_not_less():
    full, hybrid = (Fraction(value("sharded_state", P=8 * 10**9, N=n, **ZERO)) for n in (8, 2))
    assert hybrid / full == 4


def test_one_rank_moves_nothing():
    assert value("all_gather", S="1 GB", N=1) == 0
    assert value("step_traffic", N=1, S_blk="1 GB", S_root="1 GB", S_g="1 GB", r=1, u_root=0, K_mb=1, u_sync=1) == 0


def test_two_explanations_of_one_number():
    """8B on two cards, 14.9 GiB at the start: an fp32 shard of four bytes halved, or a flattened bf16 copy: nothing tells them apart."""
    shard = value("sharded_state", P="8e9", N=2, **dict.fromkeys(ZERO, 0) | {"b_w": 4})
    copy = value("replicated_state", P="8e9", **dict.fromkeys(ZERO, 0) | {"b_w": 2})
    assert shard == copy == 16 * 10**9
    assert gib("replicated_state", 3, P="8e9", **dict.fromkeys(ZERO, 0) | {"b_w": 2}) == "14.9"


def test_sixteen_bytes_have_two_breakdowns():
    zero, fsdp2 = CONVENTIONS["ZeRO-3"], CONVENTIONS["FSDP2"]
    assert zero.total == fsdp2.total
    assert zero.said != fsdp2.said


def test_checkpoints_add_no_gathers():
    """Activation checkpointing inside a block leaves the collectives alone: the count has no letter for it."""
    at = {"L": 32, "K_mb": 1, "r": 1, "u_root": 0}
    assert value("gathers_in_step", **at) == 65
    assert not {s.name for s in work(at, "gathers_in_step").formula.letters} & {"k", "A", "c"}


def test_a_405b_rank_holds_what_its_rows_come_to():
    found = account(SHAPES["Llama-3-405B"], 16384, rank=16383)
    assert found.persistent[0].size > 0
    assert sum(p.size for p in found.persistent) < 16 * SHAPES["Llama-3-405B"].parameters // 16384 + 10**7


def test_the_smallest_group_that_fits_is_found_backwards():
    assert solve({"P": SEVEN, **ZERO}, "sharded_state", "N", at_most="24 GB").shown() == "5"

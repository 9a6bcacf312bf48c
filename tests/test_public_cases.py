"""Questions that people who do this job really asked, answered from the inputs alone; each fails under the convention it turns on."""

from __future__ import annotations

from fractions import Fraction

import pytest
from printed import Printed, holds, names_its_convention, rival_holds

from fsdp_sym import solve, splits, work
from fsdp_sym.algebra.errors import FsdpSymError
from fsdp_sym.algebra.units import show
from fsdp_sym.reasoning.account import Step, account
from fsdp_sym.scenarios.conventions import CONVENTIONS
from fsdp_sym.scenarios.shapes import SHAPES

SEVEN = 6738415616
EIGHTEEN = {"b_w": 2, "b_g": 4, "b_c": 4, "b_m": 4, "b_v": 4}
ZERO = {"b_w": 2, "b_g": 2, "b_c": 4, "b_m": 4, "b_v": 4, "b_x": 0}


def value(formula, **at):
    return int(work(at, formula).value.value)


def gib(formula, digits=4, **at):
    return show(work(at, formula).value, "GiB", digits).removeprefix("≈ ").removesuffix(" GiB")


def asked() -> list[Printed]:
    """Every case that comes down to numbers: its inputs, the right answer, and what a hasty reading makes of them."""
    zero, speed = ZERO, EIGHTEEN | {"P": "6805e6", "N": 4, "P_big": "131e6"}
    alone = dict.fromkeys(EIGHTEEN, 0)
    peaks = {"M_one": "33.06 GB", "M_two": "19.02 GB"}
    step = zero | {"b_g": 4, "P": SEVEN, "N": 8, "M_tmp": SEVEN, "M_over": "0.5 GiB", "M_max": "31.75 GiB"}
    logits = {"b": 1, "s": 32768, "v": 151936, "b_f": 4, "n_log": 1}
    block = {"b": 1, "s": 2048, "d": 4096, "f": 16384, "a": 32, "b_a": 2, "b_k": 1}
    layers = {"L": 32, "N_p": 1, "n_chk": 2, "K_mb": 1}
    mesh = {"R_rep": 1, "N_p": 1, "N_t": 1}
    frozen = dict.fromkeys(ZERO, 0) | {"b_w": 2, "P": "33e9", "N": 8}
    grouped = {s.name: x for s, x in SHAPES["Llama-2-70B"].letters().items()}
    tied = {s.name: x for s, x in SHAPES["GPT-2 small"].letters().items()}
    rows = {"d_0": 96, "N": 5, "n_rank": 4}
    momentum = dict.fromkeys(ZERO, 0) | {"b_w": 4, "b_g": 4, "b_m": 4, "P": "1370e6"}
    script = {"N_d": 8, "N_p": 2, "N_t": 4, "B": "2 B/param", "P_split": "70e9", "P_whole": 0}
    return [
        Printed("D1 optimizer state", "buffer_shard", {"P": "6.7e9", "N": 1, "b_buf": 12}, "80.4 GB", "one fp32 copy", {"b_buf": 4}, says="one buffer"),
        Printed("D1 optimizer state, without the master copy", "buffer_shard", {"P": "6.7e9", "N": 1, "b_buf": 12}, "80.4 GB", "moments alone", {"b_buf": 8}),
        Printed("D1 in all", "replicated_state", zero | {"P": "6.7e9"}, "107.2 GB", "no master copy", {"b_c": 0}, says="fp32 master copy"),
        Printed("D1 in GiB", "replicated_state", zero | {"P": "6.7e9"}, "99.84 GiB", "4 bytes of state", {"b_m": 0, "b_v": 0}, digits=4),
        Printed("D2 distributed", "distributed_optimizer", EIGHTEEN | {"P": "7e9", "N": 8}, "52.5 GB", "all is divided", {"b_x": 0}, "sharded_state", says="leaves parameters and gradients whole"),
        Printed("D2 for ever more ranks", "distributed_optimizer", EIGHTEEN | {"P": "7e9", "N": "oo"}, "42 GB", "half-precision gradients", {"b_g": 2}, says="six stay"),
        Printed("D2 sharded at 18", "sharded_state", EIGHTEEN | {"P": "7e9", "N": 8, "b_x": 0}, "15.75 GB", "at 16", {"b_g": 2}),
        Printed("D3 the estimate", "deepspeed_zero_3", speed, "29.01 GiB", "16 P / N", zero, "sharded_state", digits=4, says="prints GiB and calls them GB"),
        Printed("D3 the estimate is no GB", "deepspeed_zero_3", speed, "31.15 GB", "16 P / N", zero, "sharded_state", digits=4),
        Printed("D3 parameters and a layer", "deepspeed_zero_3", speed | alone | {"b_w": 2}, "3.66 GiB", "a gradient of four bytes", {"b_g": 4}, digits=3),
        Printed("D3 a layer", "buffer_shard", {"P": "131e6", "N": 1, "b_buf": 4}, "0.49 GiB", "divided", {"N": 4}, digits=2),
        *(
            Printed(f"D3 host, {gib}", "deepspeed_host", {"x_host": "1.5", "P": P, "B": f"{B} B/param"}, f"{gib} GiB", "no factor", {"x_host": 1}, digits=digits, says="half as much again")
            for P, B, gib, digits in (("6805e6", 18, "171.1", 4), ("6805e6", 16, "152.1", 4), ("524e6", 4, "2.93", 3))
        ),
        Printed("D4 four ranks", "peak_by_two", peaks | {"N": 4}, "12 GB", "all of it divides", {"P": "33060e6", "b_buf": 1}, "buffer_shard", says="the unshared part, and an N-th of the rest"),
        Printed("D4 eight ranks", "peak_by_two", peaks | {"N": 8}, "8.49 GB", "all of it divides", {"P": "33060e6", "b_buf": 1}, "buffer_shard"),
        Printed("D4 what stays", "unshared_part", peaks, "4.98 GB", "nothing", {"M_two": "16.53 GB"}),
        Printed("D5 the stage that runs", "stage_for_step", step, "3", "the state decides", zero, "stage_for_budget", says="not when its state does"),
        Printed("D5 stage two with a fused optimizer", "stage_for_step", step | {"M_tmp": 0}, "2", "the temporaries of another", {"M_tmp": SEVEN}),
        Printed("D6 the layer, rounded", "allocator_rounding", {"S": 404766720, "S_page": "2 MiB"}, "388 MiB", "divided", {"S": 404766720 // 5}, says="rounds up to a multiple"),
        Printed("D6 the state of five", "sharded_state", zero | {"P": SEVEN, "N": 5}, "20.08 GiB", "eight ranks", {"N": 8}, digits=4),
        Printed("D7 the cast", "loss_activations", logits, "18.55 GiB", "the hidden size", {"v": 4096}, digits=4, says="as large as the logits"),
        Printed("D7 the cast, divided", "loss_activations", logits, "18.55 GiB", "the ranks share it", {"s": 32768 // 8}, digits=4),
        Printed("D7 32,000 tokens", "loss_activations", logits | {"s": 32000}, "18.11 GiB", "bf16", {"b_f": 2}, digits=4),
        Printed("D7 beside it", "loss_activations", logits | {"b_f": 2}, "9.27 GiB", "fp32", {"b_f": 4}, digits=3),
        Printed("D8 a layer", "block_activations", block, "0.891 GiB", "times four bytes", {"b_a": 8, "b_k": 4}, digits=3, says="bytes"),
        Printed("D8 all layers", "first_stage_activations", layers | {"A": value("block_activations", **block)}, "28.5 GiB", "one layer", {"L": 1}, digits=3),
        Printed("D8 without scores", "first_stage_activations", layers | {"A": 34 * 2048 * 4096}, "8.5 GiB", "with them", {"A": value("block_activations", **block)}),
        Printed("D8 recomputed", "first_stage_activations", layers | {"A": value("full_recompute", b=1, s=2048, d=4096, b_a=2)}, "0.5 GiB", "nothing recomputed", {"A": 34 * 2048 * 4096}),
        Printed("D12 a mesh of 8 x 8", "mesh_size", mesh | {"N_d": 8, "N_c": 8}, "64", "the context degree is no factor", {"N_c": 1}, says="context"),
        Printed("D12 sp 2, pp 3 of 6", "data_degree", {"G": 6, "N_p": 3, "N_t": 2}, "1", "of 12", {"G": 12}),
        Printed("R1 stage 2", "zero_2_state", frozen, "61.5 GiB", "sixteen bytes", zero, digits=3, says="ZeRO-2"),
        Printed("R1 stage 3", "sharded_state", frozen, "7.68 GiB", "sixteen bytes", zero, digits=3, says="shard"),
        *(
            Printed(f"R3 {mib} MiB", "bucket_bytes", {"n_el": n_el, "n_buf": n_buf, "b_e": 2}, f"{mib} MiB", "bytes, not elements", {"b_e": 1}, digits=digits, says="counted in elements")
            for n_el, n_buf, mib, digits in (("5e8", 1, "953.7", 4), ("5e8", 2, "1907.3", 5), ("4e8", 2, "1525.9", 5), ("4.9e8", 2, "1869.2", 5))
        ),
        Printed("R5 grouped queries", "model_parameters", grouped, "68976648192", "as many keys as queries", {"a_kv": 64}, says="heads of keys and values"),
        Printed("R5 the count that groups nothing", "model_parameters", grouped | {"a_kv": 64}, "78371889152", "grouped", {"a_kv": 8}),
        Printed("R7 tied", "model_parameters", tied, "124439808", "counted twice", {"u_tied": 0}, says="head reuses the embedding"),
        Printed("R12 a shard", "shard_rows", rows, "20", "rounded down", {"d_0": 95}, says="row"),
        Printed("R12 padding", "padding_rows", rows, "4", "none", {"N": 6}),
        Printed("R12 the last rank", "rows_of_rank", rows, "16", "an even share", {"n_rank": 3}),
        Printed("R13 a shard group of 2", "sharded_state", zero | {"P": "8e9", "N": 2}, "64 GB", "the world", {"N": 8}, says="shard group"),
        Printed("R14 a mesh of one shard", "all_gather", {"S": "1 GB", "N": 1}, "0 B", "replicas count", {"N": 4}, says="but its own"),
        Printed("R15 an fp32 shard", "buffer_shard", {"P": "8e9", "N": 2, "b_buf": 4}, "14.9 GiB", "sixteen bytes", {"b_buf": 16}, digits=3),
        Printed("R15 a flattened bf16 copy", "buffer_shard", {"P": "8e9", "N": 1, "b_buf": 2}, "14.9 GiB", "shared", {"N": 2}, digits=3),
        Printed("R16 alone, after the step", "replicated_state", momentum, "16440 MB", "Adam", {"b_v": 4}, digits=4),
        *(
            Printed(f"R16 two ranks, {mb} MB", "buffer_shard", {"P": "1370e6", "N": 2, "b_buf": width}, f"{mb} MB", "not shared", {"N": 1}, digits=3)
            for width, mb in ((4, 2739), (8, 5478), (12, 8217))
        ),
        Printed("R17 what stage 1 saves of SGD with momentum", "buffer_shard", {"P": "500e6", "N": 1, "b_buf": 4}, "2 GB", "as much as of Adam", {"b_buf": 12}),
        Printed("R17 and what two buckets cost", "bucket_bytes", {"n_el": "5e8", "n_buf": 2, "b_e": 2}, "2 GB", "one", {"n_buf": 1}),
        Printed("R23 parameters of a GPU of 64", "replicated_over_tensor", script, "2.1875 GB", "by TP·PP, and by all GPUs again", {"N_d": 64}),
    ]  # fmt: skip


ASKED = asked()
EACH = pytest.mark.parametrize("row", ASKED, ids=[row.what for row in ASKED])


@EACH
def test_the_inputs_alone_give_the_answer(row):
    assert holds(row)
    assert names_its_convention(row)


@EACH
def test_a_hasty_reading_gives_another(row):
    assert not rival_holds(row), row.thought


def test_the_record_of_cases_is_whole():
    """Cases with a number, and those that are sentences or refusals below; D9 to D11 are times, which the formulas do not predict."""
    met = {row.what.partition(" ")[0] for row in ASKED}
    assert {f"D{n}" for n in (1, 2, 3, 4, 5, 6, 7, 8, 12)} | {f"R{n}" for n in (1, 3, 5, 7, 12, 13, 14, 15, 16, 17, 23)} == met


def test_momentum_alone_is_not_worth_the_buckets():
    """SGD with momentum keeps a third of Adam's state: sharded over any number of ranks it never saves what two buckets of 5e8 take."""
    buckets = value("bucket_bytes", n_el="5e8", n_buf=2, b_e=2)
    saved = {w: value("replicated_state", P="500e6", **ZERO | {"b_c": 0, "b_m": w, "b_v": 0}) - value("zero_1_state", P="500e6", N=8, **ZERO | {"b_c": 0, "b_m": w, "b_v": 0}) for w in (4, 12)}
    assert saved[4] < buckets < saved[12]


def test_a_buffer_as_large_as_the_model_explains_what_sharding_does_not():
    """After a backward pass of two ranks 11,190 MB were seen where shards of 8 bytes a parameter are 5,480: one whole gradient more."""
    shards, whole = (value("buffer_shard", P="1370e6", **at) for at in ({"N": 2, "b_buf": 8}, {"N": 1, "b_buf": 4}))
    assert abs((shards + whole) / 11_190e6 - 1) < 0.03
    assert shards / 11_190e6 < 0.5


def test_a_second_unit_ahead_only_on_request():
    """A block, its gather buffer and the next block; one more only where it is asked for."""
    held = {n: account(SHAPES["Llama-2-7B"], 8, Step(recompute="full", ahead=n)).phases[0].values["n_held"] for n in (0, 1, 2)}
    assert held == {0: 3, 1: 3, 2: 4}


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

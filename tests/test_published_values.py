"""Values that papers, frameworks and handbooks print, each given again by its formula, and refused where it is read by another convention."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import pytest
from printed import Printed, holds, letters, rival_holds

from fsdp_sym.scenarios.conventions import CONVENTIONS
from fsdp_sym.scenarios.shapes import SHAPES

ZERO = {"b_w": 2, "b_g": 2, "b_c": 4, "b_m": 4, "b_v": 4, "b_x": 0}
STAGES = ("replicated_state", "zero_1_state", "zero_2_state", "sharded_state")
# Parameters, ranks and, for each stage, GB a rank.
MODEL_STATE = (
    ("7.5e9", 64, ("120", "31.40625", "16.640625", "1.875")),
    ("7.5e9", 4, ("120", "52.5", "41.25", "30")),
    ("7.5e9", 1024, ("120", "30.087890625", "15.1025390625", "0.1171875")),
    ("128e9", 16, ("2048", "608", "368", "128")),
    ("1e12", 64, ("16000", "4187.5", "2218.75", "250")),
)
ROUNDED = (("zero_1_state", "31.4"), ("zero_2_state", "16.6"), ("sharded_state", "1.9"))


def model_state() -> list[Printed]:
    rows = [
        Printed(f"model state, {P} on {N}", stage, ZERO | {"P": P} | ({} if stage == STAGES[0] else {"N": N}), f"{value} GB", "no master copy", {"b_c": 0}, even=N == 1024)
        for P, N, values in MODEL_STATE
        for stage, value in zip(STAGES, values, strict=True)
    ]  # fmt: skip
    rows += [
        Printed("model state, as the paper rounds it", stage, ZERO | {"P": "7.5e9", "N": 64}, f"{value} GB", "GB for GiB", {"P": 7500000000 * 10**9 // 2**30}, digits=len(value) - 1)
        for stage, value in ROUNDED
    ]  # fmt: skip
    rows += [
        Printed(f"limits of the saving, stage {stage}", f"zero_{stage}_saving", ZERO | {"P": "7.5e9", "N": "oo"}, limit, "no master copy", {"b_c": 0})
        for stage, limit in ((1, "4"), (2, "8"))
    ]  # fmt: skip
    return [
        *rows, Printed("limits of the saving, stage 3", "zero_3_saving", ZERO | {"P": "7.5e9", "N": 64}, "64", "the world, not the shard group", {"N": 512})
    ]  # fmt: skip


def volumes() -> list[Printed]:
    """Whole numbers of one-byte elements, so that bytes are elements."""
    P, N = 64 * 10**6, 64
    once = P * (N - 1) // N
    step = {"N": N, "S_blk": P, "S_root": 0, "S_g": P, "u_root": 0, "K_mb": 1, "u_sync": 1}
    hybrid = {"N": 8, "S_g": P, "R_rep": 4}
    small = {"N": N, "S_blk": P, "S_root": 0, "n_grp": 8}
    return [
        Printed("volume, plain data parallel", "all_reduce", {"S": P, "N": N}, f"{2 * once} B", "one way round alone", {}, "all_gather"),
        Printed("volume, stages 1 and 2 of the paper", "zero_2_traffic", {"S": P, "N": N}, f"{2 * once} B", "all-reduced first", {}, "zero_1_broadcast_traffic"),
        Printed("volume, stage 1 that all-reduces first", "zero_1_broadcast_traffic", {"S": P, "N": N}, f"{3 * once} B", "the paper's", {}, "zero_2_traffic"),
        *(
            Printed(f"volume, stage 3, N = {n}", "layer_traffic", {"S": 1024 * 10**6, "N": n, "r": 1}, f"{Fraction(x) * 1024 * 10**6} B", "three whole tensors", {"N": "oo"})
            for n, x in ((2, "1.5"), (8, "2.625"), (64, "2.953125"), (1024, "2.9970703125"))
        ),
        Printed("FSDP traffic, resharding", "step_traffic", step | {"r": 1}, f"{3 * once} B", "gathered once", {"r": 0}),
        Printed("FSDP traffic, not resharding", "step_traffic", step | {"r": 0}, f"{2 * once} B", "gathered again", {"r": 1}),
        Printed("FSDP traffic, to a group of 8", "resharded_to_group", small, f"{2 * once + P * 7 // 8} B", "to all ranks", {"n_grp": N}),
        Printed("the root group is gathered once", "gathered_in_step", {"N": N, "S_blk": P, "S_root": P, "r": 1, "u_root": 0, "K_mb": 1}, f"{3 * once} B", "like a block", {"u_root": 1}),
        Printed("hybrid sharding's all-reduce", "replica_all_reduce", hybrid, f"{2 * P // 8 * 3 // 4} B", "of the whole, not of a shard", {"S": P, "N": 4}, "all_reduce"),
        Printed("gathers of g micro-batches", "gathered_in_step", {"N": N, "S_blk": P, "S_root": 0, "r": 1, "u_root": 0, "K_mb": 4}, f"{8 * once} B", "once a step", {"K_mb": 1}),
        Printed("scatters of g micro-batches", "reduced_in_step", {"N": N, "S_g": P, "K_mb": 4, "u_sync": 1}, f"{4 * once} B", "deferred", {"u_sync": 0}),
        Printed("scatters, deferred", "reduced_in_step", {"N": N, "S_g": P, "K_mb": 4, "u_sync": 0}, f"{once} B", "every time", {"u_sync": 1}),
    ]  # fmt: skip


RING = {"S": "100 MB", "N": 16, "W": "100 GB/s", "T_lat": "0.01 ms"}


def collectives() -> list[Printed]:
    """The factors of bus bandwidth: bytes a rank receives of a buffer of 800."""
    at = {"S": 800, "N": 8}
    return [
        Printed("factor of an all-reduce", "all_reduce", at, "1400 B", "the limit", {"N": "oo"}),
        Printed("factor of an all-gather", "all_gather", at, "700 B", "an all-reduce's", {}, "all_reduce"),
        Printed("factor of a reduce-scatter", "reduce_scatter", at, "700 B", "an all-reduce's", {}, "all_reduce"),
        Printed("factor of an all-to-all", "expert_all_to_all", at | {"x_hot": 1}, "700 B", "its own share counted", {"N": "oo"}),
        # Every owner's shard of 100 bytes arrives whole: factor 1 each.
        Printed("factor of a broadcast", "broadcast_shards", at, "700 B", "an all-reduce's", {}, "all_reduce"),
        Printed(
            "time of an all-gather over 8 devices", "all_gather_time", {"S": 4096 * 65536 * 2, "N": 8, "R_bit": "3600 Gbps", "n_bit": 8},
            "1.04392 ms", "the whole tensor", {"N": "oo"}, digits=6,
        ),
        Printed("ring all-reduce on 16", "ring_all_reduce_time", RING, "2.175 ms", "no latency", {"T_lat": "1e-12 s"}),
        Printed("ring all-gather on 16", "ring_all_gather_time", RING, "1.0875 ms", "an all-reduce's", {}, "ring_all_reduce_time"),
        Printed("ring reduce-scatter on 16", "ring_reduce_scatter_time", RING, "1.0875 ms", "an all-reduce's", {}, "ring_all_reduce_time"),
        Printed("all-to-all on 16, by its factor", "all_to_all_time", RING, "1.0875 ms", "an all-reduce's", {}, "ring_all_reduce_time"),
        Printed("20 GB/s of algorithm bandwidth", "bus_bandwidth", {"S": "20 GB", "N": 8, "T_comm": "1 s"}, "35 GB/s", "a factor of 2", {"N": "oo"}),
        Printed(
            "all-reduce measured on 8 A100", "bus_bandwidth", {"S": 17179869184, "N": 8, "T_comm": "127997e-6 s"},
            "234.9 GB/s", "a factor of 2", {"N": "oo"}, digits=4,
        ),
        Printed(
            "bucket for 90 %", "bucket_for_efficiency", {"T_lat": "0.1 ms", "W": "12.5 GB/s", "x_lat": "1/10"},
            "11.25 MB", "efficiency for latency", {"x_lat": "9/10"},
        ),
        Printed("overlap at twice the communication", "step_without_overlap", {"T_comp": "1 s", "T_comm": "2 s"}, "3 s", "the longer alone", {"T_comp": "1e-9 s"}),
    ]  # fmt: skip


def megatron() -> list[Printed]:
    at = {"P": "1e9", "N": 12, "b_w": 2, "b_g": 4, "b_c": 4, "b_m": 4, "b_v": 4}
    half, single = at | {"b_g": 2, "b_x": 4}, at | {"b_w": 4, "b_g": 4, "b_c": 0, "b_x": 0}
    mixture = at | {"P": "1e9", "P_exp": "1e9", "N": 12, "N_e": 4}
    return [
        Printed("distributed optimizer, bf16: 6 + 12/d", "distributed_optimizer", at, "7 GB", "everything divided", {"b_x": 0}, "sharded_state"),
        Printed("its limit is 6", "distributed_optimizer", at | {"N": "oo"}, "6 GB", "half-precision gradients", {"b_g": 2}),
        # The four bytes of the fp32 gradient that fp16 keeps beside its own are divided: here they stand as the other state.
        Printed("distributed optimizer, fp16: 4 + 16/d", "zero_1_state", half | {"N": 16}, "5 GB", "bf16's", {"b_g": 4, "b_x": 0}),
        Printed("its limit is 4", "zero_1_state", half | {"N": "oo"}, "4 GB", "bf16's", {"b_g": 4, "b_x": 0}),
        Printed("distributed optimizer, fp32: 8 + 8/d", "zero_1_state", single | {"N": 8}, "9 GB", "a master copy beside it", {"b_c": 4}),
        Printed("its limit is 8", "zero_1_state", single | {"N": "oo"}, "8 GB", "two-byte parameters", {"b_w": 2}),
        Printed("experts divide by d/EP", "mixture_optimizer", mixture, "17 GB", "by d", {"N_e": 1}),
    ]  # fmt: skip


def totals() -> list[Printed]:
    """Undivided state by convention, part by part."""
    adam, both = ({s.name: w for s, w in CONVENTIONS[name].widths.items()} for name in ("ZeRO-3", "DeepSpeed ZeRO-2"))
    rows = [("7e9", adam, "112"), ("7e9", both, "140"), ("405e9", adam, "6480"), ("405e9", both, "8100"), ("70e9", adam, "1120")]
    found = [Printed(f"{P} at {sum(widths.values())} B", "replicated_state", {"P": P, "b_x": 0} | widths, f"{gb} GB", "GiB", {"b_v": 3}) for P, widths, gb in rows]
    for name, gone, gb in (("SGD with momentum", ("b_v",), "840"), ("SGD", ("b_v", "b_m"), "560")):
        at = {"P": "70e9", "b_x": 0} | adam | dict.fromkeys(gone, 0)
        found.append(Printed(f"70B with {name}", "replicated_state", at, f"{gb} GB", "Adam's states", {"b_v": 4, "b_m": 4}))
    return found


GPT3 = {"b": 1, "s": 2048, "d": 12288, "f": 49152, "a": 96, "b_a": 2, "b_k": 1, "b_n": 0, "N_t": 8}
B22 = GPT3 | {"b": 4, "d": 6144, "f": 24576, "a": 64}
RECOMPUTED = ("tensor_parallel_activations", "sequence_parallel_activations", "tensor_selective", "sequence_selective", "full_recompute")


def activations() -> list[Printed]:
    rows = [
        Printed(f"{name} a layer, {formula}", formula, _letters(shape, formula), f"{mib} MiB", "four bytes an element", {"b_a": 4})
        for name, shape, sizes in (("GPT-3", GPT3, (552, 342, 312, 102, 48)), ("22B", B22, (1264, 844, 624, 204, 96)))
        for formula, mib in zip(RECOMPUTED, sizes, strict=True)
    ]
    rows += [
        Printed(f"first stage, {name}, {mib} MiB a layer", "first_stage_activations", {"A": f"{mib} MiB", "K_mb": 64} | at, f"{gib} GiB", "no interleaving", {"A": f"{mib // 2} MiB"})
        for name, at, pairs in (
            ("175B", {"L": 96, "N_p": 8, "n_chk": 3}, ((552, "66.84375"), (102, "12.3515625"))),
            ("22B", {"L": 48, "N_p": 1, "n_chk": 2}, ((1264, "59.25"), (204, "9.5625"))),
        )
        for mib, gib in pairs
    ]  # fmt: skip
    few = {"A": "552 MiB", "L": 96, "N_p": 8, "n_chk": 3, "K_mb": 8}
    seven = {"b": 1, "s": 2048, "d": 4096, "f": 16384, "a": 32, "b_a": 2, "b_k": 1}
    dtensor = 342 * 2**20 + 4 * 2048 * 12288 * 7 // 8
    interval = {"L": 80, "c": "67 MB", "A": "1 GB"}
    return [
        *rows,
        # 96 layers at GPT-3's width, 32 tokens: a text has 24 GB of it.
        Printed("activations of 32 tokens", "all_activations", {"L": 96, "b": 32, "s": 1, "d": 12288, "b_a": 2}, "75.5 MB", "a sequence of 320", {"s": 320}, digits=3),
        Printed("the interleave penalty, 175B", "first_stage_activations", few | {"K_mb": 64}, "66.84375 GiB", "none", {"n_chk": 10**6}),
        Printed("no penalty where micro-batches are few", "first_stage_activations", few, "51.75 GiB", "always", {"K_mb": 64}),
        Printed("without sharing, GPT-3", "block_activations", _letters(GPT3, "block_activations"), "2736 MiB", "a share of it", {"b_n": 0, "N_t": 8}, "sequence_parallel_activations"),
        Printed("5as/h = 80 for GPT-3", "score_activations", _letters(GPT3, "score_activations"), f"{80 * 2048 * 12288} B", "no mask", {"s": 1024}),
        Printed("LLaMA-7B's shape, a layer", "block_activations", seven, f"{Fraction('30.6016') / 32} GB", "four bytes an element", {"b_a": 4}, digits=4),
        Printed("recomputed under sequence parallelism, 2sbh/t", "sequence_recompute", _letters(GPT3, "sequence_recompute"), "6 MiB", "whole on every rank", {}, "full_recompute"),
        Printed("selective under sequence parallelism, 34/t", "sequence_selective", GPT3, "102 MiB", "gathered inputs stay", {}, "dtensor_activations"),
        Printed("DTensor keeps gathered outputs, 34/t + 4(1 - 1/t)", "dtensor_activations", GPT3, f"{dtensor} B", "Megatron's", {}, "sequence_parallel_activations"),
        Printed("and moves 2 gathers and 2 scatters each way", "sequence_parallel_pairs", {"L": 1}, "4", "gathered again: 4 + 2", {"L": 2}),
        Printed("the interval's optimum is not √L", "best_interval", interval, "2.32", "a checkpoint as dear as a layer", {"c": "1 GB"}, digits=3),
        Printed("80 layers, k = 2", "recompute_peak", interval | {"k": 2}, "4.68 GB", "k = √L", {"k": 9}),
        Printed("80 layers, k = 9", "recompute_peak", interval | {"k": 9}, "9.6 GB", "k = 2", {"k": 2}, digits=2, even=True),
    ]  # fmt: skip


def _letters(shape: Mapping[str, object], formula: str) -> dict[str, object]:
    return {name: shape[name] for name in letters(formula)}


def counts() -> list[Printed]:
    """Published parameter counts; a wrong convention unties what is tied, or groups nothing."""
    published = {
        "Llama-2-7B": 6738415616, "Llama-2-13B": 13015864320, "Llama-3-8B": 8030261248, "Llama-3-405B": 405853388800, "GPT-2 small": 124439808,
        "Llama-2-70B": 68976648192,
    }  # fmt: skip
    rows = []
    for name, count in published.items():
        at = {s.name: value for s, value in SHAPES[name].letters().items()}
        rows.append(Printed(f"parameters of {name}", "model_parameters", at, f"{count}", "tied or not", {"u_tied": 1 - at["u_tied"]}))
    for layers, hidden, count in ((48, 6144, 22074261504), (96, 12288, 174615822336)):
        at = {"L": layers, "d": hidden, "v": 51200, "n_pos": 2048}
        rows.append(Printed(f"Megatron's closed form, h = {hidden}", "gpt_parameters", at, f"{count}", "no positions", {"n_pos": 0}))
    return rows


def meshes() -> list[Printed]:
    return [
        *(
            Printed(f"405B on {total}", "mesh_size", {"R_rep": 1, "N_t": 8, "N_c": c, "N_p": 16, "N_d": d}, f"{total}", "no context degree", {"N_c": 3})
            for c, d, total in ((1, 64, 8192), (1, 128, 16384), (16, 8, 16384))
        ),
        Printed("FSDP shards over data and context", "mesh_shard_group", {"N_d": 8, "N_c": 16}, "128", "data alone", {"N_c": 1}),
        Printed("1000 rows over 64", "shard_rows", {"d_0": 1000, "N": 64}, "16", "rounded down", {"d_0": 960}),
        Printed("padded to 1024", "padded_bytes", {"d_0": 1000, "n_rest": 1, "N": 64, "b_e": 1}, "1024 B", "not padded", {"d_0": 960}),
        Printed("63 ranks hold rows", "empty_ranks", {"d_0": 1000, "N": 64}, "1", "all of them", {"d_0": 1024}),
    ]  # fmt: skip


def pipelines() -> list[Printed]:
    plain = {"N_p": 8, "K_mb": 32, "t_f": "1 s", "t_b": "2 s"}
    chunks = plain | {"n_chk": 4}
    llama = {"G": 16384, "N_t": 8, "N_c": 1, "N_p": 16}
    return [
        Printed("bubble of the ideal time", "bubble_over_ideal", plain, "0.21875", "of the total", {}, "bubble_over_total"),
        Printed("bubble of the total time", "bubble_over_total", plain, "0.17949", "of the ideal time", {}, "bubble_over_ideal", digits=5),
        Printed("interleaved, of the ideal time", "interleaved_bubble_over_ideal", chunks, "0.0546875", "of the total", {}, "interleaved_bubble_over_total"),
        Printed("interleaved, of the total time", "interleaved_bubble_over_total", chunks, "0.0518519", "of the ideal time", {}, "interleaved_bubble_over_ideal", digits=6),
        Printed("27.3 % becomes 15.8 %", "interleaved_bubble_over_total", {"N_p": 4, "K_mb": 8, "n_chk": 2}, "0.158", "of the ideal time", {}, "interleaved_bubble_over_ideal", digits=3),
        Printed("37.5 % becomes 18.75 %", "interleaved_bubble_over_ideal", {"N_p": 4, "K_mb": 8, "n_chk": 2}, "0.1875", "of the total", {}, "interleaved_bubble_over_total"),
        Printed("chunks in flight, vp + p - 1", "chunks_in_flight", {"N_p": 8, "K_mb": 64, "n_chk": 3}, "31", "one round alone", {"K_mb": 8}),
        Printed("chunks in flight, mv where m is p", "chunks_in_flight", {"N_p": 8, "K_mb": 8, "n_chk": 3}, "24", "two rounds", {"K_mb": 16}),
        *(
            Printed(f"405B's data degree of {degree}", "mesh_data_degree", llama | at, degree, "another context degree", {"N_c": 2})
            for at, degree in (({"G": 8192}, "64"), ({}, "128"), ({"N_c": 16}, "8"))
        ),
        Printed("405B's fullest stage", "layers_with_ends", {"L": 126, "N_p": 16}, "8", "half the stages", {"N_p": 8}),
    ]  # fmt: skip


ROWS = [*model_state(), *volumes(), *collectives(), *megatron(), *totals(), *activations(), *counts(), *meshes(), *pipelines()]


ALL = pytest.mark.parametrize("row", ROWS, ids=[row.what for row in ROWS])


@ALL
def test_a_printed_value_is_what_its_formula_gives(row):
    assert holds(row)


@ALL
def test_another_convention_gives_something_else(row):
    assert not rival_holds(row), row.thought

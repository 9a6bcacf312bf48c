"""Persistent bytes under FSDP2, measured on ranks of a fake process group: state, shards that do not divide, lifetimes."""

from __future__ import annotations

from typing import Final

from .form import Record, measured

_HOW: Final = "fully_shard on the meta device, local tensors added up after one step of Adam"
_LIVES: Final = "fully_shard, live storages added up between the phases of two steps"
_ADAM: Final = {"b_w": 4, "b_g": 4, "b_c": 0, "b_m": 4, "b_v": 4, "b_x": 0}
_SEVEN: Final = {"L": 32, "d": 4096, "f": 11008, "a": 32, "a_kv": 32, "v": 32000, "d_h": 128}
_SEVENTY: Final = {"L": 80, "d": 8192, "f": 28672, "a": 64, "a_kv": 8, "v": 32000, "d_h": 128}


def _rank(name: str, shape: dict[str, int], ranks: int, rank: int) -> Record:
    at = {**shape, "N": ranks, "n_rank": rank, "b_e": 8, "b_s": 8}
    id = f"{name.lower()}-{ranks}-ranks" + (f"-rank-{rank}" if rank else "")
    return measured(id, "model_on_rank", at, f"{name}, rank {rank} of {ranks}", "persistent", _HOW)


def _rate(id: str, what: str, **widths: int) -> Record:
    return measured(id, "bytes_per_parameter", {"P": 10**6, **_ADAM, "b_x": 0, **widths}, f"{what}, bytes a parameter", "persistent", _HOW)


def _lives(id: str, what: str, **widths: int) -> Record:
    """The stack of 6 matrices of 64 x 64 on 4 ranks: what is left of 16 bytes a parameter."""
    at = {"P": 6 * 64 * 64, "N": 4, **_ADAM, **widths}
    return measured(id, "sharded_state", at, f"{what}, step counters left aside", "persistent", _LIVES)


def _shard(rank: int, what: str) -> Record:
    at = {"d_0": 1000, "n_rest": 8, "N": 64, "n_rank": rank, "b_e": 8, "b_s": 8}
    how = "fully_shard of one matrix, storages of parameter and gradient, local tensors of the states"
    return measured(f"rank-{rank}-of-64", "tensor_on_rank", at, f"1000 rows over 64 ranks, {what}", "persistent", how)


PERSISTENT: Final = (
    *(_rank("Llama-2-7B", _SEVEN, ranks, 0) for ranks in (8, 64, 1024)),
    _rank("Llama-2-7B", _SEVEN, 1024, 1023),
    *(_rank("Llama-2-70B", _SEVENTY, ranks, 0) for ranks in (8, 64, 1024)),
    measured("adam-counters", "step_counters", {"n_T": 291, "b_step": 4}, "Llama-2-7B, Adam's step counters", "persistent", _HOW),
    _rate("adam-fp32", "Adam"),
    _rate("adamw-amsgrad", "AdamW with amsgrad", b_x=4),
    _rate("sgd", "SGD", b_m=0, b_v=0),
    _rate("sgd-momentum", "SGD with momentum", b_v=0),
    _rate("pure-bf16", "a bf16 model with Adam", b_w=2, b_g=2, b_m=2, b_v=2),
    _rate("mixed-precision", "fp32 shards, bf16 compute, fp32 reduction, Adam"),
    _lives("before-the-first-step", "before the first forward pass", b_g=0, b_m=0, b_v=0),
    _lives("after-the-first-backward", "after the first backward pass", b_m=0, b_v=0),
    _lives("after-the-step", "after the optimizer step"),
    _lives("after-zero-grad", "after zero_grad", b_g=0),
    measured(
        "deferred-gradients", "buffer_shard", {"P": 6 * 64 * 64, "N": 1, "b_buf": 4}, "gradients held whole while their reduction is deferred",
        "persistent", _LIVES,
    ),
    measured(
        "partial-sums", "buffer_shard", {"P": 6 * 64 * 64, "N": 4, "b_buf": 4}, "shards held while their all-reduce across replicas waits",
        "persistent", _LIVES,
    ),
    measured("rows-of-1000", "shard_rows", {"d_0": 1000, "N": 64}, "rows of a shard, 1000 over 64 ranks", "persistent", _HOW),
    measured("last-of-64", "rows_of_rank", {"d_0": 1000, "N": 64, "n_rank": 62}, "rows of the last rank that holds any", "persistent", _HOW),
    measured("empty-of-64", "empty_ranks", {"d_0": 1000, "N": 64}, "ranks without a row", "persistent", _HOW),
    _shard(0, "a full shard"),
    _shard(62, "half a shard"),
    _shard(63, "an empty shard"),
    measured(
        "padded-gather", "padded_bytes", {"d_0": 1000, "n_rest": 8, "N": 64, "b_e": 4}, "1000 rows over 64 ranks, gathered", "persistent",
        "the output of the all-gather",
    ),
)  # fmt: skip

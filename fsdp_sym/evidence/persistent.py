"""Persistent bytes under FSDP2 with Adam, measured on every rank of a fake process group."""

from __future__ import annotations

from typing import Final

from .form import TORCH, Record

_HOW: Final = "fully_shard on the meta device, storages added up after one optimizer step"
_RUN: Final = "fsdp-sym measure --only persistent"
_ADAM: Final = {"b_w": 4, "b_g": 4, "b_c": 0, "b_m": 4, "b_v": 4, "b_x": 0}
_LLAMA: Final = 6738415616

PERSISTENT: Final = (
    Record("llama-7b-8-ranks", "sharded_state", {"P": _LLAMA, "N": 8, **_ADAM}, 13476831232, "Llama-2-7B, bytes a rank", TORCH, _HOW, _RUN),
    Record("llama-7b-64-ranks", "sharded_state", {"P": _LLAMA, "N": 64, **_ADAM}, 1684603904, "Llama-2-7B, bytes a rank", TORCH, _HOW, _RUN),
    Record("adam-fp32", "bytes_per_parameter", {"P": 10**6, **_ADAM}, 16, "Adam, bytes a parameter", TORCH, _HOW, _RUN),
    Record("adamw-amsgrad", "bytes_per_parameter", {"P": 10**6, **_ADAM, "b_x": 4}, 20, "AdamW with amsgrad, bytes a parameter", TORCH, _HOW, _RUN),
    Record("sgd", "bytes_per_parameter", {"P": 10**6, **_ADAM, "b_m": 0, "b_v": 0}, 8, "SGD, bytes a parameter", TORCH, _HOW, _RUN),
    Record("sgd-momentum", "bytes_per_parameter", {"P": 10**6, **_ADAM, "b_v": 0}, 12, "SGD with momentum, bytes a parameter", TORCH, _HOW, _RUN),
    Record(
        "pure-bf16", "bytes_per_parameter", {"P": 10**6, "b_w": 2, "b_g": 2, "b_c": 0, "b_m": 2, "b_v": 2, "b_x": 0}, 8,
        "a bf16 model with Adam, bytes a parameter", TORCH, _HOW, _RUN,
    ),
    Record("adam-counters", "step_counters", {"n_T": 291, "b_step": 4}, 1164, "Llama-2-7B, Adam's step counters", TORCH, _HOW, _RUN),
    Record("rows-of-1000", "shard_rows", {"d_0": 1000, "N": 64}, 16, "rows of a shard, 1000 over 64 ranks", TORCH, _HOW, _RUN),
    Record("last-of-64", "rows_of_rank", {"d_0": 1000, "N": 64, "n_rank": 62}, 8, "rows of the last rank that holds any", TORCH, _HOW, _RUN),
    Record("empty-of-64", "empty_ranks", {"d_0": 1000, "N": 64}, 1, "ranks without a row", TORCH, _HOW, _RUN),
)  # fmt: skip

"""What estimators print, with the unit they mean."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from .form import Record

_DEEPSPEED: Final = "DeepSpeed 0.19.8"
_MIXED: Final = {"b_w": 2, "b_g": 4, "b_c": 4, "b_m": 4, "b_v": 4}
_LLAMA: Final = 6738415616

ESTIMATORS: Final = (
    Record(
        "deepspeed-stage-2", "deepspeed_zero_2", {"P": _LLAMA, "N": 8, **_MIXED}, 28638266368, "7B on 8 ranks, stage 2", _DEEPSPEED,
        "deepspeed.runtime.zero.stage_1_and_2.estimate_zero2_model_states_mem_needs",
    ),
    Record(
        "deepspeed-stage-3", "deepspeed_zero_3", {"P": _LLAMA, "N": 8, "P_big": 131072000, **_MIXED}, 15685723136, "7B on 8 ranks, stage 3",
        _DEEPSPEED, "deepspeed.runtime.zero.stage3.estimate_zero3_model_states_mem_needs",
    ),
    Record(
        "deepspeed-29.01", "deepspeed_zero_3", {"P": "6805e6", "N": 4, "P_big": 131000000, **_MIXED}, Fraction("29.01"),
        "6,805M on 4 GPUs, printed 29.01GB", "deepspeedai/DeepSpeed, issue 4527", "its docs/code-docs/source/memory.rst", digits=4, unit="GiB",
    ),
    Record(
        "megatron-18", "distributed_optimizer", {"P": 10**9, "N": 1, **_MIXED}, 18 * 10**9, "18 bytes a parameter without sharding",
        "NVIDIA/Megatron-LM 00caa53a", "megatron/training/theoretical_memory_usage.py",
    ),
    Record(
        "megatron-distributed", "distributed_optimizer", {"P": 10**9, "N": 8, **_MIXED}, 7500000000, "6 + 12/d bytes a parameter, d = 8",
        "NVIDIA/Megatron-LM 00caa53a", "megatron/training/theoretical_memory_usage.py",
    ),
    Record(
        "layer-388-mib", "allocator_rounding", {"S": 404766720, "S_page": 2097152}, 388, "a gathered layer that did not fit, printed 388.00 MiB",
        "tatsu-lab/stanford_alpaca, issue 223", "the allocator's message", digits=3, unit="MiB",
    ),
)  # fmt: skip

"""What one transformer block keeps for its backward pass, recorded to the byte: storages of saved tensors, parameters left out."""

from __future__ import annotations

from typing import Final

from .form import TORCH, Record

_HOW: Final = "saved_tensors_hooks, counted once a storage, references kept, parameters dropped; bf16 on a CPU"
_RUN: Final = "fsdp-sym measure --only activations"
_GPT3: Final = {"b": 1, "s": 2048, "d": 12288, "f": 49152, "a": 96, "b_a": 2}
_SH: Final = 2048 * 12288
_AS: Final = 96 * 2048**2

ACTIVATIONS: Final = (
    Record("gpt3-dropout", "saved_activations", _GPT3 | {"b_k": 1, "b_n": 2}, 2868920320, "a layer with dropout, masks of a byte", TORCH, _HOW, _RUN),
    Record(
        "gpt3-wide-masks", "saved_activations", _GPT3 | {"b_k": 2, "b_n": 2}, 36 * _SH + 6 * _AS + 8 * 2048,
        "the same with F.dropout, whose masks take two bytes on a CPU", TORCH, _HOW, _RUN,
    ),
    Record("gpt3-dry", "dry_activations", _GPT3 | {"b_n": 2}, 32 * _SH + 2 * _AS + 8 * 2048, "a layer without dropout", TORCH, _HOW, _RUN),
    Record(
        "gpt3-selective", "selective_recompute", _GPT3 | {"b_k": 1, "b_n": 2}, 34 * _SH + 8 * 2048, "scores recomputed", TORCH, _HOW, _RUN,
    ),
    Record(
        "gpt3-fused", "fused_activations", _GPT3 | {"a_kv": 96, "d_h": 128, "b_n": 2, "b_l": 4}, 32 * _SH + 8 * 2048 + 4 * 96 * 2048,
        "scaled_dot_product_attention", TORCH, _HOW, _RUN,
    ),
    Record("gpt3-full", "full_recompute", {"b": 1, "s": 2048, "d": 12288, "b_a": 2}, 2 * _SH, "a checkpointed layer", TORCH, _HOW, _RUN),
)  # fmt: skip

"""The fullest moment of each phase of a training run, recorded on one rank of a fake group.

Most are small models on real tensors; those as wide as real models hold fake ones.
"""

from __future__ import annotations

from typing import Final

from .form import Run

_PLAIN: Final = {
    "hidden": 64, "wide": 256, "layers": 4, "heads": 4, "kv_heads": 4, "head_size": 16, "words": 256, "gated": False,
    "qkv_bias": True, "out_bias": True, "mlp_bias": True, "layer_norm": True,
}  # fmt: skip
_GATED: Final = {"hidden": 64, "wide": 192, "layers": 4, "heads": 4, "kv_heads": 2, "head_size": 16, "words": 512}
_WORDY: Final = {**_GATED, "words": 2048}
_UNEVEN: Final = {**_GATED, "hidden": 72, "heads": 6, "kv_heads": 3, "head_size": 12, "wide": 200, "words": 500}
_SEVEN: Final = {"hidden": 4096, "wide": 11008, "layers": 4, "heads": 32, "kv_heads": 32, "head_size": 128, "words": 32000}
_EIGHT: Final = {"hidden": 4096, "wide": 14336, "layers": 4, "heads": 32, "kv_heads": 8, "head_size": 128, "words": 128256}
_GPT2: Final = {**_PLAIN, "tied": True, "positions": 128, "fused_transposed": True}
_FULL: Final = {"compute": 4, "loss": 4, "statistic": 4, "norm": "composite"}
# A CPU's LayerNorm keeps its statistics in the width of what it normalises.
_MIXED: Final = {"compute": 2, "loss": 4, "statistic": 2}
_MIXED_GATED: Final = {"compute": 2, "loss": 4, "statistic": 4, "norm": "composite"}
_FEW: Final = {"batch": 1, "tokens": 8}
_MANY: Final = {"batch": 2, "tokens": 64}
_LONG: Final = {"batch": 1, "tokens": 2048}

_GELU, _GATE = "LayerNorm and GELU", "RMSNorm, grouped queries and a gate"

RUNS: Final = (
    Run("plain-few", _PLAIN, 4, {**_FULL, **_FEW, "optimizer": "for-loop"}, f"{_GELU}, 8 tokens"),
    Run("plain-many", _PLAIN, 4, {**_FULL, **_MANY, "optimizer": "foreach"}, f"{_GELU}, 128 tokens"),
    Run("plain-kept", _PLAIN, 4, {**_FULL, **_FEW, "reshard": False, "optimizer": "fused"}, f"{_GELU}, 8 tokens, not resharding"),
    Run("plain-two", _PLAIN, 2, {**_FULL, **_MANY, "optimizer": "for-loop"}, f"{_GELU}, 128 tokens"),
    Run("plain-large", _PLAIN, 64, {**_FULL, **_FEW, "optimizer": "foreach"}, f"{_GELU}, 8 tokens"),
    Run("plain-mixed", _PLAIN, 4, {**_MIXED, **_MANY, "optimizer": "foreach"}, f"{_GELU}, 128 tokens, bf16 with an fp32 reduction"),
    Run("plain-ahead", _PLAIN, 4, {**_FULL, **_FEW, "ahead": 2, "optimizer": "foreach"}, f"{_GELU}, 8 tokens, two blocks gathered ahead"),
    Run("plain-recompute", _PLAIN, 4, {**_FULL, **_MANY, "recompute": "full", "optimizer": "fused"}, f"{_GELU}, 128 tokens, checkpointed"),
    Run("gated-few", _GATED, 4, {**_FULL, **_FEW, "optimizer": "for-loop"}, f"{_GATE}, 8 tokens"),
    Run("gated-many", _GATED, 8, {**_FULL, **_MANY, "optimizer": "foreach"}, f"{_GATE}, 128 tokens"),
    Run("gated-mixed", _GATED, 4, {**_MIXED_GATED, **_MANY, "optimizer": "foreach"}, f"{_GATE}, 128 tokens, bf16 with an fp32 reduction"),
    Run(
        "gated-kept", _GATED, 4, {**_MIXED_GATED, **_FEW, "reshard": False, "optimizer": "fused"},
        f"{_GATE}, 8 tokens, bf16 with an fp32 reduction, not resharding",
    ),
    Run("gated-recompute", _GATED, 64, {**_FULL, **_MANY, "recompute": "full", "optimizer": "fused"}, f"{_GATE}, 128 tokens, checkpointed"),
    Run("wordy", _WORDY, 4, {**_MIXED_GATED, **_FEW, "optimizer": "for-loop"}, "a vocabulary that outweighs the blocks, 8 tokens"),
    Run("wordy-tied", {**_WORDY, "tied": True}, 4, {**_FULL, **_MANY, "optimizer": "foreach"}, "the same with tied ends, 128 tokens"),
    Run(
        "tied-few", {**_PLAIN, "hidden": 32, "wide": 96, "head_size": 8, "words": 3000, "tied": True}, 3,
        {**_FULL, "batch": 2, "tokens": 4, "optimizer": "fused"}, "tied ends whose gradients are summed, 8 tokens",
    ),
    Run(
        "root-scattered", {**_GATED, "hidden": 32, "wide": 96, "head_size": 8, "words": 1000}, 2,
        {**_MIXED_GATED, "loss": 2, "batch": 2, "tokens": 4, "reshard": False, "optimizer": "fused"},
        "a root group that outweighs the blocks, 8 tokens, bf16 with an fp32 reduction",
    ),
    Run(
        "mixed-ahead", {**_PLAIN, "hidden": 96, "wide": 384, "layers": 6, "head_size": 24}, 3,
        {**_MIXED, "batch": 1, "tokens": 4, "ahead": 3, "optimizer": "fused"},
        f"{_GELU}, 4 tokens, bf16 with an fp32 reduction, three blocks gathered ahead",
    ),
    Run("positions", _GPT2, 4, {**_FULL, **_FEW, "optimizer": "for-loop"}, "GPT-2's form, learned positions, 8 tokens"),
    Run("positions-mixed", _GPT2, 7, {**_MIXED, **_MANY, "optimizer": "foreach"}, "the same, 128 tokens, bf16 with an fp32 reduction"),
    Run("uneven", _UNEVEN, 7, {**_FULL, **_FEW, "optimizer": "for-loop"}, "rows that do not divide, 8 tokens"),
    Run("llama-2-7b-wide", _SEVEN, 8, {**_MIXED_GATED, **_LONG, "optimizer": "foreach"}, "four layers of Llama-2-7B, 2048 tokens", fake=True),
    Run("llama-3-8b-wide", _EIGHT, 64, {**_MIXED_GATED, **_LONG, "optimizer": "for-loop"}, "four layers of Llama-3-8B, 2048 tokens", fake=True),
)  # fmt: skip

"""What one transformer block keeps for its backward pass, recorded to the byte: storages of saved tensors, parameters left out."""

from __future__ import annotations

from typing import Final

from .form import Record, measured

_RAN: Final = "saved_tensors_hooks, counted once a storage, references kept, parameters dropped; bf16 on a CPU"
_FAKE: Final = "the same on fake tensors, which are as large and hold no numbers"
_GPT3: Final = {"b": 1, "s": 2048, "d": 12288, "f": 49152, "a": 96, "b_a": 2, "b_n": 2}
_SMALL: Final = {"b": 2, "s": 64, "d": 128, "f": 512, "a": 8, "b_a": 2, "b_n": 2}
_LLAMA: Final = {"b": 2, "s": 64, "d": 128, "f": 320, "a": 8, "a_kv": 2, "d_h": 16, "b_a": 2, "b_n": 4, "b_l": 4}
_COMPOSITE: Final = {"b_in": 4, "b_nrm": 4}


def _block(size: str, name: str, formula: str, what: str, **at: int) -> Record:
    shape, how = (_GPT3, _FAKE) if size == "gpt3" else (_SMALL, _RAN)
    return measured(
        f"{size}-{name}", formula, {**shape, **at}, f"{what}, {'GPT-3' if size == 'gpt3' else 's64 h128 a8 b2'}", "activations", how
    )


def _llama(name: str, what: str, **at: int) -> Record:
    return measured(f"llama-{name}", "llama_activations", {**_LLAMA, **at}, what, "activations", _RAN)


ACTIVATIONS: Final = tuple(
    record
    for size, heads in (("small", {"a_kv": 8, "d_h": 16}), ("gpt3", {"a_kv": 96, "d_h": 128}))
    for record in (
        _block(size, "dropout", "saved_activations", "with dropout, masks of a byte", b_k=1),
        _block(size, "wide-masks", "saved_activations", "with F.dropout, whose masks take two bytes on a CPU", b_k=2),
        _block(size, "dry", "dry_activations", "without dropout"),
        _block(size, "selective", "selective_recompute", "scores recomputed", b_k=1),
        _block(size, "fused", "fused_activations", "scaled_dot_product_attention", b_l=4, **heads),
        _block(size, "full", "full_recompute", "checkpointed"),
    )
)

LLAMA: Final = (
    measured(
        "gpt3-meta", "saved_activations", {**_GPT3, "b_k": 1, "b_n": 4}, "with dropout on the meta device, which takes statistics for fp32, GPT-3",
        "activations", _FAKE,
    ),
    _llama("fused", "a gated block with grouped keys and values; its norms stand in for a GPU's one kernel", b_in=2, b_nrm=0, n_wide=4),
    _llama("composite", "the same with RMSNorm as PyTorch composes it on a CPU", **_COMPOSITE, n_wide=4),
    _llama("repeated", "keys and values repeated for the kernel", **_COMPOSITE, n_wide=4, a_kv=8),
    _llama("gate-kernel", "gate and product in one kernel", **_COMPOSITE, n_wide=3),
    _llama("gate-again", "gate and product made again", **_COMPOSITE, n_wide=2),
    _llama("transformers", "LlamaDecoderLayer of Transformers, whose norm casts before the weight", b_in=4, b_nrm=2, n_wide=4),
    measured(
        "loss-forward", "loss_activations", {"b": 2, "s": 64, "v": 1000, "b_f": 4, "n_log": 2}, "cross_entropy, at its fullest", "activations",
        "live storages added up after every operation",
    ),
    measured(
        "loss-backward", "loss_activations", {"b": 2, "s": 64, "v": 1000, "b_f": 4, "n_log": 3}, "its backward pass, at its fullest",
        "activations", "live storages added up after every operation",
    ),
)  # fmt: skip

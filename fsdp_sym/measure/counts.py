"""Parameters of real configurations, as Transformers builds them on the meta device; nothing is downloaded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

_LLAMA = {"model_type": "llama", "tie_word_embeddings": False}


def _llama(layers: int, hidden: int, wide: int, heads: int, kv: int, words: int, **more: Any) -> dict[str, Any]:
    return _LLAMA | {
        "num_hidden_layers": layers, "hidden_size": hidden, "intermediate_size": wide, "num_attention_heads": heads,
        "num_key_value_heads": kv, "vocab_size": words,
    } | more  # fmt: skip


CONFIGS: dict[str, dict[str, Any]] = {
    "gpt2": {"model_type": "gpt2", "n_embd": 768, "n_layer": 12, "n_head": 12, "n_positions": 1024, "vocab_size": 50257},
    "gpt2-xl": {"model_type": "gpt2", "n_embd": 1600, "n_layer": 48, "n_head": 25, "n_positions": 1024, "vocab_size": 50257},
    "llama-2-7b": _llama(32, 4096, 11008, 32, 32, 32000),
    "llama-2-13b": _llama(40, 5120, 13824, 40, 40, 32000),
    "llama-2-70b": _llama(80, 8192, 28672, 64, 8, 32000),
    "llama-3-8b": _llama(32, 4096, 14336, 32, 8, 128256),
    "llama-3-405b": _llama(126, 16384, 53248, 128, 8, 128256),
    "mistral-7b": _llama(32, 4096, 14336, 32, 8, 32000, model_type="mistral"),
    "mixtral-8x7b": _llama(32, 4096, 14336, 32, 8, 32000, model_type="mixtral", num_local_experts=8, num_experts_per_tok=2),
    "tinyllama-1.1b": _llama(22, 2048, 5632, 32, 4, 32000),
    "qwen2.5-0.5b": _llama(24, 896, 4864, 14, 2, 151936, model_type="qwen2", tie_word_embeddings=True),
    "gemma-2b": _llama(18, 2048, 16384, 8, 1, 256000, model_type="gemma", head_dim=256, tie_word_embeddings=True),
}  # fmt: skip


def measure() -> Iterator[tuple[str, int]]:
    """Every record of the group ``counts``, by id."""
    for name, config in CONFIGS.items():
        yield f"count-{name}", parameters(config)


def parameters(config: Mapping[str, Any]) -> int:
    """Numbers that all parameters of the model of a ``config.json`` hold."""
    import torch
    from transformers import AutoConfig, AutoModelForCausalLM

    given = {key: value for key, value in config.items() if key != "model_type"}
    with torch.device("meta"):
        model = AutoModelForCausalLM.from_config(AutoConfig.for_model(config["model_type"], **given))
    return sum(p.numel() for p in model.parameters())

"""Parameters of models as Transformers builds them from their configurations, on the meta device."""

from __future__ import annotations

from typing import Final

from .form import Record, measured

_HOW: Final = "AutoModelForCausalLM.from_config on the meta device, numel of every parameter"


def _model(
    id: str, layers: int, hidden: int, wide: int, heads: int, kv: int, words: int, head: int = 128, *, gated: int = 1,
    biases: tuple[int, int, int] = (0, 0, 0), layer_norm: int = 0, positions: int = 0, tied: int = 0, experts: int = 0,
) -> Record:  # fmt: skip
    at = {
        "L": layers, "d": hidden, "f": wide, "a": heads, "a_kv": kv, "v": words, "d_h": head, "n_mlp": 2 + gated, "n_norm": 1 + layer_norm,
        "n_pos": positions, "u_qkv": biases[0], "u_out": biases[1], "u_mlp": biases[2], "u_tied": tied,
    }  # fmt: skip
    formula = "mixture_parameters" if experts else "model_parameters"
    return measured(f"count-{id}", formula, at | ({"n_exp": experts} if experts else {}), f"parameters of {id}", "counts", _HOW)


def _gpt2(id: str, layers: int, hidden: int, heads: int) -> Record:
    wide, head = 4 * hidden, hidden // heads
    return _model(id, layers, hidden, wide, heads, heads, 50257, head, gated=0, biases=(1, 1, 1), layer_norm=1, positions=1024, tied=1)


COUNTS: Final = (
    _gpt2("gpt2", 12, 768, 12),
    _gpt2("gpt2-xl", 48, 1600, 25),
    _model("llama-2-7b", 32, 4096, 11008, 32, 32, 32000),
    _model("llama-2-13b", 40, 5120, 13824, 40, 40, 32000),
    _model("llama-2-70b", 80, 8192, 28672, 64, 8, 32000),
    _model("llama-3-8b", 32, 4096, 14336, 32, 8, 128256),
    _model("llama-3-405b", 126, 16384, 53248, 128, 8, 128256),
    _model("mistral-7b", 32, 4096, 14336, 32, 8, 32000),
    _model("mixtral-8x7b", 32, 4096, 14336, 32, 8, 32000, experts=8),
    _model("tinyllama-1.1b", 22, 2048, 5632, 32, 4, 32000, 64),
    _model("qwen2.5-0.5b", 24, 896, 4864, 14, 2, 151936, 64, biases=(1, 0, 0), tied=1),
    _model("gemma-2b", 18, 2048, 16384, 8, 1, 256000, 256, tied=1),
)

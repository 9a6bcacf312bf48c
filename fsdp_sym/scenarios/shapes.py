"""The shapes of models: every parameter tensor by name, and what a formula needs of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal, NamedTuple

from sympy import Symbol

from ..algebra.errors import FsdpSymError, UnknownName
from ..algebra.vocabulary import L, a, a_kv, d, d_h, f, n_act, n_exp, n_mlp, n_norm, n_pos, u_mlp, u_out, u_qkv, u_tied, v
from .models import MODELS

Group = Literal["embedding", "block", "norm", "head"]


class Tensor(NamedTuple):
    """One parameter tensor as a framework holds it.

    Attributes
    ----------
    name : str
        With ``*`` for the number of its block or expert.
    rows : int
        Dimension 0, the one that FSDP2 shards.
    rest : int
        Elements of a row.
    alike : int
        How many alike the model has.
    group : str
        ``block`` for what is wrapped layer by layer.
    """

    name: str
    rows: int
    rest: int
    alike: int
    group: Group

    @property
    def elements(self) -> int:
        """Of one of them."""
        return self.rows * self.rest


@dataclass(frozen=True)
class Shape:
    """A decoder-only transformer.

    Parameters
    ----------
    name : str
    hidden, wide, layers, heads, kv_heads, head_size, words : int
        Hidden size, feed-forward width, blocks, attention heads, heads of keys and values, size of a head, vocabulary.
    gated, tied, qkv_bias, out_bias, mlp_bias : bool
    layer_norm : bool
        LayerNorm with its bias; else RMSNorm.
    positions : int
        Learned position embeddings; 0 where there are none.
    experts, active : int
        Experts of a layer and how many a token is sent to; 0 in a dense model.
    fused_transposed : bool
        Queries, keys and values are one matrix, and matrices are held with their inputs as rows, as GPT-2 does.
    source : str
    """

    name: str
    hidden: int
    wide: int
    layers: int
    heads: int
    kv_heads: int
    head_size: int
    words: int
    source: str
    gated: bool = True
    tied: bool = False
    qkv_bias: bool = False
    out_bias: bool = False
    mlp_bias: bool = False
    layer_norm: bool = False
    positions: int = 0
    experts: int = 0
    active: int = 0
    fused_transposed: bool = False

    @cached_property
    def tensors(self) -> tuple[Tensor, ...]:
        """Every parameter tensor; a tied matrix stands once, as the embedding."""
        return tuple(self._tensors())

    @property
    def parameters(self) -> int:
        """How many numbers all of them hold."""
        return sum(t.elements * t.alike for t in self.tensors)

    @property
    def tensor_count(self) -> int:
        """How many parameter tensors there are: an optimizer keeps a step counter for each."""
        return sum(t.alike for t in self.tensors)

    def letters(self) -> dict[Symbol, int]:
        """The shape as values for the formulas of models."""
        dense = {
            L: self.layers, d: self.hidden, f: self.wide, a: self.heads, v: self.words, d_h: self.head_size, a_kv: self.kv_heads,
            n_mlp: 3 if self.gated else 2, n_norm: 2 if self.layer_norm else 1, n_pos: self.positions,
            u_qkv: int(self.qkv_bias), u_out: int(self.out_bias), u_mlp: int(self.mlp_bias), u_tied: int(self.tied),
        }  # fmt: skip
        return dense | {n_exp: self.experts, n_act: self.active} if self.experts else dense

    def _tensors(self) -> Iterator[Tensor]:
        yield Tensor("embedding", self.words, self.hidden, 1, "embedding")
        if self.positions:
            yield Tensor("positions", self.positions, self.hidden, 1, "embedding")
        yield from (t._replace(alike=t.alike * self.layers) for t in self._block())
        yield from self._norm("last norm", 1, "norm")
        if not self.tied:
            yield Tensor("head", self.words, self.hidden, 1, "head")

    def _block(self) -> Iterator[Tensor]:
        """The tensors of one block."""
        if self.fused_transposed:
            for name, inputs, outputs in (
                ("query, key and value", self.hidden, 3 * self.hidden), ("output", self.hidden, self.hidden),
                ("up", self.hidden, self.wide), ("down", self.wide, self.hidden),
            ):  # fmt: skip
                yield Tensor(f"block *.{name}", inputs, outputs, 1, "block")
                yield Tensor(f"block *.{name} bias", outputs, 1, 1, "block")
            yield from self._norm("block *.norm", 2, "block")
            return
        queries, keys = self.heads * self.head_size, self.kv_heads * self.head_size
        for name, rows in (("query", queries), ("key", keys), ("value", keys)):
            yield Tensor(f"block *.{name}", rows, self.hidden, 1, "block")
            if self.qkv_bias:
                yield Tensor(f"block *.{name} bias", rows, 1, 1, "block")
        yield Tensor("block *.output", self.hidden, queries, 1, "block")
        if self.out_bias:
            yield Tensor("block *.output bias", self.hidden, 1, 1, "block")
        if self.experts:
            yield Tensor("block *.router", self.experts, self.hidden, 1, "block")
        for name, rows, rest in (("up", self.wide, self.hidden), ("gate", self.wide, self.hidden), ("down", self.hidden, self.wide)):
            if name == "gate" and not self.gated:
                continue
            each = "expert *." if self.experts else ""
            yield Tensor(f"block *.{each}{name}", rows, rest, max(1, self.experts), "block")
            if self.mlp_bias:
                yield Tensor(f"block *.{each}{name} bias", rows, 1, max(1, self.experts), "block")
        yield from self._norm("block *.norm", 2, "block")

    def _norm(self, name: str, how_many: int, group: Group) -> Iterator[Tensor]:
        yield Tensor(f"{name} weight", self.hidden, 1, how_many, group)
        if self.layer_norm:
            yield Tensor(f"{name} bias", self.hidden, 1, how_many, group)


def _gpt2(name: str, hidden: int, layers: int, heads: int) -> Shape:
    return Shape(
        name, hidden, 4 * hidden, layers, heads, heads, hidden // heads, 50257, "the published configuration",
        gated=False, tied=True, qkv_bias=True, out_bias=True, mlp_bias=True, layer_norm=True, positions=1024, fused_transposed=True,
    )  # fmt: skip


def _gpt(name: str, layers: int, hidden: int, heads: int, words: int, source: str) -> Shape:
    """GPT's form, its embedding padded, of sequences of 2048 tokens."""
    return Shape(
        name, hidden, 4 * hidden, layers, heads, heads, hidden // heads, words, source,
        gated=False, tied=True, qkv_bias=True, out_bias=True, mlp_bias=True, layer_norm=True, positions=2048,
    )  # fmt: skip


_MEGATRON: Final = "arXiv:2205.05198, table 3"
_MPT: Final = "mosaicml/llm-foundry, scripts/train/benchmarking/README.md: the counts of its table, at 2048 tokens"

SHAPES: Final[dict[str, Shape]] = {
    shape.name: shape
    for shape in (
        _gpt2("GPT-2 small", 768, 12, 12),
        _gpt2("GPT-2 XL", 1600, 48, 25),
        Shape("Llama-2-7B", 4096, 11008, 32, 32, 32, 128, 32000, "arXiv:2307.09288"),
        Shape("Llama-2-13B", 5120, 13824, 40, 40, 40, 128, 32000, "arXiv:2307.09288"),
        Shape("Llama-2-70B", 8192, 28672, 80, 64, 8, 128, 32000, "arXiv:2307.09288"),
        Shape("Llama-3-8B", 4096, 14336, 32, 32, 8, 128, 128256, "arXiv:2407.21783"),
        Shape("Llama-3-405B", 16384, 53248, 126, 128, 8, 128, 128256, "arXiv:2407.21783"),
        Shape("Mistral-7B", 4096, 14336, 32, 32, 8, 128, 32000, "arXiv:2310.06825"),
        Shape("Mixtral-8x7B", 4096, 14336, 32, 32, 8, 128, 32000, "arXiv:2401.04088", experts=8, active=2),
        Shape(
            "Mixtral-8x22B", 6144, 16384, 56, 48, 8, 128, 32000, "mistral-community/Mixtral-8x22B-v0.1, config.json", experts=8, active=2
        ),
        Shape("TinyLlama-1.1B", 2048, 5632, 22, 32, 4, 64, 32000, "arXiv:2401.02385"),
        Shape("Qwen2.5-0.5B", 896, 4864, 24, 14, 2, 64, 151936, "arXiv:2412.15115", qkv_bias=True, tied=True),
        _gpt("Megatron 22B", 48, 6144, 64, 51200, _MEGATRON),
        _gpt("Megatron 175B", 96, 12288, 96, 51200, _MEGATRON),
        _gpt("Megatron 530B", 105, 20480, 128, 51200, _MEGATRON),
        _gpt("Megatron 1T", 128, 25600, 160, 51200, _MEGATRON),
        _gpt("MPT 7B", 32, 4096, 32, 50368, _MPT),
        _gpt("MPT 13B", 40, 5120, 40, 50368, _MPT),
        _gpt("MPT 30B", 48, 7168, 64, 50368, _MPT),
        _gpt("MPT 70B", 80, 8192, 64, 50368, _MPT),
        Shape("Gemma-2B", 2048, 16384, 18, 8, 1, 256, 256000, "arXiv:2403.08295", tied=True),
    )
}


def shape_named(name: str, another: str = "give its config.json") -> Shape:
    """The shape of a model.

    Parameters
    ----------
    name : str
    another : str
        What to do for a model that is not among them, for the refusal.

    Raises
    ------
    FsdpSymError
        Where there is no such model, or only its parameters are known.
    """
    if name in SHAPES:
        return SHAPES[name]
    remedy = f"shapes are known of {', '.join(SHAPES)}; for another {another}"
    if name in MODELS:
        raise FsdpSymError(f"of the model {name!r} only counts are known, and not the shape that this needs: {remedy}")
    raise UnknownName("model", name, SHAPES, remedy)

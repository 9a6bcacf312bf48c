"""The tensors that a transformer block keeps for its backward pass, by name: what the formulas of blocks are counted on.

Each says whether tensor parallelism splits it (its columns or heads belong to one rank) and whether it is one of the scores.
"""

from __future__ import annotations

from math import prod
from typing import NamedTuple


class Kept(NamedTuple):
    """A tensor kept: shape, bytes an element, and how it is split."""

    name: str
    shape: tuple[int, ...]
    width: int
    split: bool = False
    score: bool = False
    gathered: bool = False


def norms(b: int, s: int, d: int, b_a: int, b_n: int) -> list[Kept]:
    """Two norms: their inputs, and of every token the statistics that they normalised by."""
    found = []
    for name in ("first norm", "second norm"):
        found.append(Kept(f"input of the {name}", (b, s, d), b_a))
        found += [Kept(f"{statistic} of the {name}", (b, s), b_n) for statistic in ("mean", "reciprocal deviation")]
    return found


def rms_norms(b: int, s: int, d: int, b_in: int, b_nrm: int, b_n: int) -> list[Kept]:
    """Two RMSNorms: one statistic a token, and beside the input what their kernel does not make again."""
    found = []
    for name in ("first norm", "second norm"):
        found += [Kept(f"input of the {name}", (b, s, d), b_in), Kept(f"normalised by the {name}", (b, s, d), b_nrm)]
        found.append(Kept(f"reciprocal root of the {name}", (b, s), b_n))
    return found


def attention(b: int, s: int, d: int, a: int, b_a: int, b_k: int) -> list[Kept]:
    """Attention spelled out, with dropout: ``b_k = 0`` leaves the dropouts away, and what they would keep."""
    found = [Kept("input of queries, keys and values", (b, s, d), b_a, gathered=True)]
    found += [Kept(name, (b, s, d), b_a, split=True) for name in ("queries", "keys", "values", "input of the projection")]
    mask = [Kept("mask of the attention dropout", (b, s, d), b_k)] if b_k else []
    return [*found, *scores(b, s, a, b_a, b_k), *mask]


def scores(b: int, s: int, a: int, b_a: int, b_k: int) -> list[Kept]:
    """What attention keeps of every head and pair of tokens: the softmax, and with a dropout its mask and what it leaves."""
    widths = {"softmax": b_a} | ({"mask of the softmax dropout": b_k, "softmax after dropout": b_a} if b_k else {})
    return [Kept(name, (b, a, s, s), width, split=True, score=True) for name, width in widths.items()]


def fused_attention(b: int, s: int, d: int, a: int, a_kv: int, d_h: int, b_a: int, b_l: int) -> list[Kept]:
    """Attention in one kernel: no scores, one logarithm for each head and token."""
    found = [Kept("input of queries, keys and values", (b, s, d), b_a)]
    found += [Kept(f"queries of head {head}", (b, s, d_h), b_a) for head in range(a)]
    found += [Kept(f"{what} of head {head}", (b, s, d_h), b_a) for what in ("keys", "values") for head in range(a_kv)]
    found += [Kept(f"output of head {head}", (b, s, d_h), b_a) for head in range(a)]
    return [*found, Kept("log-sum-exp", (b, a, s), b_l)]


def feed_forward(b: int, s: int, d: int, f: int, b_a: int, b_k: int) -> list[Kept]:
    """Up, a non-linearity, down, and a dropout where ``b_k`` is not 0."""
    wide = [Kept(f"input of the {name}", (b, s, f), b_a, split=True) for name in ("non-linearity", "second matrix")]
    mask = [Kept("mask of the last dropout", (b, s, d), b_k)] if b_k else []
    return [Kept("input of the first matrix", (b, s, d), b_a, gathered=True), *wide, *mask]


def gated(b: int, s: int, d: int, f: int, b_a: int, n_wide: int) -> list[Kept]:
    """A gate beside the way up: what separate kernels keep, one kernel less, or nothing but what the product is made of."""
    wide = ("gate", "up", "input of the way down", "activated gate")
    return [Kept("input of gate and up", (b, s, d), b_a), *(Kept(name, (b, s, f), b_a) for name in wide[:n_wide])]


def total(kept: list[Kept]) -> int:
    """Bytes of them together."""
    return sum(prod(x.shape) * x.width for x in kept)

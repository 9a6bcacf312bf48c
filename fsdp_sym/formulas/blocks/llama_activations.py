"""A block with grouped queries, a gate and a fused attention keeps each part by its own width.

Bytes kept: two RMSNorms with one statistic a token each, attention in one kernel, and a gated feed-forward layer whose kernels
are named by u_fused.
"""

from ...algebra.formula import Formula
from ...algebra.steps import Using
from ...algebra.vocabulary import A_flash, A_gated, A_llama, b, b_a, b_n, d, s
from .fused_attention_activations import fused_attention_activations
from .gated_mlp_activations import gated_mlp_activations
from .kept import fused_attention, gated, norms, total
from .norm_activations import TORCH


def count(b: int, s: int, d: int, f: int, a: int, a_kv: int, d_h: int, b_a: int, b_n: int, b_l: int, u_fused: int) -> int:
    """Every tensor of the block."""
    kept = norms(b, s, d, b_a, b_n, statistics=1) + fused_attention(b, s, d, a, a_kv, d_h, b_a, b_l) + gated(b, s, d, f, b_a, u_fused)
    return total(kept)


_NORMS = 2 * b * s * (d * b_a + b_n)
_ATTENTION, _FEED_FORWARD = fused_attention_activations.exact, gated_mlp_activations.exact

llama_activations = Formula(
    __name__,
    defines=A_llama,
    start=_NORMS + A_flash + A_gated,
    steps=(
        Using(_NORMS + _ATTENTION + A_gated, "the attention", lemma=fused_attention_activations),
        Using(_NORMS + _ATTENTION + _FEED_FORWARD, "the feed-forward layer", lemma=gated_mlp_activations),
    ),
    source=TORCH,
    counted=count,
)

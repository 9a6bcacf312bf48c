"""A block with grouped queries, a gate and a fused attention keeps each part by its own width.

Bytes kept: two RMSNorms, attention in one kernel, and a gated feed-forward layer. The kernels are named by b_in and b_nrm (the
norms') and n_wide (the gate's). Heads of keys and values that are repeated for the kernel are kept repeated: then a_kv is a.
"""

from ...algebra.formula import Formula
from ...algebra.steps import Using
from ...algebra.vocabulary import A_flash, A_gated, A_llama, A_rms
from .fused_attention_activations import fused_attention_activations
from .gated_mlp_activations import gated_mlp_activations
from .kept import fused_attention, gated, rms_norms, total
from .norm_activations import TORCH
from .rms_norm_activations import rms_norm_activations


def count(
    b: int, s: int, d: int, f: int, a: int, a_kv: int, d_h: int, b_a: int, b_in: int, b_nrm: int, b_n: int, b_l: int, n_wide: int
) -> int:  # fmt: skip
    """Every tensor of the block."""
    attention = fused_attention(b, s, d, a, a_kv, d_h, b_a, b_l)
    return total(rms_norms(b, s, d, b_in, b_nrm, b_n) + attention + gated(b, s, d, f, b_a, n_wide))


_NORMS, _ATTENTION, _FEED_FORWARD = rms_norm_activations.exact, fused_attention_activations.exact, gated_mlp_activations.exact

llama_activations = Formula(
    __name__,
    defines=A_llama,
    start=A_rms + A_flash + A_gated,
    steps=(
        Using(_NORMS + A_flash + A_gated, "two norms", lemma=rms_norm_activations),
        Using(_NORMS + _ATTENTION + A_gated, "the attention", lemma=fused_attention_activations),
        Using(_NORMS + _ATTENTION + _FEED_FORWARD, "the feed-forward layer", lemma=gated_mlp_activations),
    ),
    source=TORCH,
    counted=count,
)

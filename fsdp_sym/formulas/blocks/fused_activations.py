"""With a fused attention nothing grows with the square of the sequence.

Bytes kept by a block without dropout, with as many heads of keys as of queries: 32 sbh + 8 sb + 4 asb where activations and
statistics have two bytes and the logarithm four.
"""

from ...algebra.formula import Formula, Published
from ...algebra.hypotheses import Equal
from ...algebra.steps import Same, Using
from ...algebra.vocabulary import A_flash, A_fused, A_norm, a, a_kv, b, b_a, b_l, b_n, d, d_h, f, s
from .fused_attention_activations import fused_attention_activations
from .kept import feed_forward, fused_attention, norms, total
from .norm_activations import TORCH, norm_activations


def count(b: int, s: int, d: int, f: int, a: int, a_kv: int, d_h: int, b_a: int, b_n: int, b_l: int) -> int:
    """Every tensor of the block."""
    return total(norms(b, s, d, b_a, b_n) + fused_attention(b, s, d, a, a_kv, d_h, b_a, b_l) + feed_forward(b, s, d, f, b_a, 0))


_NORMS, _ATTENTION = norm_activations.exact, fused_attention_activations.exact
_FEED_FORWARD = b * s * b_a * (d + 2 * f)

fused_activations = Formula(
    __name__,
    defines=A_fused,
    start=A_norm + A_flash + _FEED_FORWARD,
    steps=(
        Using(_NORMS + A_flash + _FEED_FORWARD, "two norms", lemma=norm_activations),
        Using(_NORMS + _ATTENTION + _FEED_FORWARD, "the attention", lemma=fused_attention_activations),
        Same(
            2 * b * s * d * b_a * (7 + a_kv / a) + a * b * s * b_l + 4 * b * s * b_n,
            "heads that span the hidden size, and a feed-forward layer four times as wide", given=(Equal(f, 4 * d), Equal(d_h, d / a)),
        ),
    ),
    source=TORCH,
    counted=count,
    published=(
        Published(
            {b: 2, s: 64, d: 128, f: 512, a: 8, a_kv: 8, d_h: 16, b_a: 2, b_n: 2, b_l: 4},
            32 * 64 * 2 * 128 + 8 * 64 * 2 + 4 * 8 * 64 * 2, TORCH,
        ),
    ),
)  # fmt: skip

"""A block keeps 34 bytes a token and hidden number, five a head and pair of tokens, and its norms' statistics.

Bytes kept for the backward pass by a block with dropout that spells out its scores, f four times d and activations twice as
wide as masks. The statistics are what a paper's 34 sbh + 5 as²b leaves out.
"""

from ...algebra.formula import Formula, Published
from ...algebra.hypotheses import Equal
from ...algebra.steps import Same, Using
from ...algebra.vocabulary import A_att, A_mlp, A_norm, A_saved, a, b, b_a, b_k, b_n, d, f, s
from .attention_activations import attention_activations
from .kept import attention, feed_forward, norms, total
from .mlp_activations import mlp_activations
from .norm_activations import TORCH, norm_activations


def count(b: int, s: int, d: int, f: int, a: int, b_a: int, b_k: int, b_n: int) -> int:
    """Every tensor of the block."""
    return total(norms(b, s, d, b_a, b_n) + attention(b, s, d, a, b_a, b_k) + feed_forward(b, s, d, f, b_a, b_k))


_NORMS, _ATTENTION, _FEED_FORWARD = norm_activations.exact, attention_activations.exact, mlp_activations.exact

saved_activations = Formula(
    __name__,
    defines=A_saved,
    start=A_norm + A_att + A_mlp,
    steps=(
        Using(_NORMS + A_att + A_mlp, "two norms", lemma=norm_activations),
        Using(_NORMS + _ATTENTION + A_mlp, "the attention", lemma=attention_activations),
        Using(_NORMS + _ATTENTION + _FEED_FORWARD, "the feed-forward layer", lemma=mlp_activations),
        Same(
            34 * b * s * d * b_k + 5 * a * b * s**2 * b_k + 4 * b * s * b_n,
            "a feed-forward layer four times as wide, and two bytes to a mask's one", given=(Equal(f, 4 * d), Equal(b_a, 2 * b_k)),
        ),
    ),
    source=TORCH,
    counted=count,
    published=(Published({b: 1, s: 2048, d: 12288, f: 49152, a: 96, b_a: 2, b_k: 1, b_n: 2}, 2868920320, TORCH),),
)  # fmt: skip

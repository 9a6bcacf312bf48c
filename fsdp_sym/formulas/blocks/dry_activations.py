"""Without dropout a block keeps 32 bytes a token and hidden number, and two a head and pair of tokens.

Bytes kept by a block that spells out its scores: the masks are gone, and the softmax is kept once. b_a is two bytes in the
figures of the title.
"""

from ...algebra.formula import Formula, Published
from ...algebra.hypotheses import Equal
from ...algebra.steps import Same, Using
from ...algebra.vocabulary import A_dry, A_norm, A_plain, a, b, b_a, b_n, d, f, s
from .kept import attention, feed_forward, norms, total
from .norm_activations import TORCH, norm_activations
from .plain_attention_activations import plain_attention_activations


def count(b: int, s: int, d: int, f: int, a: int, b_a: int, b_n: int) -> int:
    """Every tensor of the block."""
    return total(norms(b, s, d, b_a, b_n) + attention(b, s, d, a, b_a, 0) + feed_forward(b, s, d, f, b_a, 0))


_NORMS, _ATTENTION = norm_activations.exact, plain_attention_activations.exact
_FEED_FORWARD = b * s * b_a * (d + 2 * f)

dry_activations = Formula(
    __name__,
    defines=A_dry,
    start=A_norm + A_plain + _FEED_FORWARD,
    steps=(
        Using(_NORMS + A_plain + _FEED_FORWARD, "two norms", lemma=norm_activations),
        Using(_NORMS + _ATTENTION + _FEED_FORWARD, "the attention", lemma=plain_attention_activations),
        Same(
            16 * b * s * d * b_a + a * b * s**2 * b_a + 4 * b * s * b_n,
            "a feed-forward layer four times as wide", given=(Equal(f, 4 * d),),
        ),
    ),
    source=TORCH,
    counted=count,
    published=(Published({b: 2, s: 64, d: 128, f: 512, a: 8, b_a: 2, b_n: 2}, 32 * 64 * 2 * 128 + 2 * 8 * 64**2 * 2 + 8 * 64 * 2, TORCH),),
)  # fmt: skip

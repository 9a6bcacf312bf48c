"""Recomputing the scores alone takes the square of the sequence away.

Bytes a block keeps when the attention between its queries and its output is run again in the backward pass: 34 sbh and the
statistics are left.
"""

from ...algebra.formula import Formula, Published
from ...algebra.hypotheses import Equal
from ...algebra.steps import Same, Using
from ...algebra.vocabulary import A_score, A_sel, a, b, b_a, b_k, b_n, d, f, s
from .attention_activations import KORTHIKANTI
from .kept import attention, feed_forward, norms, total
from .norm_activations import TORCH
from .saved_activations import saved_activations
from .score_activations import score_activations


def count(b: int, s: int, d: int, f: int, b_a: int, b_k: int, b_n: int, a: int) -> int:
    """Every tensor of the block but the scores."""
    kept = norms(b, s, d, b_a, b_n) + attention(b, s, d, a, b_a, b_k) + feed_forward(b, s, d, f, b_a, b_k)
    return total([x for x in kept if not x.score])


_ALL = saved_activations.states[3]

selective_recompute = Formula(
    __name__,
    defines=A_sel,
    start=_ALL - A_score,
    steps=(
        Using(_ALL - score_activations.exact, "the scores are computed again", lemma=score_activations),
        Same(
            34 * b * s * d * b_k + 4 * b * s * b_n,
            "a feed-forward layer four times as wide, and two bytes to a mask's one", given=(Equal(f, 4 * d), Equal(b_a, 2 * b_k)),
        ),
    ),
    source=KORTHIKANTI,
    counted=count,
    published=(Published({b: 1, s: 2048, d: 12288, f: 49152, b_a: 2, b_k: 1, b_n: 2, a: 96}, 34 * 2048 * 12288 + 8 * 2048, TORCH),),
)  # fmt: skip

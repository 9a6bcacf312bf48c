"""Sequence parallelism and recomputed scores together leave a share of 34 sbh.

Bytes a block with dropout keeps on one of N_t ranks when everything is split, along the heads or along the sequence, and the
scores are run again in the backward pass.
"""

from fractions import Fraction

from ...algebra.formula import Formula, Published
from ...algebra.hypotheses import Equal
from ...algebra.steps import Same, Using
from ...algebra.vocabulary import A_score, A_sps, N_t, b, b_a, b_k, b_n, d, f, s
from .attention_activations import KORTHIKANTI
from .kept import attention, feed_forward, norms, total
from .score_activations import score_activations
from .sequence_parallel_activations import sequence_parallel_activations
from .tensor_parallel_activations import B22, GPT3


def count(b: int, s: int, d: int, f: int, a: int, b_a: int, b_k: int, b_n: int, N_t: int) -> Fraction:
    """A share of every tensor but the scores."""
    kept = norms(b, s, d, b_a, b_n) + attention(b, s, d, a, b_a, b_k) + feed_forward(b, s, d, f, b_a, b_k)
    return sum((Fraction(total([x]), N_t) for x in kept if not x.score), Fraction(0))


_ALL = sequence_parallel_activations.start

sequence_selective = Formula(
    __name__,
    defines=A_sps,
    start=_ALL - A_score / N_t,
    steps=(
        Using(_ALL - score_activations.exact / N_t, "a rank's heads are computed again", lemma=score_activations),
        Same(
            (34 * b * s * d * b_k + 4 * b * s * b_n) / N_t,
            "a feed-forward layer four times as wide, and two bytes to a mask's one", given=(Equal(f, 4 * d), Equal(b_a, 2 * b_k)),
        ),
    ),
    source=KORTHIKANTI,
    counted=count,
    published=(Published(GPT3, 102 * 2**20, KORTHIKANTI), Published(B22, 204 * 2**20, KORTHIKANTI)),
)  # fmt: skip

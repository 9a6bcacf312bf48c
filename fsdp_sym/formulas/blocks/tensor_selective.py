"""Under tensor parallelism the scores are split, and so recomputing them saves a share.

Bytes a block with dropout keeps on one of N_t ranks when its scores are run again in the backward pass: of the 34 a token and
hidden number the 10 that are whole on every rank, and a share of the other 24.
"""

from fractions import Fraction

from ...algebra.formula import Formula, Published
from ...algebra.hypotheses import Equal
from ...algebra.steps import Same, Using
from ...algebra.vocabulary import A_score, A_tps, N_t, b, b_a, b_k, b_n, d, f, s
from .attention_activations import KORTHIKANTI
from .kept import attention, feed_forward, norms, total
from .score_activations import score_activations
from .tensor_parallel_activations import B22, GPT3, tensor_parallel_activations


def count(b: int, s: int, d: int, f: int, a: int, b_a: int, b_k: int, b_n: int, N_t: int) -> Fraction:
    """The tensors one by one but the scores, a share of those that are split."""
    kept = norms(b, s, d, b_a, b_n) + attention(b, s, d, a, b_a, b_k) + feed_forward(b, s, d, f, b_a, b_k)
    return sum((Fraction(total([x]), N_t if x.split else 1) for x in kept if not x.score), Fraction(0))


_ALL = tensor_parallel_activations.start

tensor_selective = Formula(
    __name__,
    defines=A_tps,
    start=_ALL - A_score / N_t,
    steps=(
        Using(_ALL - score_activations.exact / N_t, "a rank's heads are computed again", lemma=score_activations),
        Same(
            10 * b * s * d * b_k + 4 * b * s * b_n + 24 * b * s * d * b_k / N_t,
            "a feed-forward layer four times as wide, and two bytes to a mask's one", given=(Equal(f, 4 * d), Equal(b_a, 2 * b_k)),
        ),
    ),
    source=KORTHIKANTI,
    counted=count,
    published=(Published(GPT3, 312 * 2**20, KORTHIKANTI), Published(B22, 624 * 2**20, KORTHIKANTI)),
)  # fmt: skip

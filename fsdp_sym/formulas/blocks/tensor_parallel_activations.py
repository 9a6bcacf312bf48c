"""Tensor parallelism splits what lies between its matrices, and leaves the rest whole on every rank.

Bytes a block with dropout keeps on one of N_t ranks: of the 34 a token and hidden number 10 are inputs of norms and of the
first matrices and masks behind the last ones, and those are not split, nor are the statistics of the norms.
"""

from fractions import Fraction

from ...algebra.formula import Formula, Published
from ...algebra.hypotheses import Equal
from ...algebra.steps import Same
from ...algebra.vocabulary import A_tp, N_t, a, b, b_a, b_k, b_n, d, f, s
from .attention_activations import KORTHIKANTI
from .kept import attention, feed_forward, norms, total

GPT3 = {b: 1, s: 2048, d: 12288, f: 49152, a: 96, b_a: 2, b_k: 1, b_n: 0, N_t: 8}
B22 = {b: 4, s: 2048, d: 6144, f: 24576, a: 64, b_a: 2, b_k: 1, b_n: 0, N_t: 8}


def count(b: int, s: int, d: int, f: int, a: int, b_a: int, b_k: int, b_n: int, N_t: int) -> Fraction:
    """The tensors one by one, a share of those that are split."""
    kept = norms(b, s, d, b_a, b_n) + attention(b, s, d, a, b_a, b_k) + feed_forward(b, s, d, f, b_a, b_k)
    return sum((Fraction(total([x]), N_t if x.split else 1) for x in kept), Fraction(0))


tensor_parallel_activations = Formula(
    __name__,
    defines=A_tp,
    start=4 * b * s * d * b_a + 2 * b * s * d * b_k + 4 * b * s * b_n
    + (4 * b * s * d * b_a + 2 * b * s * f * b_a + 2 * a * b * s**2 * b_a + a * b * s**2 * b_k) / N_t,
    steps=(
        Same(
            10 * b * s * d * b_k + 4 * b * s * b_n + (24 * b * s * d * b_k + 5 * a * b * s**2 * b_k) / N_t,
            "a feed-forward layer four times as wide, and two bytes to a mask's one", given=(Equal(f, 4 * d), Equal(b_a, 2 * b_k)),
        ),
    ),
    source=KORTHIKANTI,
    counted=count,
    published=(Published(GPT3, 552 * 2**20, KORTHIKANTI), Published(B22, 1264 * 2**20, KORTHIKANTI)),
)  # fmt: skip

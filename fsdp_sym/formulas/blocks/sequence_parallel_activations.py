"""Sequence parallelism splits the rest, too: everything is divided by the group.

Bytes a block with dropout keeps on one of N_t ranks when norms, masks and inputs are split along the sequence. The full inputs
of the matrices are gathered again in the backward pass, which is paid for in traffic.
"""

from fractions import Fraction

from ...algebra.formula import Formula, Published
from ...algebra.hypotheses import Equal
from ...algebra.steps import Same
from ...algebra.vocabulary import A_sp, N_t, a, b, b_a, b_k, b_n, d, f, s
from .attention_activations import KORTHIKANTI
from .kept import attention, feed_forward, norms, total
from .tensor_parallel_activations import B22, GPT3


def count(b: int, s: int, d: int, f: int, a: int, b_a: int, b_k: int, b_n: int, N_t: int) -> Fraction:
    """A share of every tensor."""
    kept = norms(b, s, d, b_a, b_n) + attention(b, s, d, a, b_a, b_k) + feed_forward(b, s, d, f, b_a, b_k)
    return sum((Fraction(total([x]), N_t) for x in kept), Fraction(0))


sequence_parallel_activations = Formula(
    __name__,
    defines=A_sp,
    start=(8 * b * s * d * b_a + 2 * b * s * d * b_k + 4 * b * s * b_n + 2 * b * s * f * b_a
           + a * b * s**2 * (2 * b_a + b_k)) / N_t,
    steps=(
        Same(
            (34 * b * s * d * b_k + 5 * a * b * s**2 * b_k + 4 * b * s * b_n) / N_t,
            "a feed-forward layer four times as wide, and two bytes to a mask's one", given=(Equal(f, 4 * d), Equal(b_a, 2 * b_k)),
        ),
    ),
    source=KORTHIKANTI,
    counted=count,
    published=(Published(GPT3, 342 * 2**20, KORTHIKANTI), Published(B22, 844 * 2**20, KORTHIKANTI)),
)  # fmt: skip

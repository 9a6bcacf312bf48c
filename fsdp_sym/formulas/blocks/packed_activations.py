"""Packed sequences cost their tokens once, and the square of each of their lengths.

Bytes a block with dropout keeps of sequences that are packed into one and do not attend to each other: of the slowest rank these
are the largest sum of lengths and the largest sum of their squares, which need not be the same rank's.
"""

from ...algebra.formula import Formula, Published, Source
from ...algebra.hypotheses import Equal
from ...algebra.steps import Same
from ...algebra.vocabulary import A_pack, a, b_a, b_k, b_n, d, f, s_sq, s_sum
from .attention_activations import KORTHIKANTI
from .kept import attention, feed_forward, norms, total


def count(s_sum: int, s_sq: int, d: int, f: int, a: int, b_a: int, b_k: int, b_n: int) -> int:
    """What is kept of a token, as often as there are tokens; what is kept of a pair, as often as there are pairs."""
    one = norms(1, 1, d, b_a, b_n) + attention(1, 1, d, a, b_a, b_k) + feed_forward(1, 1, d, f, b_a, b_k)
    return sum(total([x]) * (s_sq if x.score else s_sum) for x in one)


packed_activations = Formula(
    __name__,
    defines=A_pack,
    start=s_sum * (8 * d * b_a + 2 * d * b_k + 2 * f * b_a + 4 * b_n) + s_sq * a * (2 * b_a + b_k),
    steps=(
        Same(
            34 * s_sum * d * b_k + 5 * a * s_sq * b_k + 4 * s_sum * b_n,
            "a feed-forward layer four times as wide, and two bytes to a mask's one", given=(Equal(f, 4 * d), Equal(b_a, 2 * b_k)),
        ),
    ),
    source=KORTHIKANTI,
    counted=count,
    published=(
        Published(
            {s_sum: 2048, s_sq: 2048**2, d: 12288, f: 49152, a: 96, b_a: 2, b_k: 1, b_n: 0}, 2868903936,
            Source("arXiv:2205.05198", "one sequence of 2048 tokens is the unpacked block"),
        ),
    ),
)  # fmt: skip

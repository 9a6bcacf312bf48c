"""Where the gathered inputs stay, they cost what the others save.

Bytes a block with dropout keeps on one of N_t ranks under sequence parallelism that keeps the gathered outputs of its norms
instead of gathering them again: the inputs of the first matrices are whole on every rank. Less traffic in the backward pass,
more memory.
"""

from fractions import Fraction

from ...algebra.formula import Formula, Published, Source
from ...algebra.hypotheses import Equal
from ...algebra.steps import Same
from ...algebra.vocabulary import A_dt, N_t, a, b, b_a, b_k, b_n, d, f, s
from .kept import attention, feed_forward, norms, total
from .tensor_parallel_activations import GPT3


def count(b: int, s: int, d: int, f: int, a: int, b_a: int, b_k: int, b_n: int, N_t: int) -> Fraction:
    """A share of every tensor but the gathered inputs."""
    kept = norms(b, s, d, b_a, b_n) + attention(b, s, d, a, b_a, b_k) + feed_forward(b, s, d, f, b_a, b_k)
    return sum((Fraction(total([x]), 1 if x.gathered else N_t) for x in kept), Fraction(0))


_DTENSOR = Source("PyTorch 2.13.0, torch.distributed.tensor.parallel", "SequenceParallel: outputs of norms are kept gathered")

dtensor_activations = Formula(
    __name__,
    defines=A_dt,
    start=2 * b * s * d * b_a
    + (6 * b * s * d * b_a + 2 * b * s * d * b_k + 4 * b * s * b_n + 2 * b * s * f * b_a
       + a * b * s**2 * (2 * b_a + b_k)) / N_t,
    steps=(
        Same(
            4 * b * s * d * b_k + (30 * b * s * d * b_k + 5 * a * b * s**2 * b_k + 4 * b * s * b_n) / N_t,
            "a feed-forward layer four times as wide, and two bytes to a mask's one", given=(Equal(f, 4 * d), Equal(b_a, 2 * b_k)),
        ),
    ),
    source=_DTENSOR,
    counted=count,
    published=(Published(GPT3, 342 * 2**20 + 4 * 2048 * 12288 * 7 // 8, _DTENSOR),),
)  # fmt: skip

"""Splitting along the sequence moves what the all-reduces of tensor parallelism move.

Bytes each rank of a group of N_t receives in one micro-batch: all-gathers and reduce-scatters of one hidden vector a token, in
pairs, each pair worth one all-reduce. The gathered inputs are kept, not gathered again.
"""

from ...algebra.formula import Formula
from ...algebra.steps import Using
from ...algebra.vocabulary import L, N, N_t, S, V_ag, V_rs, V_sp, b, b_a, d, n_pair, s
from ..communication.all_gather import all_gather
from ..communication.reduce_scatter import reduce_scatter
from ..communication.ring import ring_all_gather, ring_reduce_scatter
from .group import pairs
from .sequence_parallel_pairs import sequence_parallel_pairs
from .tensor_parallel_reduces import DTENSOR


def count(N_t: int, L: int, b: int, s: int, d: int, b_a: int) -> int:
    """Pair after pair, each played as a ring."""
    ring = sum(ring_reduce_scatter(b * s * d * b_a, N_t)) + sum(ring_all_gather(b * s * d * b_a, N_t))
    return sum(ring for _ in pairs(L))


_HALF = b * s * d * b_a * (N_t - 1) / N_t

sequence_parallel_traffic = Formula(
    __name__,
    defines=V_sp,
    start=n_pair * (V_ag + V_rs),
    steps=(
        Using(4 * L * (V_ag + V_rs), "so many pairs", lemma=sequence_parallel_pairs),
        Using(4 * L * (_HALF + V_rs), "a hidden vector a token, gathered", lemma=all_gather, at={N: N_t, S: b * s * d * b_a}),
        Using(8 * L * _HALF, "and its partial sums, scattered", lemma=reduce_scatter, at={N: N_t, S: b * s * d * b_a}),
    ),
    source=DTENSOR,
    counted=count,
)

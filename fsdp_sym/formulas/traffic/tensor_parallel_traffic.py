"""Tensor parallelism moves hidden vectors of every token, block by block, however few parameters there are.

Bytes each rank of a group of N_t receives in one micro-batch: every meeting all-reduces one hidden vector a token.
"""

from ...algebra.formula import Formula
from ...algebra.steps import Using
from ...algebra.vocabulary import L, N, N_t, S, V_ar, V_tp, b, b_a, d, n_in, n_tp, s
from ..communication.all_reduce import all_reduce
from ..communication.ring import ring_all_gather, ring_reduce_scatter
from .group import reduces
from .tensor_parallel_reduces import DTENSOR, tensor_parallel_reduces


def count(N_t: int, L: int, b: int, s: int, d: int, b_a: int, n_in: int) -> int:
    """Meeting after meeting, each played as a ring."""
    ring = sum(ring_reduce_scatter(b * s * d * b_a, N_t)) + sum(ring_all_gather(b * s * d * b_a, N_t))
    return sum(ring for _ in reduces(L, n_in))


tensor_parallel_traffic = Formula(
    __name__,
    defines=V_tp,
    start=n_tp * V_ar,
    steps=(
        Using(L * (2 + n_in) * V_ar, "so many meetings", lemma=tensor_parallel_reduces),
        Using(
            2 * b * s * d * b_a * L * (2 + n_in) * (N_t - 1) / N_t,
            "a hidden vector a token",
            lemma=all_reduce,
            at={N: N_t, S: b * s * d * b_a},
        ),
    ),
    source=DTENSOR,
    counted=count,
)

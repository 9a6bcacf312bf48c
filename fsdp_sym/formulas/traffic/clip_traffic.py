"""Clipping sums one number for every tensor.

Bytes each rank receives when the gradient norm of the whole model is taken: one all-reduce of a float32 for every parameter tensor.
"""

from ...algebra.formula import Formula
from ...algebra.steps import Using
from ...algebra.vocabulary import N, S, V_ar, V_clip, b_step, n_T
from ..communication.all_reduce import all_reduce
from ..communication.ring import ring_all_gather, ring_reduce_scatter
from .gathers_in_step import FSDP2


def count(N: int, n_T: int, b_step: int) -> int:
    """The norms side by side, all-reduced."""
    norms = sum(b_step for _ in range(n_T))
    return sum(ring_reduce_scatter(norms, N)) + sum(ring_all_gather(norms, N))


clip_traffic = Formula(
    __name__,
    defines=V_clip,
    start=V_ar,
    steps=(Using(2 * n_T * b_step * (N - 1) / N, "one number a tensor, over all ranks", lemma=all_reduce, at={S: n_T * b_step}),),
    source=FSDP2,
    counted=count,
)

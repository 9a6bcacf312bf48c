"""Gradients are reduced in the width of the reduction, once a micro-batch or once a step.

Bytes each rank receives in reduce-scatters of one optimizer step. S_g counts gradients as they are reduced: with bf16
parameters and an fp32 reduction it is twice what is gathered.
"""

from ...algebra.formula import Formula
from ...algebra.steps import Using
from ...algebra.vocabulary import K_mb, N, S, S_g, V_reduce, V_rs, u_sync
from ..communication.reduce_scatter import reduce_scatter
from ..communication.ring import ring_reduce_scatter
from .gathers_in_step import FSDP2
from .schedule import how_many, step


def count(N: int, S_g: int, K_mb: int, u_sync: int) -> int:
    """The reductions of a step with everything in the root group, each played as a ring."""
    return how_many(step(0, K_mb, sync_each=bool(u_sync)), "reduce") * sum(ring_reduce_scatter(S_g, N))


reduced_in_step = Formula(
    __name__,
    defines=V_reduce,
    start=(1 + u_sync * (K_mb - 1)) * V_rs,
    steps=(
        Using(
            (1 + u_sync * (K_mb - 1)) * S_g * (N - 1) / N, "each receives the partial sums of its shard", lemma=reduce_scatter, at={S: S_g}
        ),
    ),
    source=FSDP2,
    counted=count,
)

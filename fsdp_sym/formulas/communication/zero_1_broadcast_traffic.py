"""ZeRO-1 as an all-reduce followed by broadcasts moves as much as ZeRO-3.

An implementation that first all-reduces the whole gradients and then lets every owner broadcast the shard
it updated pays for three collectives, not two. S is the parameters in bytes, and gradients are as wide.
"""

from sympy import oo

from ...algebra.formula import Formula, Source
from ...algebra.steps import Near, Using
from ...algebra.vocabulary import N, S, V_ar, V_bc, V_z1b
from .all_reduce import all_reduce
from .broadcast_shards import broadcast_shards
from .ring import broadcast_each_shard, ring_all_gather, ring_reduce_scatter


def count(S: int, N: int) -> int:
    """Plays the all-reduce as its two halves, then the broadcasts."""
    gradients = sum(ring_reduce_scatter(S, N)) + sum(ring_all_gather(S, N))
    return gradients + broadcast_each_shard(S, N)


zero_1_broadcast_traffic = Formula(
    __name__,
    defines=V_z1b,
    start=V_ar + V_bc,
    steps=(
        Using(2 * S * (N - 1) / N + V_bc, "whole gradients are all-reduced", lemma=all_reduce),
        Using(3 * S * (N - 1) / N, "each owner broadcasts the parameters it updated", lemma=broadcast_shards),
        Near(3 * S, "each of three collectives tends to the whole", limit=(N, oo)),
    ),
    source=Source("PyTorch documentation", "DistributedDataParallel with ZeroRedundancyOptimizer"),
    counted=count,
)

"""An all-reduce is a reduce-scatter and then an all-gather.

Plain data parallel sums its gradients this way: first every rank gets the full sum of one shard, then
every rank gets every summed shard. S is the whole tensor in bytes; counted are the bytes one rank receives.
"""

from sympy import oo

from ...algebra.formula import Formula, Published, Source
from ...algebra.steps import Near, Using
from ...algebra.vocabulary import N, S, V_ag, V_ar, V_rs
from .all_gather import all_gather
from .reduce_scatter import reduce_scatter
from .ring import ring_all_gather, ring_reduce_scatter

_NCCL = "NVIDIA nccl-tests"

all_reduce = Formula(
    __name__,
    defines=V_ar,
    start=V_rs + V_ag,
    steps=(
        Using(S * (N - 1) / N + V_ag, "the reduce-scatter leaves one summed shard on each rank", lemma=reduce_scatter),
        Using(2 * S * (N - 1) / N, "the all-gather hands the summed shards round", lemma=all_gather),
        Near(2 * S, "each half tends to the whole tensor", limit=(N, oo)),
    ),
    source=Source(_NCCL, "doc/PERFORMANCE.md, bus bandwidth factors"),
    counted=lambda S, N: sum(ring_reduce_scatter(S, N)) + sum(ring_all_gather(S, N)),
    published=(
        Published({S: 8, N: 8}, 14, Source(_NCCL, "doc/PERFORMANCE.md, factor 2(n-1)/n")),
        Published({S: 20 * 10**9, N: 8}, 35 * 10**9, Source(_NCCL, "20 GB/s of algorithm bandwidth are 35 GB/s of bus bandwidth")),
    ),
)

"""Hybrid sharding reduces a shard across its replicas on top.

Bytes each rank receives in the all-reduce across R_rep replicas of a shard group of N ranks: only its own shard of the
gradients takes part.
"""

from sympy import ceiling

from ...algebra.formula import Formula, Published, Source
from ...algebra.hypotheses import Divides
from ...algebra.steps import Same, Using
from ...algebra.vocabulary import N, R_rep, S, S_g, V_ar, V_rep
from ..communication.all_reduce import all_reduce
from ..communication.ring import ring_all_gather, ring_reduce_scatter, shard_bytes


def count(N: int, S_g: int, R_rep: int) -> int:
    """A shard, then a ring of replicas that passes it round."""
    (shard,) = set(shard_bytes(S_g, N))
    return sum(ring_reduce_scatter(shard, R_rep)) + sum(ring_all_gather(shard, R_rep))


replica_all_reduce = Formula(
    __name__,
    defines=V_rep,
    start=V_ar,
    steps=(
        Using(
            2 * ceiling(S_g / N) * (R_rep - 1) / R_rep, "a shard over the replicas", lemma=all_reduce, at={N: R_rep, S: ceiling(S_g / N)}
        ),
        Same(2 * S_g * (R_rep - 1) / (N * R_rep), "no shard is padded", given=(Divides(N, S_g),)),
    ),
    source=Source("PyTorch documentation", "hybrid sharding: replicate outside, shard inside"),
    counted=count,
    published=(Published({N: 8, S_g: 800, R_rep: 2}, 100, Source("by hand", "a shard of 100 over two replicas")),),
)

"""FSDP shards over the data-parallel group, not over the world.

Ranks with the same stage and the same tensor slot hold the same parameters, so they are the ones that can
share one copy: every per-rank formula takes this N.
"""

from ...algebra.formula import Formula, Source
from ...algebra.hypotheses import Divides
from ...algebra.steps import Using
from ...algebra.vocabulary import G, N, N_d, N_p, N_t
from .data_degree import data_degree
from .layout import deal


def count(G: int, N_p: int, N_t: int) -> int:
    """Ranks that have rank 0's place in their replica."""
    replicas = deal(G, N_p * N_t)
    return len({rank for replica in replicas for place, rank in enumerate(replica) if place == 0})


shard_group = Formula(
    __name__,
    defines=N,
    start=N_d,
    steps=(Using(G / (N_p * N_t), "one member in each data replica", lemma=data_degree),),
    source=Source("PyTorch documentation", "fully_shard: the mesh is the data-parallel dimension"),
    counted=count,
    where=(Divides(N_p * N_t, G),),
)

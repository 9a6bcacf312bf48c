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
    """Ranks that have the same place in their replica, which are equally many for every place."""
    (size,) = {len(group) for group in zip(*deal(G, N_p * N_t), strict=True)}
    return size


shard_group = Formula(
    __name__,
    defines=N,
    start=N_d,
    steps=(Using(G / (N_p * N_t), "one member in each data replica", lemma=data_degree),),
    source=Source("PyTorch documentation", "fully_shard: the mesh is the data-parallel dimension"),
    counted=count,
    where=(Divides(N_p * N_t, G),),
)

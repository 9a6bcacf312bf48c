"""Ranks that share one sequence share one copy of the parameters, too.

FSDP2 shards over the shard degree and the context degree together: each holds a part of the same sequence and the same weights. Stages
and tensor slots hold other parameters, replicas hold other copies.
"""

from ...algebra.formula import Formula, Published
from ...algebra.vocabulary import N_c, N_d, N_mesh
from .mesh_size import TITAN

mesh_shard_group = Formula(
    __name__,
    defines=N_mesh,
    start=N_d * N_c,
    steps=(),
    source=TITAN,
    counted=lambda N_d, N_c: len({(shard, part) for shard in range(N_d) for part in range(N_c)}),
    published=(Published({N_d: 8, N_c: 16}, 128, TITAN),),
)

"""When every owner broadcasts its shard, each rank receives every shard but its own.

This is how an optimizer that shards only its own states hands out what it updated, one broadcast an owner.
The bytes are those of an all-gather; S is the whole tensor in bytes, shards are padded to equal length.
"""

from sympy import Sum, ceiling, oo

from ...algebra.formula import Formula, Published, Source
from ...algebra.hypotheses import Divides
from ...algebra.steps import Near, Same
from ...algebra.vocabulary import N, S, V_bc, i
from .ring import broadcast_each_shard

broadcast_shards = Formula(
    __name__,
    defines=V_bc,
    start=Sum(ceiling(S / N), (i, 1, N - 1)),
    steps=(
        Same((N - 1) * ceiling(S / N), "each of the N - 1 other owners sends one shard"),
        Same(S * (N - 1) / N, "no shard is padded", given=(Divides(N, S),)),
        Near(S, "one's own shard is a vanishing part of the whole", limit=(N, oo)),
    ),
    source=Source("PyTorch documentation", "ZeroRedundancyOptimizer: each rank broadcasts the parameters it updated"),
    counted=lambda S, N: broadcast_each_shard(S, N),
    published=(Published({S: 700, N: 1}, 0, Source("a single rank has no partner")),),
)

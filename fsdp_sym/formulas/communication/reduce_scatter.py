"""In a reduce-scatter each rank receives one partial sum a step until one shard is summed.

A ring passes the partial sum of one shard a step, each rank adding its own gradients to it; after N - 1
steps every rank holds the full sum of one shard. S is the whole tensor in bytes, shards are padded to
equal length. It moves as many bytes as an all-gather; there one shard goes to many, here many parts come to one.
"""

from sympy import Sum, ceiling, oo

from ...algebra.formula import Formula, Published, Source
from ...algebra.hypotheses import Divides
from ...algebra.steps import Near, Same
from ...algebra.vocabulary import N, S, V_rs, i
from .ring import ring_reduce_scatter

reduce_scatter = Formula(
    __name__,
    defines=V_rs,
    start=Sum(ceiling(S / N), (i, 1, N - 1)),
    steps=(
        Same((N - 1) * ceiling(S / N), "every step brings the partial sum of one shard, and there are N - 1 steps"),
        Same(S * (N - 1) / N, "no shard is padded", given=(Divides(N, S),)),
        Near(S, "one's own part is a vanishing share of the whole", limit=(N, oo)),
    ),
    source=Source("NVIDIA nccl-tests", "doc/PERFORMANCE.md, bus bandwidth factors"),
    counted=lambda S, N: sum(ring_reduce_scatter(S, N)),
    published=(
        Published({S: 8, N: 8}, 7, Source("NVIDIA nccl-tests", "doc/PERFORMANCE.md, factor (n-1)/n")),
        Published({S: 700, N: 1}, 0, Source("a single rank has no partner")),
    ),
)

"""In an all-gather each rank receives every shard but its own.

A ring passes one shard a step, and after N - 1 steps every rank holds all N shards. S is the whole
tensor in bytes; shards are padded to equal length, so that a tensor that does not divide costs more.
The traffic saturates: where N divides S no rank needs more than the whole tensor, however many ranks there are.
"""

from sympy import Sum, ceiling, oo

from ...algebra.formula import Formula, Published, Source
from ...algebra.hypotheses import Divides
from ...algebra.steps import Near, Same
from ...algebra.vocabulary import N, S, V_ag, i
from .ring import ring_all_gather

all_gather = Formula(
    __name__,
    defines=V_ag,
    start=Sum(ceiling(S / N), (i, 1, N - 1)),
    steps=(
        Same((N - 1) * ceiling(S / N), "every step brings one shard, and there are N - 1 steps"),
        Same(S * (N - 1) / N, "no shard is padded", given=(Divides(N, S),)),
        Near(S, "one's own shard is a vanishing part of the whole", limit=(N, oo)),
    ),
    source=Source("NVIDIA nccl-tests", "doc/PERFORMANCE.md, bus bandwidth factors"),
    counted=lambda S, N: sum(ring_all_gather(S, N)),
    published=(
        Published({S: 10, N: 7}, 12, Source("the padded case", "6 foreign shards of 2 bytes")),
        Published({S: 700, N: 1}, 0, Source("a single rank has no partner")),
    ),
)

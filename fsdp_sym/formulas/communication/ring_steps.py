"""A ring all-gather takes one step fewer than there are ranks.

Each step costs the latency of one message. The bytes saturate as ranks are added while the steps do not:
on many ranks a small tensor waits for latency, not for bandwidth.
"""

from itertools import pairwise

from sympy import Sum

from ...algebra.formula import Formula, Published, Source
from ...algebra.steps import Same
from ...algebra.vocabulary import N, i, n_steps


def count(N: int) -> int:
    """The hops of one shard round the ring, from its owner to the rank that gets it last."""
    return len(list(pairwise(range(N))))


ring_steps = Formula(
    __name__,
    defines=n_steps,
    start=Sum(1, (i, 1, N - 1)),
    steps=(Same(N - 1, "each step brings one foreign shard, and one's own is there already"),),
    source=Source("NVIDIA nccl-tests", "doc/PERFORMANCE.md, ring algorithm"),
    counted=count,
    published=(Published({N: 1}, 0, Source("a single rank has no partner")),),
)

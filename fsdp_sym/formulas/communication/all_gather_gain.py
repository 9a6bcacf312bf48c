"""One more rank adds ever fewer bytes to an all-gather.

Compared are the bytes one rank receives among N + 1 ranks and among N, for a tensor that both counts share
out evenly; with padded shards the traffic can also fall (10 bytes: 16 on 9 ranks, 9 on 10 ranks).
"""

from ...algebra.formula import Formula, Published, Source
from ...algebra.hypotheses import Divides
from ...algebra.steps import Same, Using
from ...algebra.vocabulary import N, S, V_ag, V_gain, V_next
from .all_gather import all_gather
from .ring import ring_all_gather


def count(S: int, N: int) -> int:
    """Two rings, one with one rank more."""
    return sum(ring_all_gather(S, N + 1)) - sum(ring_all_gather(S, N))


all_gather_gain = Formula(
    __name__,
    defines=V_gain,
    start=V_next - V_ag,
    steps=(
        Using(S * N / (N + 1) - V_ag, "with one more rank, N shards are foreign", lemma=all_gather, replaces=V_next, at={N: N + 1}),
        Using(S * N / (N + 1) - S * (N - 1) / N, "with N ranks, N - 1 are", lemma=all_gather),
        Same(S / (N * (N + 1)), "over the common denominator, N^2 - (N - 1)(N + 1) = 1"),
    ),
    source=Source("by definition", "the difference of two all-gathers"),
    counted=count,
    where=(Divides(N * (N + 1), S),),
    published=(Published({S: 12, N: 3}, 1, Source("counted by hand", "9 of 12 bytes are foreign on 4 ranks, 8 on 3")),),
)

"""On the same link plain data parallel communicates for two thirds of the time of a layer gathered twice.

Time follows bytes: FSDP's communication time is divided by the ratio of its traffic to an all-reduce's. The
ratio does not depend on the tensor, so it is taken at one byte a rank.
"""

from fractions import Fraction

from sympy import Integer

from ...algebra.formula import Formula, Source
from ...algebra.hypotheses import AtMost
from ...algebra.steps import Same, Using
from ...algebra.vocabulary import N, S, T_comm, T_dp, chi, r
from ..communication.layer_traffic import count as step_bytes
from ..communication.ring import ring_all_gather, ring_reduce_scatter
from ..communication.traffic_over_all_reduce import traffic_over_all_reduce


def count(T_comm: int | Fraction, N: int, r: int) -> Fraction:
    """Plays both with a byte a rank; the link that FSDP keeps busy for T_comm carries the other's bytes."""
    a_byte = Fraction(T_comm, step_bytes(N, N, r))
    return a_byte * (sum(ring_reduce_scatter(N, N)) + sum(ring_all_gather(N, N)))


data_parallel_time = Formula(
    __name__,
    defines=T_dp,
    start=T_comm / chi,
    steps=(
        Using(T_comm / (1 + r / 2), "sharded traffic over the all-reduce's", lemma=traffic_over_all_reduce, at={S: N}),
        Same(2 * T_comm / (2 + r), "two collectives instead of 2 + r"),
    ),
    source=Source("arXiv:1910.02054", "section 7"),
    counted=count,
    where=(AtMost(Integer(2), N),),
)

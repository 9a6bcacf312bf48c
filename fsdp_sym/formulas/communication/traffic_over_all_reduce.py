"""Sharded training moves half as much again as plain data parallel, and only if it gathers twice.

Compared are the bytes one rank receives in a step for one layer under FSDP and in plain data parallel's
all-reduce of the same layer. With r = 0 the two are equal; with r = 1 it is three to two, not three times.
On a single rank both are 0 and there is no ratio.
"""

from fractions import Fraction

from sympy import Integer, Rational

from ...algebra.formula import Formula, Published, Source
from ...algebra.hypotheses import AtMost
from ...algebra.steps import Using
from ...algebra.vocabulary import N, S, V_ar, V_layer, chi, r
from .all_reduce import all_reduce
from .layer_traffic import count as step_bytes
from .layer_traffic import layer_traffic
from .ring import ring_all_gather, ring_reduce_scatter


def count(S: int, N: int, r: int) -> Fraction:
    """Bytes of a sharded step over bytes of an all-reduce, both played."""
    return Fraction(step_bytes(S, N, r), sum(ring_reduce_scatter(S, N)) + sum(ring_all_gather(S, N)))


traffic_over_all_reduce = Formula(
    __name__,
    defines=chi,
    start=V_layer / V_ar,
    steps=(
        Using(S * (2 + r) * (N - 1) / (N * V_ar), "2 + r collectives of the layer", lemma=layer_traffic),
        Using(1 + r / 2, "an all-reduce is two of them", lemma=all_reduce),
    ),
    source=Source("arXiv:1910.02054", "section 7"),
    counted=count,
    where=(AtMost(Integer(2), N),),
    published=(Published({S: 1024, N: 64, r: 1}, Rational(3, 2), Source("arXiv:1910.02054", "section 7.2.2: 1.5 times data parallel")),),
)

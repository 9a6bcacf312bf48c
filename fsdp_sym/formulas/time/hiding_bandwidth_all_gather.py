"""An all-gather hides completely on a link that carries the foreign shards within the compute time.

S is the whole tensor in bytes and the compute time is of the layer that runs meanwhile. A single rank receives
nothing, so that any link would do and there is no bandwidth to ask for.
"""

from fractions import Fraction

from sympy import Eq, Integer, oo

from ...algebra.formula import Formula, Source
from ...algebra.hypotheses import AtMost
from ...algebra.steps import Near, Solved, Using
from ...algebra.vocabulary import N, S, T_comp, V_ag, W_hide
from ..communication.all_gather import all_gather
from ..communication.ring import ring_all_gather
from .timeline import passing_time


def count(S: int, N: int, T_comp: int | Fraction) -> Fraction:
    """Plays the ring; how much faster than one byte a second must its link be?"""
    return passing_time(sum(ring_all_gather(S, N)), 1) / T_comp


hiding_bandwidth_all_gather = Formula(
    __name__,
    defines=W_hide,
    start=Eq(V_ag / W_hide, T_comp),
    steps=(
        Solved(V_ag / T_comp, "the bytes received must pass while the compute lasts"),
        Using(S * (N - 1) / (N * T_comp), "the bytes one rank receives", lemma=all_gather),
        Near(S / T_comp, "one's own shard is a vanishing part of the whole", limit=(N, oo)),
    ),
    source=Source("by definition", "bytes over time"),
    counted=count,
    where=(AtMost(Integer(2), N),),
)

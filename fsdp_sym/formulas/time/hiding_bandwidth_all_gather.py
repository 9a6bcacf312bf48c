"""An all-gather hides completely on a link that carries the foreign shards within the compute time.

S is the whole tensor in bytes and the compute time is of the layer that runs meanwhile. A single rank receives
nothing, so that any link would do and there is no bandwidth to ask for.
"""

from fractions import Fraction

from sympy import Integer, oo

from ...algebra.formula import Formula, Source
from ...algebra.hypotheses import AtMost
from ...algebra.steps import Near, Using
from ...algebra.vocabulary import N, S, T_comp, V, V_ag, W, W_hide
from ..communication.all_gather import all_gather
from ..communication.ring import ring_all_gather
from .hiding_bandwidth import hiding_bandwidth
from .timeline import passing_time


def count(S: int, N: int, T_comp: int | Fraction) -> Fraction:
    """Plays the ring; how much faster than one byte a second must its link be?"""
    return passing_time(sum(ring_all_gather(S, N)), 1) / T_comp


hiding_bandwidth_all_gather = Formula(
    __name__,
    defines=W_hide,
    start=W,
    steps=(
        Using(V_ag / T_comp, "the bytes received pass within the compute time", lemma=hiding_bandwidth, at={V: V_ag}, replaces=W),
        Using(S * (N - 1) / (N * T_comp), "the bytes one rank receives", lemma=all_gather),
        Near(S / T_comp, "one's own shard is a vanishing part of the whole", limit=(N, oo)),
    ),
    source=Source("by definition", "bytes over time"),
    counted=count,
    where=(AtMost(Integer(2), N),),
)

"""Sharding is said to hurt when communication exceeds a set share of the compute time.

The threshold, often 0.3, is a rule of thumb and no theorem: it asks for a cost of communication that overlap
will bring down to something bearable. Whether it can hide completely is another question, with threshold 1.
"""

from fractions import Fraction

from ...algebra.formula import Formula, Source
from ...algebra.steps import Decision, Using
from ...algebra.vocabulary import T_comm, T_comp, hurts, rho, rho_max
from .comm_to_compute import comm_to_compute
from .timeline import ticks


def count(T_comm: int | Fraction, T_comp: int | Fraction, rho_max: int | Fraction) -> bool:
    """Whether the communication outlasts the time that is conceded to it."""
    communication, conceded = ticks(T_comm, rho_max * T_comp)
    return communication > conceded


sharding_hurts = Formula(
    __name__,
    defines=hurts,
    start=rho,
    steps=(
        Using(T_comm / T_comp, "communication over compute", lemma=comm_to_compute),
        Decision(T_comm / T_comp > rho_max, "the share is above the threshold"),
    ),
    source=Source("a rule of thumb", "0.3 is its usual threshold"),
    counted=count,
)

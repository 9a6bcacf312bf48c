"""Overlap lowers the slowdown in proportion to the share that is hidden.

Slowdown is the time added over the compute time: at no overlap it is the whole ratio of communication to
compute, at full overlap it is nothing.
"""

from fractions import Fraction

from ...algebra.formula import Formula, Source
from ...algebra.hypotheses import AtMost
from ...algebra.steps import Using
from ...algebra.vocabulary import T_comm, T_comp, T_step, phi, sigma
from .step_with_overlap import step_with_overlap
from .timeline import exposed, overlapped


def count(T_comp: int | Fraction, T_comm: int | Fraction, phi: int | Fraction) -> Fraction:
    """What sticks out of the compute, over how long the compute took."""
    compute, communication = overlapped(T_comp, T_comm, phi)
    return exposed(communication, compute) / T_comp


slowdown_with_overlap = Formula(
    __name__,
    defines=sigma,
    start=(T_step - T_comp) / T_comp,
    steps=(
        Using((1 - phi) * T_comm / T_comp, "the step outlasts its compute by the exposed part", lemma=step_with_overlap),
    ),
    source=Source("by definition", "time added over compute time"),
    counted=count,
    where=(AtMost(phi * T_comm, T_comp),),
)

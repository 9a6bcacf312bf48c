"""With overlap a step takes its compute time and the exposed part of its communication.

The hidden part must fit beside the compute: communication longer than the compute cannot hide all of itself.
"""

from fractions import Fraction

from ...algebra.formula import Formula, Source
from ...algebra.hypotheses import AtMost
from ...algebra.steps import Using
from ...algebra.vocabulary import T_comm, T_comp, T_exposed, T_step, phi
from .exposed_time import exposed_time
from .timeline import overlapped


def count(T_comp: int | Fraction, T_comm: int | Fraction, phi: int | Fraction) -> Fraction:
    """When the communication, which ends last, is through."""
    _, (_, ended) = overlapped(T_comp, T_comm, phi)
    return ended


step_with_overlap = Formula(
    __name__,
    defines=T_step,
    start=T_comp + T_exposed,
    steps=(Using(T_comp + (1 - phi) * T_comm, "only the exposed part is waited for", lemma=exposed_time),),
    source=Source("by definition", "a timeline of compute and communication"),
    counted=count,
    where=(AtMost(phi * T_comm, T_comp),),
)

"""Communication can hide completely exactly when it is no longer than the compute.

Both run beside each other from the same moment, and the layer is done when the longer one is. This bound, a
ratio of 1, is what physics asks; the threshold of 0.3 leaves room for what does not overlap in practice.
"""

from fractions import Fraction

from ...algebra.formula import Formula, Source
from ...algebra.steps import Decision, Using
from ...algebra.vocabulary import T_comm, T_comp, hides, rho
from .comm_to_compute import comm_to_compute
from .timeline import exposed, in_a_row


def count(T_comm: int | Fraction, T_comp: int | Fraction) -> bool:
    """Whether nothing sticks out when both start together."""
    (communication,), (compute,) = in_a_row(T_comm), in_a_row(T_comp)
    return not exposed(communication, compute)


communication_hides = Formula(
    __name__,
    defines=hides,
    start=rho,
    steps=(
        Using(T_comm / T_comp, "communication over compute", lemma=comm_to_compute),
        Decision(T_comm / T_comp <= 1, "what is no longer can lie beside it entirely"),
    ),
    source=Source("by definition", "two intervals side by side"),
    counted=count,
)

"""Without overlap the slowdown is the whole ratio of communication to compute.

Slowdown is the time added over the compute time, so it is measured against no communication at all, not
against plain data parallel, which communicates too.
"""

from fractions import Fraction

from ...algebra.formula import Formula, Source
from ...algebra.steps import Using
from ...algebra.vocabulary import T_comm, T_comp, T_step, sigma_none
from .step_without_overlap import step_without_overlap
from .timeline import in_a_row


def count(T_comp: int | Fraction, T_comm: int | Fraction) -> Fraction:
    """How much later the step ends than its compute, over how long the compute took."""
    (_, computed), (_, ended) = in_a_row(T_comp, T_comm)
    return (ended - computed) / computed


slowdown_without_overlap = Formula(
    __name__,
    defines=sigma_none,
    start=(T_step - T_comp) / T_comp,
    steps=(
        Using((T_comp + T_comm - T_comp) / T_comp, "compute, then communication", lemma=step_without_overlap),
    ),
    source=Source("by definition", "time added over compute time"),
    counted=count,
)

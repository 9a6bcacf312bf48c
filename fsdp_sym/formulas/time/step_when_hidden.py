"""When communication fits beside the compute, the step takes the compute time alone.

Both start together and the step ends when the later one does. Perfect overlap can at most halve a step,
because the two times can at best lie entirely beside each other.
"""

from fractions import Fraction

from sympy import Max

from ...algebra.formula import Formula, Source
from ...algebra.hypotheses import AtMost
from ...algebra.steps import Same
from ...algebra.vocabulary import T_comm, T_comp, T_step


def count(T_comp: int | Fraction, T_comm: int | Fraction) -> int | Fraction:
    """The last event of two intervals that start together."""
    *_, last = sorted([T_comp, T_comm])
    return last


step_when_hidden = Formula(
    __name__,
    defines=T_step,
    start=Max(T_comp, T_comm),
    steps=(Same(T_comp, "the compute outlasts it", given=(AtMost(T_comm, T_comp),)),),
    source=Source("by definition", "two intervals side by side"),
    counted=count,
)

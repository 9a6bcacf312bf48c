"""How heavy communication is, is told by its time as a share of the compute time.

Both times are of the same layer or the same step. At 1 they are equally long and could just hide each other.
"""

from fractions import Fraction

from sympy import Eq

from ...algebra.formula import Formula, Source
from ...algebra.steps import Solved
from ...algebra.vocabulary import T_comm, T_comp, rho
from .timeline import ticks


def count(T_comm: int | Fraction, T_comp: int | Fraction) -> Fraction:
    """Ticks of communication to ticks of compute, on one clock."""
    return Fraction(*ticks(T_comm, T_comp))


comm_to_compute = Formula(
    __name__,
    defines=rho,
    start=Eq(rho * T_comp, T_comm),
    steps=(Solved(T_comm / T_comp, "the compute time is taken as the unit"),),
    source=Source("by definition", "a ratio of two times"),
    counted=count,
)

"""A target slowdown allows so much exposed time.

The budget is the target's share of the compute time; whatever communication exceeds it must be hidden.
"""

from fractions import Fraction

from sympy import Eq

from ...algebra.formula import Formula, Source
from ...algebra.steps import Solved
from ...algebra.vocabulary import T_comp, T_exposed, sigma_goal
from .slowdown_without_overlap import count as slowdown


def count(T_comp: int | Fraction, sigma_goal: int | Fraction) -> Fraction:
    """How many times the slowdown of one exposed second; the time found is tried."""
    found = sigma_goal / slowdown(T_comp, 1)
    assert slowdown(T_comp, found) == sigma_goal
    return found


exposed_for_slowdown = Formula(
    __name__,
    defines=T_exposed,
    start=Eq(T_exposed / T_comp, sigma_goal),
    steps=(Solved(sigma_goal * T_comp, "slowdown is exposed time over compute time"),),
    source=Source("by definition", "time added over compute time"),
    counted=count,
)

"""A target slowdown asks for a certain overlap.

Solved for the share of the communication that must hide. A negative share says that the target is met with no
overlap at all; a share that would not fit beside the compute is out of reach.
"""

from fractions import Fraction

from sympy import Eq

from ...algebra.formula import Formula, Source
from ...algebra.hypotheses import AtMost
from ...algebra.steps import Solved, Using
from ...algebra.vocabulary import T_comm, T_comp, T_exposed, phi, phi_need, sigma_goal
from .exposed_time import exposed_time
from .timeline import exposed, overlapped


def count(T_comp: int | Fraction, T_comm: int | Fraction, sigma_goal: int | Fraction) -> Fraction:
    """Interpolates between a timeline with no overlap and one with as much as fits beside the compute."""
    most = min(Fraction(1), Fraction(T_comp) / T_comm)
    timelines = [overlapped(T_comp, T_comm, share) for share in (0, most)]
    none, least = (exposed(communication, compute) for compute, communication in timelines)
    found = most * (none - sigma_goal * T_comp) / (none - least)
    assert found <= most
    return found


overlap_for_slowdown = Formula(
    __name__,
    defines=phi_need,
    start=Eq(sigma_goal * T_comp, T_exposed),
    steps=(
        Using(Eq(sigma_goal * T_comp, (1 - phi_need) * T_comm), "the exposed part at that overlap", lemma=exposed_time, at={phi: phi_need}),
        Solved(1 - sigma_goal * T_comp / T_comm, "the target's share of the compute may stay exposed"),
    ),
    source=Source("by definition", "the slowdown with overlap, solved for the overlap"),
    counted=count,
    where=(AtMost(T_comm / (1 + sigma_goal), T_comp),),
)

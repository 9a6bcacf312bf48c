"""The peak with checkpoints is only √L / 2 times smaller than all activations.

A plain number, for a real interval and a checkpoint that costs as much as a layer: half of what the checkpoints alone
would promise, because the segment being recomputed weighs as much as they do.
"""

from fractions import Fraction

from sympy import sqrt

from ...algebra.formula import Bracket, Formula, Source
from ...algebra.steps import Using
from ...algebra.vocabulary import A, A_best, L, x_peak
from .best_peak import best_peak
from .best_peak import count as lowest_peak
from .tensors import all_layers


def count(L: int, c: int, A: int) -> Bracket:
    """All layers against the counted peak."""
    peak = lowest_peak(L, c, A)
    everything = Fraction(all_layers(L, A))
    return Bracket(everything / peak.high, everything / peak.low)


peak_cut = Formula(
    __name__,
    defines=x_peak,
    start=L * A / A_best,
    steps=(Using(sqrt(L) / 2, "L layers against twice √L of them", lemma=best_peak),),
    source=Source("arXiv:1604.06174", "section 4"),
    counted=count,
)

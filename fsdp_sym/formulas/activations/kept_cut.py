"""Kept alone, √L checkpoints are √L times smaller than all activations.

A plain number, for a real interval. It compares the checkpoints with everything and leaves out the segment that the
backward pass recomputes, so no GPU ever sees this saving.
"""

from fractions import Fraction

from sympy import sqrt

from ...algebra.formula import Bracket, Formula, Source
from ...algebra.steps import Using
from ...algebra.vocabulary import A, A_kept, L, x_kept
from .sqrt_checkpoints_kept import count as checkpoints
from .sqrt_checkpoints_kept import sqrt_checkpoints_kept
from .tensors import all_layers


def count(L: int, c: int, A: int) -> Bracket:
    """All layers against the counted checkpoints."""
    kept = checkpoints(L, c, A)
    everything = Fraction(all_layers(L, A))
    return Bracket(everything / kept.high, everything / kept.low)


kept_cut = Formula(
    __name__,
    defines=x_kept,
    start=L * A / A_kept,
    steps=(Using(sqrt(L), "L layers against √L of them", lemma=sqrt_checkpoints_kept),),
    source=Source("arXiv:1604.06174", "section 4"),
    counted=count,
)

"""With a checkpoint every √L layers, √L checkpoints are kept.

Bytes of the checkpoints alone, for a real interval. It is not the peak: the segment that is being recomputed weighs as
much again.
"""

from fractions import Fraction

from sympy import sqrt

from ...algebra.formula import Bracket, Formula, Source
from ...algebra.hypotheses import Equal
from ...algebra.steps import Same, Using
from ...algebra.vocabulary import A, A_kept, L, c, k_sqrt
from .checkpoints import cheapest_interval
from .sqrt_interval import sqrt_interval


def count(L: int, c: int, A: int) -> Bracket:
    """The checkpoints at either bound of the interval."""
    interval = cheapest_interval(L, c, A)
    return Bracket(Fraction(L) / interval.high * c, Fraction(L) / interval.low * c)


sqrt_checkpoints_kept = Formula(
    __name__,
    defines=A_kept,
    start=c * L / k_sqrt,
    steps=(
        Using(c * sqrt(L), "one checkpoint every √L layers", lemma=sqrt_interval),
        Same(A * sqrt(L), "a checkpoint costs as much as a layer", given=(Equal(c, A),)),
    ),
    source=Source("arXiv:1604.06174", "section 4"),
    counted=count,
)

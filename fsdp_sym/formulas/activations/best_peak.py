"""At the best interval the peak is twice what its checkpoints weigh.

Bytes on one GPU, for a real interval: half of it are checkpoints, half the segment being recomputed. Where a checkpoint
costs as much as a layer it is twice the √L layers that are often quoted.
"""

from fractions import Fraction

from sympy import sqrt

from ...algebra.formula import Bracket, Formula, Published, Source
from ...algebra.hypotheses import Equal
from ...algebra.steps import Same, Using
from ...algebra.vocabulary import A, A_best, L, c, k_best
from .best_interval import best_interval
from .checkpoints import cheapest_interval, real_peak


def count(L: int, c: int, A: int) -> Bracket:
    """Checkpoints at their fewest and a segment at its shortest are too little; what one of the bounds does can be done."""
    interval = cheapest_interval(L, c, A)
    return Bracket(Fraction(L) / interval.high * c + interval.low * A, real_peak(L, interval.high, c, A))


best_peak = Formula(
    __name__,
    defines=A_best,
    start=L * c / k_best + k_best * A,
    steps=(
        Using(2 * sqrt(L * c * A), "checkpoints and segment weigh the same", lemma=best_interval),
        Same(2 * A * sqrt(L), "a checkpoint costs as much as a layer", given=(Equal(c, A),)),
    ),
    source=Source("arXiv:1604.06174", "section 4"),
    counted=count,
    published=(
        Published({L: 96, c: 402653184, A: 402653184}, 7890 * 10**6, Source("96 layers of 0.403 GB", "twice √96 of them"), digits=4),
    ),
)

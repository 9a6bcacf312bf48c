"""A checkpoint every √L layers is best where a checkpoint costs as much as a layer.

Layers between checkpoints, taken as a real number. The rule holds for layers that keep nothing but what they hand on; a
transformer block keeps far more than its input, and wants checkpoints much closer.
"""

from sympy import sqrt

from ...algebra.formula import Formula, Source
from ...algebra.hypotheses import Equal
from ...algebra.steps import Same, Using
from ...algebra.vocabulary import A, L, c, k_best, k_sqrt
from .best_interval import best_interval
from .checkpoints import cheapest_interval

sqrt_interval = Formula(
    __name__,
    defines=k_sqrt,
    start=k_best,
    steps=(
        Using(sqrt(L * c / A), "the best interval in general", lemma=best_interval),
        Same(sqrt(L), "a checkpoint costs as much as a layer", given=(Equal(c, A),)),
    ),
    source=Source("arXiv:1604.06174", "section 4"),
    counted=lambda L, c, A: cheapest_interval(L, c, A),
)

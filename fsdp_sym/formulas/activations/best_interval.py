"""The peak is lowest where the checkpoints weigh as much as the segment being recomputed.

Layers between checkpoints, taken as a real number. A longer interval keeps fewer checkpoints and recomputes a larger
segment; the two costs balance at the square root of the layer count times the ratio of a checkpoint to a layer.
"""

from fractions import Fraction

from sympy import sqrt

from ...algebra.formula import Formula, Published, Source
from ...algebra.steps import Least, Using
from ...algebra.vocabulary import A, A_peak, L, c, k, k_best
from .checkpoints import cheapest_interval
from .recompute_peak import recompute_peak

best_interval = Formula(
    __name__,
    defines=k_best,
    start=A_peak,
    steps=(
        Using(L * c / k + k * A, "checkpoints and one segment", lemma=recompute_peak),
        Least(sqrt(L * c / A), "a longer interval costs as much as it saves", over=k),
    ),
    source=Source("arXiv:1604.06174", "section 4, with checkpoints and layers of different sizes"),
    counted=lambda L, c, A: cheapest_interval(L, c, A),
    published=(
        Published({L: 96, c: 50331648, A: 2868903936}, Fraction(13, 10), Source("GPT-3", "34 sbh + 5 as²b from 2 sbh bytes"), digits=2),
    ),
)

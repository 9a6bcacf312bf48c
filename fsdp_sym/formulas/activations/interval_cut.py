"""At a given whole interval the cut is all activations over that interval's peak.

A plain number. Layers and checkpoints are whole, so the best there is can lie below what a real interval promises, and two
intervals can do equally well.
"""

from fractions import Fraction

from ...algebra.formula import Formula, Published, Source
from ...algebra.hypotheses import AtMost
from ...algebra.steps import Using
from ...algebra.vocabulary import A, A_peak, L, c, k, x_k
from .checkpoints import peak
from .recompute_peak import recompute_peak
from .tensors import all_layers

_WHOLE = Source("96 layers with a checkpoint as large as a layer", "20 layers' worth at the intervals 8 and 12")

interval_cut = Formula(
    __name__,
    defines=x_k,
    start=L * A / A_peak,
    steps=(Using(L * A / (L * c / k + k * A), "checkpoints and one segment", lemma=recompute_peak),),
    source=Source("arXiv:1604.06174", "section 4"),
    counted=lambda L, k, c, A: Fraction(all_layers(L, A), peak(L, k, c, A)),
    where=(AtMost(k, L),),
    published=(
        Published({L: 96, k: 8, c: 402653184, A: 402653184}, Fraction(24, 5), _WHOLE),
        Published({L: 96, k: 12, c: 402653184, A: 402653184}, Fraction(24, 5), _WHOLE),
    ),
)

"""The peak holds the checkpoints and, beside them, the whole segment that is being recomputed.

Bytes on one GPU in the backward pass. It takes the segments from the last, recomputes k layers of A bytes each from a
checkpoint of c bytes, uses them up and frees the checkpoint too. The last segment meets all checkpoints but may be short;
the one before it is full and meets one checkpoint fewer: the larger of the two is the peak.
"""

from sympy import Max, ceiling

from ...algebra.formula import Formula, Published, Source
from ...algebra.hypotheses import AtMost, Divides
from ...algebra.steps import Same
from ...algebra.vocabulary import A, A_peak, L, c, k
from .checkpoints import peak

# The checkpoints there are when the backward pass begins.
_KEPT = ceiling(L / k) * c

recompute_peak = Formula(
    __name__,
    defines=A_peak,
    start=Max(_KEPT + (L - (ceiling(L / k) - 1) * k) * A, _KEPT - c + k * A),
    steps=(Same(L * c / k + k * A, "the last segment is as long as any", given=(Divides(k, L),)),),
    source=Source("arXiv:1604.06174", "section 4"),
    counted=lambda L, k, c, A: peak(L, k, c, A),
    where=(AtMost(k, L),),
    published=(
        Published({L: 80, k: 2, c: 67 * 10**6, A: 10**9}, 4680 * 10**6, Source("80 layers of 1 GB", "checkpoints of 67 MB")),
    ),
)

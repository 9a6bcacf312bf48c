"""With a checkpoint every k layers, one in k of the layers' inputs is kept.

Bytes of the checkpoints alone, from the end of the forward pass to the beginning of the backward pass. The last
segment may be shorter than k, and still has its checkpoint.
"""

from sympy import ceiling

from ...algebra.formula import Formula, Source
from ...algebra.hypotheses import Divides
from ...algebra.steps import Same
from ...algebra.vocabulary import A_kept, L, c, k
from .checkpoints import checkpointed

kept_checkpoints = Formula(
    __name__,
    defines=A_kept,
    start=ceiling(L / k) * c,
    steps=(Same(c * L / k, "no segment is shorter than k layers", given=(Divides(k, L),)),),
    source=Source("arXiv:1604.06174", "section 4"),
    counted=lambda L, k, c: sum(c for _ in checkpointed(L, k)),
)

"""With gathers ahead and reductions behind, a step takes its two passes, one after the other.

The loss stands between them, and the optimizer after them; both are left out. Layers are freed after the forward pass and gathered again.
"""

from fractions import Fraction

from sympy import Integer

from ...algebra.formula import Formula, Source
from ...algebra.hypotheses import AtMost
from ...algebra.steps import Using
from ...algebra.vocabulary import L, T_bwd, T_fwd, T_step
from ..time.timeline import Number, finish
from .prefetched_backward import count as back
from .prefetched_backward import prefetched_backward
from .prefetched_forward import count as forth
from .prefetched_forward import prefetched_forward


def count(L: int, T_ag: Number, T_rs: Number, T_lf: Number, T_lb: Number) -> Fraction:
    """One schedule after the other."""
    return finish(forth(L, T_ag, T_lf), back(L, T_ag, T_rs, T_lb))


prefetched_step = Formula(
    __name__,
    defines=T_step,
    start=T_fwd + T_bwd,
    steps=(
        Using(prefetched_forward.exact + T_bwd, "forward", lemma=prefetched_forward),
        Using(prefetched_forward.exact + prefetched_backward.exact, "and backward", lemma=prefetched_backward),
    ),
    source=Source("arXiv:2304.11277", "section 3.3"),
    counted=count,
    where=(AtMost(Integer(2), L),),
)

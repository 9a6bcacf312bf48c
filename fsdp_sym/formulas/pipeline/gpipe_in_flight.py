"""Under GPipe every stage keeps the activations of all micro-batches.

Nothing comes back before everything has gone forward, on whatever stage: more micro-batches make the bubble smaller and the memory larger.
"""

from sympy import Sum

from ...algebra.formula import Formula, Source
from ...algebra.steps import Same
from ...algebra.vocabulary import K_mb, i, n_gpipe
from .schedule import all_forward_all_backward, in_flight


def count(K_mb: int) -> int:
    """Whatever the stage: here of as many as there are micro-batches."""
    (found,) = {in_flight(order) for order in all_forward_all_backward(K_mb, K_mb)}
    return found


gpipe_in_flight = Formula(
    __name__,
    defines=n_gpipe,
    start=Sum(1, (i, 1, K_mb)),
    steps=(Same(K_mb, "each of them has gone forward when the first comes back"),),
    source=Source("arXiv:2104.04473", "section 2.2.1: all micro-batches' activations are stashed"),
    counted=count,
)

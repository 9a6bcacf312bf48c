"""An optimizer that takes tensor after tensor needs two temporaries of the largest, beside the one it has not let go.

Bytes of temporaries on one rank at the largest shard: the root of the variance and the quotient with it; the quotient of the
tensor before is still held by its name. S_prev is 0 where the largest comes first.
"""

from sympy import Sum

from ...algebra.formula import Formula
from ...algebra.steps import Same
from ...algebra.vocabulary import M_loop, S_big, S_prev, i
from .foreach_temporaries import ADAM


def count(S_big: int, S_prev: int) -> int:
    """What has a name at that moment."""
    named = {"quotient of the tensor before": S_prev, "root of the variance": S_big, "quotient": S_big}
    return sum(named.values())


loop_temporaries = Formula(
    __name__,
    defines=M_loop,
    start=S_prev + Sum(S_big, (i, 1, 2)),
    steps=(Same(S_prev + 2 * S_big, "root of the variance and quotient"),),
    source=ADAM,
    counted=count,
)

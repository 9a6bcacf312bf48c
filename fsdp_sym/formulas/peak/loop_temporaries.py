"""An optimizer that takes tensor after tensor needs two temporaries of the largest.

Bytes of temporaries on one rank: they are let go before the next tensor, so that only the largest shard counts.
"""

from sympy import Sum

from ...algebra.formula import Formula
from ...algebra.steps import Same
from ...algebra.vocabulary import M_loop, S_big, i
from .foreach_temporaries import ADAM

loop_temporaries = Formula(
    __name__,
    defines=M_loop,
    start=Sum(S_big, (i, 1, 2)),
    steps=(Same(2 * S_big, "root of the variance and quotient"),),
    source=ADAM,
    counted=lambda S_big: sum(S_big for _ in ("root of the variance", "quotient")),
)

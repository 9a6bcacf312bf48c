"""An optimizer on one flat shard holds two temporaries of its size.

Bytes of temporaries on one rank where all parameters are one flat tensor and Adam is not fused: the root of the variance and
the quotient with it.
"""

from sympy import Sum, ceiling

from ...algebra.formula import Formula
from ...algebra.hypotheses import Divides
from ...algebra.steps import Same
from ...algebra.vocabulary import M_flat, N, P, b_t, i
from ..memory.buffers import shares
from .foreach_temporaries import ADAM

flat_temporaries = Formula(
    __name__,
    defines=M_flat,
    start=Sum(ceiling(P / N) * b_t, (i, 1, 2)),
    steps=(Same(2 * P * b_t / N, "twice an N-th of the parameters", given=(Divides(N, P),)),),
    source=ADAM,
    counted=lambda P, N, b_t: sum(max(shares(P, N)) * b_t for _ in ("root of the variance", "quotient")),
)

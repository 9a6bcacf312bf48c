"""A gather hides behind a micro-batch's forward pass, one of its passes; a second gather and a reduction behind the passes after it.

Seconds of a step in which they stick out. K_gat micro-batches gather first, K_red reduce, and where r is 1 these gather again. Passes
are taken as equally long: forward is a third of a micro-batch, and a quarter where every block is run again. A layer's first gather
and last reduction have nothing to hide behind.
"""

from fractions import Fraction

from sympy import Max, Min, Sum

from ...algebra.formula import Formula, Published, Source
from ...algebra.steps import Same
from ...algebra.vocabulary import K_gat, K_red, L_st, T_gat, T_mb, T_red, T_show, i, j, n_pass, r
from ..time.timeline import Number, exposed, in_a_row


def count(T_mb: Number, T_gat: Number, T_red: Number, L_st: int, K_gat: int, K_red: int, r: int, n_pass: int) -> Fraction:
    """Each micro-batch on a clock, pass by pass: what begins with a pass and ends after those it may lie beside sticks out."""
    forward, *others = in_a_row(*[Fraction(T_mb, n_pass)] * n_pass)
    backward = others[0][0], others[-1][1]
    (gathered,) = in_a_row(T_gat)
    first = exposed(gathered, forward)
    second = exposed((backward[0], backward[0] + r * Fraction(T_gat) + Fraction(T_red)), backward)
    return sum([first] * K_gat + [second] * K_red, Fraction(0)) + (Fraction(T_gat) * min(1, K_gat) + Fraction(T_red)) / L_st


_PASS = T_mb / n_pass
_FIRST = Max(0, T_gat - _PASS)
_SECOND = Max(0, r * T_gat + T_red - (n_pass - 1) * T_mb / n_pass)
_ENDS = (T_gat * Min(1, K_gat) + T_red) / L_st

exposed_in_step = Formula(
    __name__,
    defines=T_show,
    start=Sum(_FIRST, (i, 1, K_gat)) + Sum(Max(0, r * T_gat + T_red - Sum(_PASS, (j, 2, n_pass))), (i, 1, K_red)) + _ENDS,
    steps=(
        Same(Sum(_FIRST, (i, 1, K_gat)) + Sum(_SECOND, (i, 1, K_red)) + _ENDS, "all passes but the first come after it"),
        Same(K_gat * _FIRST + K_red * _SECOND + _ENDS, "all micro-batches wait alike"),
    ),
    source=Source("arXiv:2304.11277", "section 4.3: what is prefetched, and what is not"),
    counted=count,
    published=(
        Published(
            {T_mb: 6, T_gat: 3, T_red: 5, L_st: 2, K_gat: 0, K_red: 1, r: 0, n_pass: 3}, Fraction(7, 2),
            Source("by hand", "nothing is gathered: a second more than the backward pass takes, and half of the reduction"),
        ),
    ),
)  # fmt: skip

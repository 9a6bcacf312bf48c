"""A gather hides behind a third of a micro-batch, its forward pass; a second gather and a reduction behind the other two thirds.

Seconds of a step in which they stick out. K_gat micro-batches gather first, K_red reduce, and where r is 1 these gather again. A layer's
first gather and last reduction have nothing to hide behind. Where blocks are run again the third is taken too: then more sticks out here
than need be.
"""

from fractions import Fraction

from sympy import Max, Min

from ...algebra.formula import Formula, Published, Source
from ...algebra.vocabulary import K_gat, K_red, L_st, T_gat, T_mb, T_red, T_show, r
from ..time.timeline import Number, exposed, in_a_row


def count(T_mb: Number, T_gat: Number, T_red: Number, L_st: int, K_gat: int, K_red: int, r: int) -> Fraction:
    """Each micro-batch on a clock: what begins with a pass and ends after it sticks out."""
    forward, backward = in_a_row(Fraction(T_mb, 3), Fraction(T_mb, 3) * 2)
    (gathered,) = in_a_row(T_gat)
    first = exposed(gathered, forward)
    second = exposed((backward[0], backward[0] + r * Fraction(T_gat) + Fraction(T_red)), backward)
    return sum([first] * K_gat + [second] * K_red, Fraction(0)) + (Fraction(T_gat) * min(1, K_gat) + Fraction(T_red)) / L_st


exposed_in_step = Formula(
    __name__,
    defines=T_show,
    start=K_gat * Max(0, T_gat - T_mb / 3) + K_red * Max(0, r * T_gat + T_red - 2 * T_mb / 3) + (T_gat * Min(1, K_gat) + T_red) / L_st,
    steps=(),
    source=Source("arXiv:2304.11277", "section 4.3: what is prefetched, and what is not"),
    counted=count,
    published=(
        Published(
            {T_mb: 6, T_gat: 3, T_red: 5, L_st: 2, K_gat: 0, K_red: 1, r: 0}, Fraction(7, 2),
            Source("by hand", "nothing is gathered: a second more than the backward pass takes, and half of the reduction"),
        ),
    ),
)  # fmt: skip

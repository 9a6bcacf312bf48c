"""Communication hides completely on a link that carries its bytes within the compute time.

Solved for the bandwidth at which the bytes have just passed when the compute ends; a faster link gains nothing.
"""

from fractions import Fraction

from sympy import Eq

from ...algebra.formula import Formula, Source
from ...algebra.steps import Solved, Using
from ...algebra.vocabulary import T, T_comp, V, W, W_hide
from .timeline import passing_time
from .transfer_time import transfer_time


def count(V: int, T_comp: int | Fraction) -> Fraction:
    """How much faster than one byte a second a link must be; the one found is tried."""
    found = passing_time(V, 1) / T_comp
    assert passing_time(V, found) == T_comp
    return found


hiding_bandwidth = Formula(
    __name__,
    defines=W_hide,
    start=Eq(T, T_comp),
    steps=(
        Using(Eq(V / W_hide, T_comp), "time on the link at that bandwidth", lemma=transfer_time, at={W: W_hide}),
        Solved(V / T_comp, "the bytes must pass while the compute lasts"),
    ),
    source=Source("by definition", "bytes over time"),
    counted=count,
)

"""Below some size a tree all-reduce is faster than a ring's, above it the ring is.

The tree saves latencies: it has e levels where the ring has 2^e - 1 steps. It pays with bytes: the whole tensor a level where the ring
sends a 2^e-th a step. Both take the same time where the latencies saved are worth the bytes added. On two ranks that is at no size: the
tree has as many messages as the ring, and they are longer.
"""

from fractions import Fraction

from sympy import Integer, Sum

from ...algebra.formula import Formula, Published, Source
from ...algebra.hypotheses import AtMost
from ...algebra.steps import Same
from ...algebra.vocabulary import S_cross, T_lat, W, e, i
from ..time.timeline import Number, finish, passing_time
from .messages import hops
from .tree_all_reduce_time import levels


def lead_of_ring(size: int, e: int, W: Number, T_lat: Number) -> Fraction:
    """By how much the ring is through before the tree."""
    tree = levels(e) * finish(T_lat, passing_time(size, W))
    return tree - hops(2**e) * finish(T_lat, passing_time(Fraction(size, 2**e), W))


def count(e: int, W: Number, T_lat: Number) -> Fraction:
    """Both played with two sizes: where the line through the two leads meets zero, and there they are through together."""
    none, some = lead_of_ring(0, e, W, T_lat), lead_of_ring(2**e, e, W, T_lat)
    return int(2**e) * none / (none - some)


_SAVED = Sum(2 * T_lat, (i, 1, 2**e - 1)) - Sum(2 * T_lat, (i, 1, e))
_ADDED = Sum(2 / W, (i, 1, e)) - Sum(2 / (2**e * W), (i, 1, 2**e - 1))

tree_ring_crossover = Formula(
    __name__,
    defines=S_cross,
    start=_SAVED / _ADDED,
    steps=(
        Same(
            2 * (2**e - 1 - e) * T_lat / (2 * (e - (2**e - 1) / 2**e) / W),
            "latencies saved, over the time that each byte adds"
        ),
        Same(2**e * (2**e - 1 - e) * T_lat * W / (2**e * (e - 1) + 1), "the factor of both rounds cancels"),
    ),
    source=Source("Thakur, Rabenseifner and Gropp 2005, Optimization of collective communication operations in MPICH", "by size"),
    counted=count,
    where=(AtMost(Integer(1), e),),
    published=(
        Published({e: 1, W: 10**9, T_lat: 1}, 0, Source("by hand", "two ranks: as many messages, and the ring's are half as long")),
        Published(
            {e: 2, W: 10**9, T_lat: Fraction(1, 10**5)}, 8000,
            Source("by hand", "10 µs are worth 10 kB at 1 GB/s, and a round of the tree sends 5/4 tensors more"),
        ),
    ),
)  # fmt: skip

"""Whether a tree or a ring is the faster all-reduce is decided by the size of the tensor.

Neither always wins. Small tensors are all latency, of which the tree has less; large ones are all bytes, of which the ring sends each rank
the fewest there can be.
"""

from fractions import Fraction

from sympy import Lt, ceiling

from ...algebra.formula import Formula, Published, Source
from ...algebra.steps import Decision, Using
from ...algebra.vocabulary import S, T_lat, T_tree, W, e, treed
from ..communication.ring import shard_bytes
from ..time.timeline import Number, finish, passing_time
from .messages import hops
from .tree_all_reduce_time import levels, tree_all_reduce_time


def count(S: int, e: int, W: Number, T_lat: Number) -> bool:
    """Both played with the same tensor: which is through first."""
    (shard,) = set(shard_bytes(S, 2**e))
    return levels(e) * finish(T_lat, passing_time(S, W)) < hops(2**e) * finish(T_lat, passing_time(shard, W))


tree_is_faster = Formula(
    __name__,
    defines=treed,
    start=T_tree,
    steps=(
        Using(2 * e * (T_lat + S / W), "a tree of e levels", lemma=tree_all_reduce_time),
        Decision(
            Lt(2 * e * (T_lat + S / W), 2 * (2**e - 1) * (T_lat + ceiling(S / 2**e) / W)),
            "it is faster where it takes less than a ring of 2^e ranks",
        ),
    ),
    source=Source("Thakur, Rabenseifner and Gropp 2005, Optimization of collective communication operations in MPICH", "by size"),
    counted=count,
    published=(
        Published({S: 7996, e: 2, W: 10**9, T_lat: Fraction(1, 10**5)}, True, Source("by hand", "just below 8 kB, where both take 72 µs")),
        Published({S: 8000, e: 2, W: 10**9, T_lat: Fraction(1, 10**5)}, False, Source("by hand", "72 µs either way")),
        Published({S: 35920, e: 4, W: 10**9, T_lat: Fraction(1, 10**5)}, False, Source("by hand", "just above 176/49 of 10 kB")),
    ),
)  # fmt: skip

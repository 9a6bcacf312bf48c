"""A tree all-reduce pays two messages a level, and a level doubles the ranks.

Sums go up a binary tree and the result comes down again, the whole tensor in every message, nothing in pipeline. With 2^e ranks a tree has
e levels, where a ring has 2^e - 1 steps: few latencies, but all the bytes each time, so that trees serve small tensors.
"""

from sympy import Sum

from ...algebra.formula import Formula, Source
from ...algebra.steps import Same, Using
from ...algebra.vocabulary import S, T_lat, T_msg, T_tree, V, W, e, i
from .message_time import message_time
from .messages import one_after_another


def up(e: int) -> int:
    """Rounds in which half of the ranks that still hold a partial sum hand it to the other half, until one holds all of it."""
    holding, rounds = 2**e, 0
    while holding > 1:
        holding -= holding // 2
        rounds += 1
    return rounds


tree_all_reduce_time = Formula(
    __name__,
    defines=T_tree,
    start=Sum(2 * T_msg, (i, 1, e)),
    steps=(
        Using(Sum(2 * (T_lat + S / W), (i, 1, e)), "each message is the whole tensor", lemma=message_time, at={V: S}),
        Same(2 * e * (T_lat + S / W), "every level is passed once up and once down"),
    ),
    source=Source("Thakur, Rabenseifner and Gropp 2005, Optimization of collective communication operations in MPICH", "binomial trees"),
    counted=lambda S, e, W, T_lat: one_after_another([S] * up(e) + [S] * up(e), W, T_lat),
)

"""A tree all-reduce pays two messages a level, and a level doubles the ranks.

Sums go up a binary tree and the result comes down again, the whole tensor in every message. With 2^e ranks a tree has e levels, where a
ring has 2^e - 1 steps: few latencies, but all the bytes each time, so that trees serve small tensors. This is the plain binomial tree:
nothing runs in pipeline, and there is no second tree on the links that the first leaves idle, as there is in NCCL's double tree.
"""

from functools import cache

from sympy import Sum

from ...algebra.formula import Formula, Source
from ...algebra.steps import Same, Using
from ...algebra.vocabulary import S, T_lat, T_msg, T_tree, V, W, e, i
from .message_time import message_time
from .messages import one_after_another


@cache
def levels(e: int) -> int:
    """Rounds of a tree, up and down: pairs add up what they hold until one rank has the whole sum, then all who have it tell others."""
    partial = list(range(2**e))
    whole, rounds = sum(partial), 0
    while len(partial) > 1:
        partial = [one + other for one, other in zip(partial[::2], partial[1::2], strict=True)]
        rounds += 1
    assert partial == [whole], "no part is lost, and none is added twice"
    told = partial
    while len(told) < 2**e:
        told = told + told
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
    counted=lambda S, e, W, T_lat: one_after_another([S] * levels(e), W, T_lat),
)

"""Sharding moves more than plain data parallel exactly when parameters are gathered again.

Decided is whether a layer's step under FSDP brings a rank more bytes than plain data parallel's all-reduce.
Stages 1 and 2 of ZeRO do not: in the paper's schedule only stage 3, which gathers twice, moves more.
"""

from sympy import Gt, Integer

from ...algebra.formula import Formula, Source
from ...algebra.hypotheses import AtMost
from ...algebra.steps import Decision, Using
from ...algebra.vocabulary import N, chi, exceeds, r
from .layer_traffic import count as step_bytes
from .ring import ring_all_gather, ring_reduce_scatter
from .traffic_over_all_reduce import traffic_over_all_reduce


def count(S: int, N: int, r: int) -> bool:
    """Both sides played, and compared."""
    return step_bytes(S, N, r) > sum(ring_reduce_scatter(S, N)) + sum(ring_all_gather(S, N))


sharding_moves_more = Formula(
    __name__,
    defines=exceeds,
    start=chi,
    steps=(
        Using(1 + r / 2, "sharded traffic over the all-reduce", lemma=traffic_over_all_reduce),
        Decision(Gt(1 + r / 2, 1), "more is a ratio above 1"),
    ),
    source=Source("arXiv:1910.02054", "section 7"),
    counted=count,
    where=(AtMost(Integer(2), N),),
)

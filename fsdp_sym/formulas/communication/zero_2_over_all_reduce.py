"""ZeRO-1 and ZeRO-2 move exactly what plain data parallel moves.

Both are one reduce-scatter and one all-gather; only what is gathered differs, updated parameters instead of
summed gradients. The ratio depends neither on the tensor nor on the ranks, so it is counted for several.
"""

from fractions import Fraction

from sympy import Integer

from ...algebra.formula import Formula, Published, Source
from ...algebra.hypotheses import AtMost
from ...algebra.steps import Using
from ...algebra.vocabulary import N, S, V_ar, V_z2, chi_2
from .all_reduce import all_reduce
from .ring import broadcast_each_shard, ring_all_gather, ring_reduce_scatter
from .zero_2_traffic import zero_2_traffic


def count() -> Fraction:
    """The one ratio that groups of several sizes have in common, each owner sending its updated shard to all others."""
    ratios = set()
    for ranks in range(2, 9):
        gradients, parameters = sum(ring_reduce_scatter(10, ranks)), broadcast_each_shard(10, ranks)
        ratios.add(Fraction(gradients + parameters, sum(ring_reduce_scatter(10, ranks)) + sum(ring_all_gather(10, ranks))))
    (ratio,) = ratios
    return ratio


zero_2_over_all_reduce = Formula(
    __name__,
    defines=chi_2,
    start=V_z2 / V_ar,
    steps=(
        Using(2 * S * (N - 1) / (N * V_ar), "a reduce-scatter and an all-gather", lemma=zero_2_traffic),
        Using(Integer(1), "and so is an all-reduce", lemma=all_reduce),
    ),
    source=Source("arXiv:1910.02054", "section 7.2.1"),
    counted=count,
    where=(AtMost(Integer(2), N),),
    published=(Published({}, 1, Source("arXiv:1910.02054", "section 7.2.1: the same as data parallel")),),
)

"""The fewest ranks that fit a budget are the state over the budget, rounded up.

A rank with M_max bytes takes a whole number of parameters of B bytes each; so many such portions cover the model. All
of it is exact: a budget that is met to the byte needs no further rank, and one more parameter does.
"""

from bisect import bisect_left
from fractions import Fraction

from sympy import ceiling, floor

from ...algebra.formula import Formula, Published, Source
from ...algebra.hypotheses import AtMost, Divides
from ...algebra.steps import Same
from ...algebra.vocabulary import B, M_max, N_min, P


def count(P: int, M_max: int, B: Fraction) -> int:
    """Rank counts up to one for each parameter, tried by halving: does the largest shard fit?"""

    def fits(ranks: int) -> bool:
        each, left = divmod(P, ranks)
        return (each + (left > 0)) * B <= M_max

    return 1 + bisect_left(range(P), True, key=lambda others: fits(1 + others))


_BOUNDARY = Source("the exact boundary", "8 bytes a parameter in 0.7 of 16 GB")

ranks_for_budget = Formula(
    __name__,
    defines=N_min,
    start=ceiling(P / floor(M_max / B)),
    steps=(Same(ceiling(P * B / M_max), "no byte of the budget is left over", given=(Divides(B, M_max),)),),
    source=Source("by definition"),
    counted=count,
    where=(AtMost(B, M_max),),
    published=(
        Published({P: 32200000000, M_max: 11200000000, B: 8}, 23, _BOUNDARY),
        Published({P: 32200000001, M_max: 11200000000, B: 8}, 24, _BOUNDARY),
    ),
)

"""The fullest pipeline stage holds the layers over the stages, rounded up.

A layer is not cut. Where the stages do not divide the layers, some stages hold one more than others, and they set the pace and the memory.
"""

from collections import Counter

from sympy import ceiling

from ...algebra.formula import Formula, Source
from ...algebra.hypotheses import Divides
from ...algebra.steps import Same
from ...algebra.vocabulary import L, L_stage, N_p


def count(L: int, N_p: int) -> int:
    """Deals the layers out one by one; the first stages get the remainder."""
    return max(Counter(layer % N_p for layer in range(L)).values())


layers_of_stage = Formula(
    __name__,
    defines=L_stage,
    start=ceiling(L / N_p),
    steps=(Same(L / N_p, "every stage holds as many", given=(Divides(N_p, L),)),),
    source=Source("by definition", "whole layers on each stage"),
    counted=count,
)

"""A sequence-parallel block gathers before each half and scatters after it, and the other way round backward.

Pairs of an all-gather and a reduce-scatter in one micro-batch, the gathered inputs being kept: two a block forward, two backward.
"""

from sympy import Sum

from ...algebra.formula import Formula, Published
from ...algebra.steps import Same
from ...algebra.vocabulary import L, i, j, n_pair
from .group import pairs
from .tensor_parallel_reduces import DTENSOR

sequence_parallel_pairs = Formula(
    __name__,
    defines=n_pair,
    start=Sum(2, (j, 1, 2), (i, 1, L)),
    steps=(Same(4 * L, "two halves of a block, forward and backward"),),
    source=DTENSOR,
    counted=lambda L: len(pairs(L)),
    published=(Published({L: 1}, 4, DTENSOR),),
)

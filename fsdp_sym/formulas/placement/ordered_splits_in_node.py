"""Fewer splits keep the tensor group inside a node of 2^m GPUs.

Each degree is a power of two; the tensor degree takes at most m of the e twos, the others are free.
"""

from sympy import Sum

from ...algebra.formula import Formula, Source
from ...algebra.hypotheses import AtMost
from ...algebra.steps import Same
from ...algebra.vocabulary import e, i, j, m, n_splits_node
from .layout import splits

ordered_splits_in_node = Formula(
    __name__,
    defines=n_splits_node,
    start=Sum(Sum(1, (j, 0, e - i)), (i, 0, m)),
    steps=(
        Same(Sum(e - i + 1, (i, 0, m)), "the tensor degree takes i twos, the pipeline any number of the rest"),
        Same((m + 1) * (2 * e - m + 2) / 2, "m + 1 numbers whose mean is e + 1 - m/2"),
    ),
    source=Source("by definition", "stars and bars with one bounded part"),
    counted=lambda e, m: sum(1 for _, _, tensor in splits(2**e) if tensor <= 2**m),
    where=(AtMost(m, e),),
)

"""A world of 2^e GPUs splits into (data, pipeline, tensor) in (e+1)(e+2)/2 ways.

Each degree is a power of two, so a split shares out e twos among three degrees; which degree is which matters.
"""

from sympy import Sum

from ...algebra.formula import Formula, Source
from ...algebra.steps import Same
from ...algebra.vocabulary import e, i, j, n_splits
from .layout import splits

ordered_splits = Formula(
    __name__,
    defines=n_splits,
    start=Sum(Sum(1, (j, 0, i)), (i, 0, e)),
    steps=(
        Same(Sum(i + 1, (i, 0, e)), "where the tensor degree leaves i twos, the pipeline takes any number of them"),
        Same((e + 1) * (e + 2) / 2, "the numbers from 1 to e + 1 are added"),
    ),
    source=Source("by definition", "stars and bars: e twos, three degrees"),
    counted=lambda e: len(splits(2**e)),
)

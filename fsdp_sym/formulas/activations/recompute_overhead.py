"""Recomputing costs one more forward pass, a third of the compute where a backward pass costs two.

The extra time as a share of forward and backward together, without optimizer and communication. Every layer is computed
once more, whatever the interval.
"""

from fractions import Fraction

from sympy import Rational

from ...algebra.formula import Formula, Source
from ...algebra.hypotheses import Equal
from ...algebra.steps import Same
from ...algebra.vocabulary import T_b, T_f, omega


def count(T_f: Fraction, T_b: Fraction) -> Fraction:
    """Two timelines of a step, as events one after the other."""
    plain = [("forward", T_f), ("backward", T_b)]
    checkpointed = [("forward", T_f), ("forward again", T_f), ("backward", T_b)]
    ends = [sum(time for _, time in events) for events in (plain, checkpointed)]
    return Fraction(ends[1] - ends[0]) / ends[0]


recompute_overhead = Formula(
    __name__,
    defines=omega,
    start=T_f / (T_f + T_b),
    steps=(Same(Rational(1, 3), "a backward pass costs two forward passes", given=(Equal(T_b, 2 * T_f),)),),
    source=Source("arXiv:1604.06174", "section 4: one more forward pass"),
    counted=count,
)

"""A forward pass that gathers the next layer while one computes waits for the first gather alone, unless the link is slower.

L layers alike, each gathered on its own: while one computes, the next is gathered, so that each but the last takes the longer of both
times. Nothing runs beside the first gather, and no gather beside the last layer.
"""

from fractions import Fraction

from sympy import Max, Sum

from ...algebra.formula import Formula, Source
from ...algebra.steps import Same
from ...algebra.vocabulary import L, T_ag, T_fwd, T_lf, i
from ..time.timeline import Number
from .schedule import GPU, LINK, Job, done


def count(L: int, T_ag: Number, T_lf: Number) -> Fraction:
    """Gathers on the link, each layer on the GPU once it is there."""
    jobs = []
    for layer in range(L):
        jobs += [Job(("gather", layer), LINK, T_ag), Job(("compute", layer), GPU, T_lf, (("gather", layer),))]
    return done(jobs)


prefetched_forward = Formula(
    __name__,
    defines=T_fwd,
    start=T_ag + Sum(Max(T_lf, T_ag), (i, 1, L - 1)) + T_lf,
    steps=(Same(T_ag + (L - 1) * Max(T_lf, T_ag) + T_lf, "all layers but the last are alike"),),
    source=Source("arXiv:2304.11277", "section 3.3: forward prefetching"),
    counted=count,
)

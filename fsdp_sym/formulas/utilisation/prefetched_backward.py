"""A backward pass that gathers ahead and reduces behind leaves its first gather and its last reduction exposed, at the least.

L layers alike, from the last one down: while one computes, the link gathers the next and reduces the gradients of the one before. The
first layer has nothing to reduce beside it and the last nothing to gather; both collectives share the link.
"""

from fractions import Fraction

from sympy import Integer, Max, Sum

from ...algebra.formula import Formula, Source
from ...algebra.hypotheses import AtMost
from ...algebra.steps import Same
from ...algebra.vocabulary import L, T_ag, T_bwd, T_lb, T_rs, i
from ..time.timeline import Number
from .schedule import GPU, LINK, Job, done


def count(L: int, T_ag: Number, T_rs: Number, T_lb: Number) -> Fraction:
    """The link takes each gather before the reduction of the layer that computes meanwhile."""
    gathers = [Job(("gather", layer), LINK, T_ag) for layer in range(L)]
    jobs = gathers[:1]
    for layer in range(L):
        jobs += [Job(("compute", layer), GPU, T_lb, (("gather", layer),)), *gathers[layer + 1 : layer + 2]]
        jobs.append(Job(("reduce", layer), LINK, T_rs, (("compute", layer),)))
    return done(jobs)


prefetched_backward = Formula(
    __name__,
    defines=T_bwd,
    start=T_ag + Max(T_lb, T_ag) + Sum(Max(T_lb, T_ag + T_rs), (i, 2, L - 1)) + Max(T_lb, T_rs) + T_rs,
    steps=(
        Same(
            T_ag + Max(T_lb, T_ag) + (L - 2) * Max(T_lb, T_ag + T_rs) + Max(T_lb, T_rs) + T_rs,
            "all layers between the first and the last are alike",
        ),
    ),
    source=Source("arXiv:2304.11277", "section 3.3: backward prefetching"),
    counted=count,
    where=(AtMost(Integer(2), L),),
)  # fmt: skip

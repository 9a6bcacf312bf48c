"""Gradients that are reduced bucket by bucket leave the last bucket exposed, at the least.

Plain data parallel: a bucket is reduced once all its layers have their gradients, while the layers of the next compute. Small buckets
expose less, and pay a latency each.
"""

from fractions import Fraction

from sympy import Max, Sum

from ...algebra.formula import Formula, Published, Source
from ...algebra.steps import Same
from ...algebra.vocabulary import T_bkt, T_lb, T_lr, i, k_bkt, n_bkt
from ..time.timeline import Number
from .schedule import GPU, LINK, Job, done


def count(T_lb: Number, n_bkt: int, k_bkt: int, T_lr: Number) -> Fraction:
    """Layer after layer on the GPU; a bucket's layers go over the link once the last of them has computed."""
    jobs = []
    for bucket in range(n_bkt):
        jobs += [Job(("compute", bucket), GPU, T_lb) for _ in range(k_bkt)]
        jobs += [Job(("reduce", bucket), LINK, T_lr, (("compute", bucket),)) for _ in range(k_bkt)]
    return done(jobs)


bucketed_backward = Formula(
    __name__,
    defines=T_bkt,
    start=k_bkt * T_lb + Sum(k_bkt * Max(T_lb, T_lr), (i, 1, n_bkt - 1)) + k_bkt * T_lr,
    steps=(Same(k_bkt * (T_lb + (n_bkt - 1) * Max(T_lb, T_lr) + T_lr), "all buckets but the last are alike"),),
    source=Source("arXiv:2006.15704", "section 3.2: gradient bucketing"),
    counted=count,
    published=(
        Published(
            {n_bkt: 5, k_bkt: 2, T_lb: Fraction(5, 1000), T_lr: Fraction(3, 1000)}, Fraction(56, 1000),
            Source("by hand", "ten layers in buckets of two: 50 ms of compute, and the last bucket's 6 ms"),
        ),
    ),
)  # fmt: skip

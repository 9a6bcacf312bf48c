"""Where every layer computes as long as the link needs, two gathers and one reduction stay exposed, however many layers there are.

The time that a step takes beyond its compute: the first gather of each pass, and the last reduction. On a slower link, or with fewer
tokens, every layer adds what it cannot hide.
"""

from fractions import Fraction

from sympy import Integer

from ...algebra.formula import Formula, Source
from ...algebra.hypotheses import AtMost
from ...algebra.steps import Same, Using
from ...algebra.vocabulary import L, T_ag, T_exposed, T_lb, T_lf, T_rs, T_step
from ..time.timeline import Number
from .prefetched_step import count as step
from .prefetched_step import prefetched_step


def count(L: int, T_ag: Number, T_rs: Number, T_lf: Number, T_lb: Number) -> Fraction:
    """The step, and the same step on a link that takes no time."""
    return step(L, T_ag, T_rs, T_lf, T_lb) - step(L, 0, 0, T_lf, T_lb)


exposed_with_prefetch = Formula(
    __name__,
    defines=T_exposed,
    start=T_step - L * (T_lf + T_lb),
    steps=(
        Using(prefetched_step.exact - L * (T_lf + T_lb), "both passes", lemma=prefetched_step),
        Same(
            2 * T_ag + T_rs, "each layer hides what the link carries beside it",
            given=(AtMost(T_ag, T_lf), AtMost(T_ag + T_rs, T_lb)),
        ),
    ),
    source=Source("arXiv:2304.11277", "section 3.3"),
    counted=count,
    where=(AtMost(Integer(2), L),),
)  # fmt: skip

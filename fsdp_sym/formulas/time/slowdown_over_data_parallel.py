"""Against plain data parallel, FSDP is slower only by what it communicates more.

Both steps are taken without overlap, on the same link and with the same compute; plain data parallel waits for
its all-reduce. Nothing is lost where parameters stay gathered (r = 0).
"""

from fractions import Fraction

from sympy import Integer

from ...algebra.formula import Formula, Source
from ...algebra.hypotheses import AtMost
from ...algebra.steps import Same, Using
from ...algebra.vocabulary import N, T_comm, T_comp, T_dp, T_step, r, sigma_dp
from .data_parallel_time import count as data_parallel
from .data_parallel_time import data_parallel_time
from .step_without_overlap import step_without_overlap
from .timeline import finish


def count(T_comp: int | Fraction, T_comm: int | Fraction, N: int, r: int) -> Fraction:
    """The ends of two timelines, one over the other."""
    sharded = finish(T_comp, T_comm)
    replicated = finish(T_comp, data_parallel(T_comm, N, r))
    return (sharded - replicated) / replicated


slowdown_over_data_parallel = Formula(
    __name__,
    defines=sigma_dp,
    start=T_step / (T_comp + T_dp) - 1,
    steps=(
        Using((T_comp + T_comm) / (T_comp + T_dp) - 1, "FSDP computes and then communicates", lemma=step_without_overlap),
        Using((T_comp + T_comm) / (T_comp + 2 * T_comm / (2 + r)) - 1, "so does data parallel, for less long", lemma=data_parallel_time),
        Same(r * T_comm / ((2 + r) * T_comp + 2 * T_comm), "over the common denominator"),
    ),
    source=Source("by definition", "step time over step time, less one"),
    counted=count,
    where=(AtMost(Integer(2), N),),
)

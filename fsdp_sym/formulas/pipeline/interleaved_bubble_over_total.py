"""Over the total time an interleaved pipeline's bubble is (N_p - 1) / (n_chk K_mb + N_p - 1).

The total time is work and bubble together. Chunks divide the bubble and so shorten the total as well: this share falls by a little less
than their number.
"""

from fractions import Fraction

from ...algebra.formula import Formula, Published, Source
from ...algebra.hypotheses import AtMost
from ...algebra.steps import Same, Using
from ...algebra.vocabulary import K_mb, N_p, T_chk, beta_chk_total, n_chk, t_b, t_f
from ..time.timeline import Number
from .interleaved_pipeline_time import INTERLEAVED, interleaved_pipeline_time
from .schedule import step_time, work_of_stage


def count(N_p: int, K_mb: int, n_chk: int, t_f: Number, t_b: Number) -> Fraction:
    """How long a stage stands idle in the schedule that was played, over the whole step."""
    step, work = step_time(N_p, K_mb, n_chk, t_f, t_b), work_of_stage(K_mb, t_f, t_b)
    return (step - work) / step


interleaved_bubble_over_total = Formula(
    __name__,
    defines=beta_chk_total,
    start=(T_chk - K_mb * (t_f + t_b)) / T_chk,
    steps=(
        Using(
            ((K_mb * n_chk + N_p - 1) * (t_f + t_b) / n_chk - K_mb * (t_f + t_b)) / ((K_mb * n_chk + N_p - 1) * (t_f + t_b) / n_chk),
            "how long a step takes", lemma=interleaved_pipeline_time,
        ),
        Same((N_p - 1) / (K_mb * n_chk + N_p - 1), "a stage is idle for the time of N_p - 1 chunks"),
    ),
    source=INTERLEAVED,
    counted=count,
    where=(AtMost(N_p, K_mb),),
    published=(
        Published(
            {N_p: 8, K_mb: 32, n_chk: 4, t_f: 1, t_b: 2}, Fraction(518519, 10**7),
            Source("arXiv:2104.04473", "section 2.2.2: 8 stages, 32 micro-batches, 4 chunks"), digits=6,
        ),
    ),
)  # fmt: skip

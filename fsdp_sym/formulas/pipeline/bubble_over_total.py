"""Over the total time of a step a pipeline's bubble is (N_p - 1) / (K_mb + N_p - 1).

The total time is work and bubble together, so this share stays below 1: it is the part of a GPU's hours in which it stands idle, and
what it leaves is the pipeline's efficiency. With many micro-batches it comes near the bubble over the ideal time.
"""

from fractions import Fraction

from ...algebra.formula import Formula, Published, Source
from ...algebra.steps import Same, Using
from ...algebra.vocabulary import K_mb, N_p, T_pipe, beta_total, t_b, t_f
from ..time.timeline import Number
from .pipeline_time import pipeline_time
from .schedule import step_time, work_of_stage

GPIPE = Source("arXiv:1811.06965", "section 2.3: bubble of (K - 1) in (M + K - 1)")


def count(N_p: int, K_mb: int, t_f: Number, t_b: Number) -> Fraction:
    """How long a stage stands idle in the schedule that was played, over the whole step."""
    step, work = step_time(N_p, K_mb, 1, t_f, t_b), work_of_stage(K_mb, t_f, t_b)
    return (step - work) / step


bubble_over_total = Formula(
    __name__,
    defines=beta_total,
    start=(T_pipe - K_mb * (t_f + t_b)) / T_pipe,
    steps=(
        Using(
            ((K_mb + N_p - 1) * (t_f + t_b) - K_mb * (t_f + t_b)) / ((K_mb + N_p - 1) * (t_f + t_b)), "how long a step takes",
            lemma=pipeline_time,
        ),
        Same((N_p - 1) / (K_mb + N_p - 1), "a stage is idle for the time of N_p - 1 micro-batches"),
    ),
    source=GPIPE,
    counted=count,
    published=(Published({N_p: 8, K_mb: 32, t_f: 1, t_b: 2}, Fraction(17949, 10**5), GPIPE, digits=5),),
)  # fmt: skip

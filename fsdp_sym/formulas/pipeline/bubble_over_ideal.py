"""Over the ideal time of a step a pipeline's bubble is (N_p - 1) / K_mb.

The bubble is the time in which a stage stands idle; the ideal time is the time in which it works, as if there were no bubble. This share
says by how much the pipeline lengthens the step; it may exceed 1. Of what the step takes, less than this share is lost: see
bubble_over_total.
"""

from fractions import Fraction

from ...algebra.formula import Formula, Published, Source
from ...algebra.steps import Same, Using
from ...algebra.vocabulary import K_mb, N_p, T_pipe, beta_ideal, t_b, t_f
from ..time.timeline import Number
from .pipeline_time import pipeline_time
from .schedule import step_time, work_of_stage


def count(N_p: int, K_mb: int, t_f: Number, t_b: Number) -> Fraction:
    """How long a stage stands idle in the schedule that was played, over how long it works."""
    step, work = step_time(N_p, K_mb, 1, t_f, t_b), work_of_stage(K_mb, t_f, t_b)
    return (step - work) / work


bubble_over_ideal = Formula(
    __name__,
    defines=beta_ideal,
    start=(T_pipe - K_mb * (t_f + t_b)) / (K_mb * (t_f + t_b)),
    steps=(
        Using(((K_mb + N_p - 1) * (t_f + t_b) - K_mb * (t_f + t_b)) / (K_mb * (t_f + t_b)), "how long a step takes", lemma=pipeline_time),
        Same((N_p - 1) / K_mb, "a micro-batch's time for each stage but one, against its time for each micro-batch"),
    ),
    source=Source("arXiv:2104.04473", "section 2.2.1: bubble time fraction"),
    counted=count,
    published=(
        Published(
            {N_p: 8, K_mb: 32, t_f: 1, t_b: 2}, Fraction(21875, 10**5),
            Source("arXiv:2104.04473", "section 2.2.1: 8 stages, 32 micro-batches"),
        ),
    ),
)  # fmt: skip

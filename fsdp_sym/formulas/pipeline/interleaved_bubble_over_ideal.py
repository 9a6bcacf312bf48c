"""Over the ideal time an interleaved pipeline's bubble is (N_p - 1) / (n_chk K_mb).

The ideal time is the time in which a stage works; chunks leave it as it is and divide the bubble, since the pipeline fills and empties a
chunk at a time. With one chunk it is the bubble of a plain pipeline over the same ideal time.
"""

from fractions import Fraction

from ...algebra.formula import Formula, Published, Source
from ...algebra.hypotheses import AtMost
from ...algebra.steps import Same, Using
from ...algebra.vocabulary import K_mb, N_p, T_chk, beta_chk, n_chk, t_b, t_f
from ..time.timeline import Number
from .interleaved_pipeline_time import INTERLEAVED, interleaved_pipeline_time
from .schedule import step_time, work_of_stage


def count(N_p: int, K_mb: int, n_chk: int, t_f: Number, t_b: Number) -> Fraction:
    """How long a stage stands idle in the schedule that was played, over how long it works."""
    step, work = step_time(N_p, K_mb, n_chk, t_f, t_b), work_of_stage(K_mb, t_f, t_b)
    return (step - work) / work


interleaved_bubble_over_ideal = Formula(
    __name__,
    defines=beta_chk,
    start=(T_chk - K_mb * (t_f + t_b)) / (K_mb * (t_f + t_b)),
    steps=(
        Using(
            ((K_mb * n_chk + N_p - 1) * (t_f + t_b) / n_chk - K_mb * (t_f + t_b)) / (K_mb * (t_f + t_b)), "how long a step takes",
            lemma=interleaved_pipeline_time,
        ),
        Same((N_p - 1) / (K_mb * n_chk), "a chunk's time for each stage but one, against all chunks of all micro-batches"),
    ),
    source=INTERLEAVED,
    counted=count,
    where=(AtMost(N_p, K_mb),),
    published=(
        Published(
            {N_p: 8, K_mb: 32, n_chk: 4, t_f: 1, t_b: 2}, Fraction(546875, 10**7),
            Source("arXiv:2104.04473", "section 2.2.2: 8 stages, 32 micro-batches, 4 chunks"),
        ),
    ),
)  # fmt: skip

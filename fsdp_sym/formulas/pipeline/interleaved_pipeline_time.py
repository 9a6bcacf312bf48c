"""Where every stage holds several chunks of the model, the pipeline fills and empties a chunk at a time.

A chunk takes a part of a stage's time, and N_p - 1 of them go in before the last stage starts and come out after it ends. Micro-batches
pass the chunks in rounds, and a round must have as many of them as there are stages, at least: fewer would leave gaps between a chunk and
the next. Where every round is just so long, as in the paper, the stages must divide the micro-batches; a longer round takes no longer, but
keeps more.
"""

from fractions import Fraction

from sympy import Sum

from ...algebra.formula import Formula, Source
from ...algebra.hypotheses import AtMost
from ...algebra.steps import Same
from ...algebra.vocabulary import K_mb, N_p, T_chk, i, j, n_chk, t_b, t_f
from ..time.timeline import Number
from .schedule import step_time

INTERLEAVED = Source("arXiv:2104.04473", "section 2.2.2: schedule with interleaved stages")


def count(N_p: int, K_mb: int, n_chk: int, t_f: Number, t_b: Number) -> Fraction:
    """Plays interleaved 1F1B, chunk by chunk."""
    return step_time(N_p, K_mb, n_chk, t_f, t_b)


interleaved_pipeline_time = Formula(
    __name__,
    defines=T_chk,
    start=Sum(t_f / n_chk, (i, 1, N_p - 1)) + Sum((t_f + t_b) / n_chk, (j, 1, K_mb * n_chk)) + Sum(t_b / n_chk, (i, 1, N_p - 1)),
    steps=(
        Same((N_p - 1) * (t_f + t_b) / n_chk + K_mb * (t_f + t_b), "the way in and the way out pass one chunk of each stage"),
        Same((K_mb * n_chk + N_p - 1) * (t_f + t_b) / n_chk, "one chunk more for each stage but one"),
    ),
    source=INTERLEAVED,
    counted=count,
    where=(AtMost(N_p, K_mb),),
)

"""A step through a pipeline takes as long as one stage works on all its micro-batches, and on one more for every other stage.

Followed on the last stage: the first micro-batch comes through the stages before it, then one micro-batch after another goes forward and
back, and the last one goes back through the stages before. All stages take the same time and sending takes none. It does not matter
whether all go forward first (GPipe) or each comes back as soon as it can (1F1B): only what is kept meanwhile differs.
"""

from fractions import Fraction

from sympy import Sum

from ...algebra.formula import Formula, Source
from ...algebra.steps import Same
from ...algebra.vocabulary import K_mb, N_p, T_pipe, i, j, t_b, t_f
from ..time.timeline import Number, ticks
from .schedule import all_forward_all_backward, step_end, step_time

MEGATRON = Source("arXiv:2104.04473", "section 2.2.1: GPipe and 1F1B have the same bubble")


def count(N_p: int, K_mb: int, t_f: Number, t_b: Number) -> Fraction:
    """Plays 1F1B task by task, and GPipe, which must take as long."""
    to, back, second = ticks(t_f, t_b, 1)
    found = step_time(N_p, K_mb, 1, t_f, t_b)
    assert found * second == step_end(all_forward_all_backward(N_p, K_mb), [to] * N_p, [back] * N_p)
    return found


pipeline_time = Formula(
    __name__,
    defines=T_pipe,
    start=Sum(t_f, (i, 1, N_p - 1)) + Sum(t_f + t_b, (j, 1, K_mb)) + Sum(t_b, (i, 1, N_p - 1)),
    steps=(
        Same((N_p - 1) * (t_f + t_b) + K_mb * (t_f + t_b), "the way in and the way out pass the same stages"),
        Same((K_mb + N_p - 1) * (t_f + t_b), "one micro-batch more for each stage but one"),
    ),
    source=MEGATRON,
    counted=count,
)

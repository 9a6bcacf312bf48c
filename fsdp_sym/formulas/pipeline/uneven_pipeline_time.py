"""The slowest stage sets the pace of a pipeline: every micro-batch waits for it.

One stage takes x_slow times as long as each of the others, as the last one may with its head. While it works through its micro-batches
the others wait; each of them adds its own time only once. Where the slow stage stands does not matter when all go forward first (GPipe);
1F1B takes as long where it is the last one, and never longer.
"""

from fractions import Fraction

from sympy import Sum

from ...algebra.formula import Formula, Source
from ...algebra.steps import Same
from ...algebra.vocabulary import K_mb, N_p, T_slow, i, j, t_b, t_f, x_slow
from ..time.timeline import Number, ticks
from .schedule import all_forward_all_backward, alternating_orders, step_end


def count(N_p: int, K_mb: int, t_f: Number, t_b: Number, x_slow: Number) -> Fraction:
    """Plays GPipe with the last stage slow, and 1F1B, which must take as long."""
    to, back, slow_to, slow_back, second = ticks(t_f, t_b, t_f * x_slow, t_b * x_slow, 1)
    forward, backward = ([each for _ in range(N_p - 1)] + [last] for each, last in ((to, slow_to), (back, slow_back)))
    found = step_end(all_forward_all_backward(N_p, K_mb), forward, backward)
    assert found == step_end(alternating_orders(N_p, K_mb), forward, backward)
    return Fraction(found, second)


uneven_pipeline_time = Formula(
    __name__,
    defines=T_slow,
    start=Sum(t_f, (i, 1, N_p - 1)) + Sum(x_slow * (t_f + t_b), (j, 1, K_mb)) + Sum(t_b, (i, 1, N_p - 1)),
    steps=(
        Same((N_p - 1) * (t_f + t_b) + K_mb * x_slow * (t_f + t_b), "the way in and the way out pass every other stage"),
        Same((K_mb * x_slow + N_p - 1) * (t_f + t_b), "a slower stage counts as so many micro-batches more"),
    ),
    source=Source("arXiv:1811.06965", "section 2.2: layers are cut into stages of even cost"),
    counted=count,
)

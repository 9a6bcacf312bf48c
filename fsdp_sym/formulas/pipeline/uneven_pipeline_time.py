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
from .schedule import all_forward_all_backward, alternating_orders, play


def count(N_p: int, K_mb: int, t_f: Number, t_b: Number, x_slow: Number) -> Fraction:
    """Plays GPipe with the slow stage first, in the middle and last, and 1F1B beside it."""
    quick_to, quick_back, slow_to, slow_back, second = ticks(t_f, t_b, t_f * x_slow, t_b * x_slow, 1)
    found = set()
    for slow in {0, N_p // 2, N_p - 1}:
        to, back = ([late if at == slow else soon for at in range(N_p)] for soon, late in ((quick_to, slow_to), (quick_back, slow_back)))
        gpipe, alternating = (
            max(row[-1] for row in play(orders, to, back))
            for orders in (all_forward_all_backward(N_p, K_mb), alternating_orders(N_p, K_mb))
        )
        assert alternating == gpipe if slow == N_p - 1 else alternating <= gpipe
        found.add(gpipe)
    (end,) = found
    return Fraction(end, second)


uneven_pipeline_time = Formula(
    __name__,
    defines=T_slow,
    start=Sum(t_f, (i, 1, N_p - 1)) + Sum(x_slow * (t_f + t_b), (j, 1, K_mb)) + Sum(t_b, (i, 1, N_p - 1)),
    steps=(
        Same((N_p - 1) * (t_f + t_b) + K_mb * x_slow * (t_f + t_b), "the way in and the way out pass every other stage"),
        Same((K_mb * x_slow + N_p - 1) * (t_f + t_b), "a slower stage counts as so many micro-batches more"),
    ),
    source=Source("arXiv:1811.06965", "section 2.3: stages are balanced, since the slowest bounds them all"),
    counted=count,
)

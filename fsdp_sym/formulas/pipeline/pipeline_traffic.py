"""A middle stage receives a hidden vector from before and a gradient from behind for each chunk and micro-batch.

Bytes a rank receives in one step. Interleaving pays here: with n_chk chunks everything crosses n_chk times as many borders. The first
and the last stage receive a little less, since the model ends there.
"""

from sympy import Sum

from ...algebra.formula import Formula
from ...algebra.steps import Same, Using
from ...algebra.vocabulary import K_mb, V_hand, V_pipe, b, b_a, d, i, n_chk, s
from .handover import handover
from .interleaved_pipeline_time import INTERLEAVED
from .schedule import alternating_orders


def count(K_mb: int, n_chk: int, b: int, s: int, d: int, b_a: int) -> int:
    """The middle one of three stages: everything it needs was done on another stage, and comes as a message."""
    orders = alternating_orders(3, K_mb, n_chk)
    stage_of = {part: stage for stage, order in enumerate(orders) for _, part, _ in order}
    came_from = [stage_of[part - 1 if ahead else part + 1] for ahead, part, _ in orders[1]]
    assert set(came_from) == {0, 2}
    return sum(b * s * d * b_a for _ in came_from)


pipeline_traffic = Formula(
    __name__,
    defines=V_pipe,
    start=Sum(2 * V_hand, (i, 1, K_mb * n_chk)),
    steps=(
        Using(Sum(2 * b * s * d * b_a, (i, 1, K_mb * n_chk)), "a hidden vector for each token, either way", lemma=handover),
        Same(2 * b * s * d * b_a * K_mb * n_chk, "as many times as there are chunks and micro-batches"),
    ),
    source=INTERLEAVED,
    counted=count,
)

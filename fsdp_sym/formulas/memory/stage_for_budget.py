"""The stage to take is the smallest whose state fits the budget.

A higher stage shards more and, at stage 3, moves more; so the first that fits is enough. Stage 0 is a plain replica. Where
even stage 3 is too large the answer is infinite: no stage fits, and only more ranks or a smaller model help.
"""

import math

from sympy import Expr, Piecewise, oo

from ...algebra.formula import Formula, Published, Source
from ...algebra.steps import Using
from ...algebra.vocabulary import M_0, M_1, M_2, M_3, M_max, N, P, b_c, b_g, b_m, b_v, b_w, b_x, z_min
from .buffers import fullest_rank, kept
from .replicated_state import replicated_state
from .sharded_state import sharded_state
from .zero_1_state import zero_1_state
from .zero_2_state import zero_2_state


def first_fit(*states: Expr) -> Piecewise:
    """The place of the first state within the budget."""
    return Piecewise(*((stage, state <= M_max) for stage, state in enumerate(states)), (oo, True))


def count(P: int, N: int, M_max: int, b_w: int, b_g: int, b_c: int, b_m: int, b_v: int, b_x: int) -> float:
    """Each stage laid out in turn, until one fits."""
    buffers = kept(b_w, b_g, b_c, b_m, b_v, b_x)
    return next((stage for stage in range(4) if fullest_rank(P, N, buffers, stage) <= M_max), math.inf)


REPLICA = P * (b_w + b_g + b_c + b_m + b_v + b_x)
STAGE_1 = P * (b_w + b_g) + P * (b_c + b_m + b_v + b_x) / N
STAGE_2 = P * b_w + P * (b_g + b_c + b_m + b_v + b_x) / N
STAGE_3 = P * (b_w + b_g + b_c + b_m + b_v + b_x) / N

_AT = {P: 3 * 10**9, N: 8, b_w: 2, b_g: 2, b_c: 4, b_m: 4, b_v: 4, b_x: 0}
_EDGE = Source("a 3B model on 8 ranks", "budgets met to the byte")

stage_for_budget = Formula(
    __name__,
    defines=z_min,
    start=first_fit(M_0, M_1, M_2, M_3),
    steps=(
        Using(first_fit(REPLICA, M_1, M_2, M_3), "stage 0 keeps a full replica on every rank", lemma=replicated_state),
        Using(first_fit(REPLICA, STAGE_1, M_2, M_3), "stage 1 deals the optimizer states out over the ranks", lemma=zero_1_state),
        Using(first_fit(REPLICA, STAGE_1, STAGE_2, M_3), "stage 2 deals the gradients out as well", lemma=zero_2_state),
        Using(
            first_fit(REPLICA, STAGE_1, STAGE_2, STAGE_3),
            "stage 3 deals the parameters out too, and nothing is left whole",
            lemma=sharded_state,
        ),
    ),
    source=Source("arXiv:1910.02054", "section 5"),
    counted=count,
    published=(
        Published({**_AT, M_max: 48 * 10**9}, 0, _EDGE),
        Published({**_AT, M_max: 16500000000}, 1, _EDGE),
        Published({**_AT, M_max: 11250000000}, 2, _EDGE),
        Published({**_AT, M_max: 6 * 10**9}, 3, _EDGE),
        Published({**_AT, M_max: 6 * 10**9 - 1}, oo, _EDGE),
    ),
)

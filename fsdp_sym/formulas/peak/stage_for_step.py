"""A stage fits when its fullest moment does, not when its state does.

The smallest stage that leaves room for the temporaries of the optimizer step and for what no formula counts. The widths are those of
the step: a gradient that is widened for it counts as wide as it then is.
"""

import math

from sympy import Expr, Piecewise

from ...algebra.formula import Formula, Published, Source
from ...algebra.steps import Using
from ...algebra.vocabulary import M_0, M_1, M_2, M_3, M_max, M_over, M_tmp, N, P, b_c, b_g, b_m, b_v, b_w, b_x, z_step
from ..memory.buffers import fullest_rank, kept
from ..memory.replicated_state import replicated_state
from ..memory.sharded_state import sharded_state
from ..memory.stage_for_budget import REPLICA, STAGE_1, STAGE_2, STAGE_3, first_fit
from ..memory.zero_1_state import zero_1_state
from ..memory.zero_2_state import zero_2_state


def first_step(*states: Expr) -> Piecewise:
    """The place of the first state within the budget, with temporaries and margin beside it."""
    return first_fit(*(state + M_tmp + M_over for state in states))


def count(P: int, N: int, M_max: int, M_tmp: int, M_over: int, b_w: int, b_g: int, b_c: int, b_m: int, b_v: int, b_x: int) -> float:
    """Each stage laid out in turn, with the temporaries beside it, until one fits."""
    buffers = kept(b_w, b_g, b_c, b_m, b_v, b_x)
    return next((stage for stage in range(4) if fullest_rank(P, N, buffers, stage) + M_tmp + M_over <= M_max), math.inf)


_RAN = Source("hiyouga/LlamaFactory, issue 1221", "stage 2 died in Adam's step, stage 3 ran")

stage_for_step = Formula(
    __name__,
    defines=z_step,
    start=first_step(M_0, M_1, M_2, M_3),
    steps=(
        Using(first_step(REPLICA, M_1, M_2, M_3), "stage 0 shares nothing out", lemma=replicated_state),
        Using(first_step(REPLICA, STAGE_1, M_2, M_3), "stage 1 shares out the optimizer states", lemma=zero_1_state),
        Using(first_step(REPLICA, STAGE_1, STAGE_2, M_3), "stage 2 the gradients too", lemma=zero_2_state),
        Using(first_step(REPLICA, STAGE_1, STAGE_2, STAGE_3), "and stage 3 the parameters", lemma=sharded_state),
    ),
    source=_RAN,
    counted=count,
    published=tuple(
        Published(
            {P: 6738415616, N: 8, b_w: 2, b_g: 4, b_c: 4, b_m: 4, b_v: 4, b_x: 0, M_tmp: held, M_max: 34091302912, M_over: 2**29},
            stage, _RAN,
        )
        for held, stage in ((6738415616, 3), (0, 2))
    ),
)  # fmt: skip

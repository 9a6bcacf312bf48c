"""A shard fits a device where an N-th of the state does.

The sharded model state of the fullest rank against the device's budget. Activations and gathered units come on top;
a budget that is met exactly is met.
"""

from ...algebra.formula import Formula, Published, Source
from ...algebra.steps import Decision, Using
from ...algebra.vocabulary import M_3, M_max, N, P, b_c, b_g, b_m, b_v, b_w, b_x, fits
from .buffers import fullest_rank, kept
from .sharded_state import sharded_state

_FP32 = {P: 7 * 10**9, N: 8, b_w: 4, b_g: 4, b_c: 0, b_m: 4, b_v: 4, b_x: 0}
_EDGE = Source("a 7B model in fp32 on 8 ranks", "16 bytes a parameter, to the byte")

shard_fits = Formula(
    __name__,
    defines=fits,
    start=M_3,
    steps=(
        Using(P * (b_w + b_g + b_c + b_m + b_v + b_x) / N, "an N-th of everything", lemma=sharded_state),
        Decision(P * (b_w + b_g + b_c + b_m + b_v + b_x) / N <= M_max, "against the budget"),
    ),
    source=Source("by definition"),
    counted=lambda P, N, M_max, b_w, b_g, b_c, b_m, b_v, b_x: fullest_rank(P, N, kept(b_w, b_g, b_c, b_m, b_v, b_x), stage=3) <= M_max,
    published=(
        Published({**_FP32, M_max: 14 * 10**9}, True, _EDGE),
        Published({**_FP32, M_max: 14 * 10**9 - 1}, False, _EDGE),
    ),
)

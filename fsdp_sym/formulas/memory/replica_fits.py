"""A whole replica fits a device or it does not, and the byte decides.

The unsharded model state against the device's budget. Activations and gathered units come on top; a budget that is
met exactly is met.
"""

from ...algebra.formula import Formula, Published, Source
from ...algebra.steps import Decision, Using
from ...algebra.vocabulary import M_0, M_max, P, b_c, b_g, b_m, b_v, b_w, b_x, fits
from .buffers import kept, replica_bytes
from .replicated_state import replicated_state

_FP32 = {P: 7 * 10**9, b_w: 4, b_g: 4, b_c: 0, b_m: 4, b_v: 4, b_x: 0}
_EDGE = Source("a 7B model in fp32", "16 bytes a parameter, to the byte")

replica_fits = Formula(
    __name__,
    defines=fits,
    start=M_0,
    steps=(
        Using(P * (b_w + b_g + b_c + b_m + b_v + b_x), "a replica holds everything", lemma=replicated_state),
        Decision(P * (b_w + b_g + b_c + b_m + b_v + b_x) <= M_max, "against the budget"),
    ),
    source=Source("by definition"),
    counted=lambda P, M_max, b_w, b_g, b_c, b_m, b_v, b_x: replica_bytes(P, kept(b_w, b_g, b_c, b_m, b_v, b_x)) <= M_max,
    published=(
        Published({**_FP32, M_max: 112 * 10**9}, True, _EDGE),
        Published({**_FP32, M_max: 112 * 10**9 - 1}, False, _EDGE),
    ),
)

"""DeepSpeed's estimate of ZeRO-3 adds the largest layer, gathered with its gradient.

Bytes per rank without offload: eighteen a parameter divided, and parameter and gradient of one layer in b_w bytes each. The
estimator prints GiB and calls them GB.
"""

from fractions import Fraction

from ...algebra.formula import Formula, Published, Source
from ...algebra.vocabulary import M_ds3, N, P, P_big, b_c, b_g, b_m, b_v, b_w
from .deepspeed_zero_2 import DEEPSPEED
from .estimated import shared_out


def count(P: int, N: int, P_big: int, b_w: int, b_g: int, b_c: int, b_m: int, b_v: int) -> Fraction:
    """The shared buffers, and a layer's parameter and gradient."""
    return sum(P_big * b_w for _ in ("parameter", "gradient")) + shared_out(P, N, b_w, b_g, b_c, b_m, b_v)


deepspeed_zero_3 = Formula(
    __name__,
    defines=M_ds3,
    start=2 * P_big * b_w + P * (b_w + b_g + b_c + b_m + b_v) / N,
    steps=(),
    source=DEEPSPEED,
    counted=count,
    published=(
        Published({P: 6738415616, N: 8, P_big: 131072000, b_w: 2, b_g: 4, b_c: 4, b_m: 4, b_v: 4}, 15685723136, DEEPSPEED),
        Published(
            {P: 6805000000, N: 4, P_big: 131000000, b_w: 2, b_g: 4, b_c: 4, b_m: 4, b_v: 4}, 31146500000,
            Source("deepspeedai/DeepSpeed, issue 4527", "printed 29.01GB, which are GiB"),
        ),
    ),
)  # fmt: skip

"""ZeRO-2 shards the gradients too, and leaves only the parameters on every rank.

Bytes on the fullest of N ranks. Five of the six buffers are cut into shards padded to equal length; the parameters as
the forward pass uses them stay whole and set the floor.
"""

from sympy import ceiling, oo

from ...algebra.formula import Formula, Published
from ...algebra.hypotheses import Divides
from ...algebra.steps import Near, Same
from ...algebra.vocabulary import M_2, N, P, b_c, b_g, b_m, b_v, b_w, b_x
from .buffers import fullest_rank, kept
from .zero_1_state import FIGURE

zero_2_state = Formula(
    __name__,
    defines=M_2,
    start=P * b_w + ceiling(P / N) * (b_g + b_c + b_m + b_v + b_x),
    steps=(
        Same(P * b_w + P * (b_g + b_c + b_m + b_v + b_x) / N, "no shard is padded", given=(Divides(N, P),)),
        Near(P * b_w, "the shards vanish, the parameters stay", limit=(N, oo)),
    ),
    source=FIGURE,
    counted=lambda P, N, b_w, b_g, b_c, b_m, b_v, b_x: fullest_rank(P, N, kept(b_w, b_g, b_c, b_m, b_v, b_x), stage=2),
    published=(
        Published({P: 7500000000, N: 64, b_w: 2, b_g: 2, b_c: 4, b_m: 4, b_v: 4, b_x: 0}, 16600000000, FIGURE, digits=3),
        Published({P: 128 * 10**9, N: 16, b_w: 2, b_g: 2, b_c: 4, b_m: 4, b_v: 4, b_x: 0}, 368 * 10**9, FIGURE),
        Published({P: 10**12, N: 64, b_w: 2, b_g: 2, b_c: 4, b_m: 4, b_v: 4, b_x: 0}, 2218750000000, FIGURE),
    ),
)

"""ZeRO-1 shards what the optimizer keeps, and leaves parameters and gradients on every rank.

Bytes on the fullest of N ranks. The first two buffers stay whole, the optimizer's four are cut into shards padded to
equal length, so only those shrink as ranks are added.
"""

from sympy import ceiling, oo

from ...algebra.formula import Formula, Published, Source
from ...algebra.hypotheses import Divides
from ...algebra.steps import Near, Same
from ...algebra.vocabulary import M_1, N, P, b_c, b_g, b_m, b_v, b_w, b_x
from .buffers import fullest_rank, kept

FIGURE = Source("arXiv:1910.02054", "figure 1 and table 1")

zero_1_state = Formula(
    __name__,
    defines=M_1,
    start=P * b_w + P * b_g + ceiling(P / N) * (b_c + b_m + b_v + b_x),
    steps=(
        Same(P * (b_w + b_g) + P * (b_c + b_m + b_v + b_x) / N, "no shard is padded", given=(Divides(N, P),)),
        Near(P * (b_w + b_g), "the shards vanish, what is not sharded stays", limit=(N, oo)),
    ),
    source=FIGURE,
    counted=lambda P, N, b_w, b_g, b_c, b_m, b_v, b_x: fullest_rank(P, N, kept(b_w, b_g, b_c, b_m, b_v, b_x), stage=1),
    published=(
        Published({P: 7500000000, N: 64, b_w: 2, b_g: 2, b_c: 4, b_m: 4, b_v: 4, b_x: 0}, 31400000000, FIGURE, digits=3),
        Published({P: 128 * 10**9, N: 16, b_w: 2, b_g: 2, b_c: 4, b_m: 4, b_v: 4, b_x: 0}, 608 * 10**9, FIGURE),
        Published({P: 10**12, N: 64, b_w: 2, b_g: 2, b_c: 4, b_m: 4, b_v: 4, b_x: 0}, 4187500000000, FIGURE),
    ),
)

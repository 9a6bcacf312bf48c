"""FSDP, which is ZeRO-3, shards every buffer, so that each rank holds an N-th of the state.

Bytes on the fullest of N ranks, between the steps of the forward and backward pass: nothing is gathered at that
moment. Each buffer is cut into N shards of equal length; a count that does not divide is padded.
"""

from sympy import Integer, ceiling, oo

from ...algebra.formula import Formula, Published
from ...algebra.hypotheses import Divides
from ...algebra.steps import Same, Tends
from ...algebra.vocabulary import M_3, N, P, b_c, b_g, b_m, b_v, b_w, b_x
from .buffers import fullest_rank, kept
from .zero_1_state import FIGURE

sharded_state = Formula(
    __name__,
    defines=M_3,
    start=ceiling(P / N) * (b_w + b_g + b_c + b_m + b_v + b_x),
    steps=(
        Same(P * (b_w + b_g + b_c + b_m + b_v + b_x) / N, "no shard is padded", given=(Divides(N, P),)),
        Tends(Integer(0), "nothing stays whole, so nothing stays", limit=(N, oo)),
    ),
    source=FIGURE,
    counted=lambda P, N, b_w, b_g, b_c, b_m, b_v, b_x: fullest_rank(P, N, kept(b_w, b_g, b_c, b_m, b_v, b_x), stage=3),
    published=(
        Published({P: 7500000000, N: 64, b_w: 2, b_g: 2, b_c: 4, b_m: 4, b_v: 4, b_x: 0}, 1900000000, FIGURE, digits=2),
        Published({P: 128 * 10**9, N: 16, b_w: 2, b_g: 2, b_c: 4, b_m: 4, b_v: 4, b_x: 0}, 128 * 10**9, FIGURE),
        Published({P: 10**12, N: 64, b_w: 2, b_g: 2, b_c: 4, b_m: 4, b_v: 4, b_x: 0}, 250 * 10**9, FIGURE),
    ),
)

"""Averaged over the ranks the sharded state is an N-th, however the parameters are dealt out.

Bytes per rank without padding. One copy of every parameter lies somewhere among the N ranks, so the average needs no
hypothesis; the fullest rank can hold more where N does not divide P.
"""

from fractions import Fraction

from ...algebra.formula import Formula, Source
from ...algebra.steps import Using
from ...algebra.vocabulary import M_0, M_mean, N, P, b_c, b_g, b_m, b_v, b_w, b_x
from .buffers import kept, rank_bytes
from .replicated_state import replicated_state

mean_state = Formula(
    __name__,
    defines=M_mean,
    start=M_0 / N,
    steps=(Using(P * (b_w + b_g + b_c + b_m + b_v + b_x) / N, "the ranks hold one copy together", lemma=replicated_state),),
    source=Source("by definition"),
    counted=lambda P, N, b_w, b_g, b_c, b_m, b_v, b_x: Fraction(sum(rank_bytes(P, N, kept(b_w, b_g, b_c, b_m, b_v, b_x), stage=3))) / N,
)

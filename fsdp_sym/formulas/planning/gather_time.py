"""Gathering a stage's parameters brings a rank all but its own share of them.

Seconds for one rank, over the shard group's own link. Nothing is gathered where one rank holds all.
"""

from fractions import Fraction

from sympy import Sum

from ...algebra.formula import Formula
from ...algebra.steps import Same
from ...algebra.vocabulary import L_st, N_mesh, N_t, P_end, P_lay, T_gat, W_shd, b_w, i, x_dp
from ..communication.all_gather import all_gather
from ..time.timeline import Number, finish, passing_time


def count(L_st: int, P_lay: int, P_end: int, N_t: int, N_mesh: int, b_w: int, W_shd: Number, x_dp: Number) -> Fraction:
    """The stage's blocks and ends one after the other; of each a share from every other rank."""
    block, ends = (passing_time(Fraction(size * b_w, N_t * N_mesh), W_shd * x_dp) for size in (P_lay, P_end))
    return finish(*(share for share in [*([block] * L_st), ends] for _ in range(N_mesh - 1)), 0)


gather_time = Formula(
    __name__,
    defines=T_gat,
    start=Sum(b_w * (L_st * P_lay + P_end) / (N_t * N_mesh) / (W_shd * x_dp), (i, 1, N_mesh - 1)),
    steps=(Same((N_mesh - 1) * b_w * (L_st * P_lay + P_end) / (N_t * N_mesh * W_shd * x_dp), "as long from each of the others"),),
    source=all_gather.source,
    counted=count,
)

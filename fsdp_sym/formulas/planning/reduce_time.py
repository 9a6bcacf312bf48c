"""Reducing a stage's gradients takes a reduce-scatter in the shard group, and an all-reduce of what is left among replicas.

Seconds for one rank. Where gradients stay whole (u_ar) the shard group gathers them again, and that is an all-reduce, too.
"""

from fractions import Fraction

from ...algebra.formula import Formula
from ...algebra.steps import Same
from ...algebra.vocabulary import L_st, N_mesh, N_t, P_end, P_lay, R_rep, T_red, W_rep, W_shd, b_g, u_ar, x_dp
from ..time.timeline import Number, finish, passing_time
from ..traffic.replica_all_reduce import replica_all_reduce


def count(
    L_st: int, P_lay: int, P_end: int, N_t: int, N_mesh: int, R_rep: int, b_g: int, W_shd: Number, W_rep: Number, x_dp: Number, u_ar: int
) -> Fraction:  # fmt: skip
    """Ring steps one after the other: shares go round the shard group once or twice, and a share's parts twice round the replicas."""
    share = Fraction(L_st * P_lay + P_end, N_t) * b_g / N_mesh
    inside, among = passing_time(share, W_shd * x_dp), passing_time(share / R_rep, W_rep * x_dp)
    shares = (inside for _ in range(1 + u_ar) for _ in range(N_mesh - 1))
    return finish(*shares, *(among for _ in range(2) for _ in range(R_rep - 1)), 0)


_SHARE = b_g * (L_st * P_lay + P_end) / (N_t * N_mesh)

reduce_time = Formula(
    __name__,
    defines=T_red,
    start=(1 + u_ar) * (N_mesh - 1) * _SHARE / (W_shd * x_dp) + 2 * (R_rep - 1) / R_rep * _SHARE / (W_rep * x_dp),
    steps=(
        Same(
            _SHARE / x_dp * ((1 + u_ar) * (N_mesh - 1) / W_shd + 2 * (R_rep - 1) / (R_rep * W_rep)),
            "both are paid for a rank's share",
        ),
    ),
    source=replica_all_reduce.source,
    counted=count,
)  # fmt: skip

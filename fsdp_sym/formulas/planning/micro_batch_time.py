"""A micro-batch takes a stage the time of its matrix products, its memory traffic, its layers, and what its groups wait for.

Seconds forward and backward on the rank of one stage. Peaks and bandwidths are nominal; the shares x of them that are reached, and
the time that a layer costs whatever its size, are measured. Tensor groups pass hidden vectors on, context groups keys and values, and
where there is a next stage (u_hop) each chunk is handed to it and its gradient back; none of it is hidden. However small a micro-batch is,
a layer's matrices pass through memory in all passes but the one that makes their gradients, which are read there and written.
"""

from fractions import Fraction

from ...algebra.formula import Formula, Source
from ...algebra.steps import Same
from ...algebra.vocabulary import (
    D_blk,
    F_log,
    F_seq,
    L_st,
    N_c,
    N_t,
    P_lay,
    T_lay,
    T_mb,
    V_ctx,
    V_hid,
    V_hop,
    W,
    W_con,
    W_mem,
    W_net,
    X_peak,
    b,
    b_g,
    b_w,
    n_chk,
    n_pass,
    u_hop,
    u_last,
    x_dp,
    x_gemm,
    x_mem,
    x_tp,
)  # fmt: skip
from ..time.timeline import Number, finish, passing_time


def count(
    b: int, L_st: int, N_t: int, N_c: int, F_seq: Number, F_log: Number, V_hid: Number, V_ctx: Number, V_hop: Number, D_blk: Number,
    X_peak: Number, W: Number, W_con: Number, W_net: Number, W_mem: Number, x_gemm: Number, x_tp: Number, x_dp: Number, x_mem: Number,
    T_lay: Number, n_chk: int, n_pass: int, u_last: int, u_hop: int, P_lay: int, b_w: int, b_g: int,
) -> Fraction:  # fmt: skip
    """Layer after layer and sequence after sequence on a clock, pass by pass; then the logits, then the hops of each chunk."""
    own = Fraction(1, N_t * N_c)
    sequence = (
        passing_time(F_seq * own, X_peak * x_gemm), passing_time(V_hid * own * (N_t - 1), W * x_tp),
        passing_time(D_blk * own, W_mem * x_mem), passing_time(V_ctx * own * (N_c - 1), W_con * x_dp),
    )  # fmt: skip
    weights, gradients = (passing_time(Fraction(P_lay * width, N_t), W_mem * x_mem) for width in (b_w, b_g))
    read_or_written = [*([weights] * (n_pass - 1)), gradients, gradients]
    layer = (*(part for _ in range(b) for part in sequence), *read_or_written, *([T_lay] * n_pass))
    logits = [passing_time(F_log * own, X_peak * x_gemm)] * b if u_last else []
    hop = passing_time(V_hop * own, W_net * x_dp)
    hops = [hop for _ in range(2 * n_chk) for _ in range(b)] if u_hop else []
    return finish(*(part for _ in range(L_st) for part in layer), *logits, *hops)


_COMPUTE = b * (L_st * F_seq + u_last * F_log) / (N_t * N_c * X_peak * x_gemm)
_MEMORY = b * L_st * D_blk / (N_t * N_c * W_mem * x_mem)
_WEIGHTS = L_st * P_lay * ((n_pass - 1) * b_w + 2 * b_g) / (N_t * W_mem * x_mem)
_TENSOR = b * L_st * V_hid * (N_t - 1) / (N_t * N_c * W * x_tp)
_CONTEXT = b * L_st * V_ctx * (N_c - 1) / (N_t * N_c * W_con * x_dp)
_HOPS = u_hop * 2 * n_chk * b * V_hop / (N_t * N_c * W_net * x_dp)

micro_batch_time = Formula(
    __name__,
    defines=T_mb,
    start=_COMPUTE + _MEMORY + _WEIGHTS + _TENSOR + _CONTEXT + _HOPS + n_pass * L_st * T_lay,
    steps=(
        Same(
            n_pass * L_st * T_lay
            + L_st * P_lay * ((n_pass - 1) * b_w + 2 * b_g) / (N_t * W_mem * x_mem)
            + b / (N_t * N_c) * (
                (L_st * F_seq + u_last * F_log) / (X_peak * x_gemm)
                + L_st * D_blk / (W_mem * x_mem)
                + L_st * V_hid * (N_t - 1) / (W * x_tp)
                + (L_st * V_ctx * (N_c - 1) / W_con + u_hop * 2 * n_chk * V_hop / W_net) / x_dp
            ),
            "all else grows with the micro-batch and is split by both groups",
        ),
    ),
    source=Source("arXiv:2205.05198", "what takes time in a layer: products, elementwise kernels, collectives"),
    counted=count,
)  # fmt: skip

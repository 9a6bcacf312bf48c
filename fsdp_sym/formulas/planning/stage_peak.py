"""A rank of a pipeline stage holds its share of the stage's state, what is in flight, and what passes by.

Peak bytes of one rank, its shares averaged over their groups. The tensor group splits the stage's parameters; n_w, n_g and n_o ranks
share parameters, gradients, and what the optimizer keeps of them. A is what a block keeps of one sequence, before context and tensor
groups split it.
Passing by are gathered layers and ends where parameters are shared (u_w), and a layer's whole gradients where gradients are (u_g).
"""

from fractions import Fraction

from ...algebra.formula import Formula, Source
from ...algebra.steps import Same
from ...algebra.vocabulary import (
    A,
    A_more,
    L_st,
    M_st,
    N_c,
    N_t,
    P_end,
    P_lay,
    b,
    b_c,
    b_g,
    b_m,
    b_v,
    b_w,
    n_chk,
    n_g,
    n_held,
    n_live,
    n_o,
    n_w,
    u_g,
    u_w,
)  # fmt: skip


def count(
    L_st: int, P_lay: int, P_end: int, N_t: int, N_c: int, b_w: int, b_g: int, b_c: int, b_m: int, b_v: int, n_w: int, n_g: int, n_o: int,
    A: int, A_more: int, b: int, n_live: int, n_chk: int, n_held: int, u_w: int, u_g: int,
) -> Fraction:  # fmt: skip
    """Block by block what is kept, chunk by chunk what is in flight, sequence by sequence."""
    blocks = [Fraction(P_lay, N_t) for _ in range(L_st)] + [Fraction(P_end, N_t)]
    kept = sum(size * width / ranks for size in blocks for width, ranks in ((b_w, n_w), (b_g, n_g), (b_c, n_o), (b_m, n_o), (b_v, n_o)))
    one = Fraction(1, N_c * N_t)
    flying = sum(A * one * Fraction(L_st, n_chk) for _ in range(n_live) for _ in range(b)) + sum(A_more * one for _ in range(b))
    gathered = [Fraction(P_lay, N_t)] * n_held + [Fraction(P_end, N_t)]
    passing = (sum(gathered) * b_w if u_w else 0) + (Fraction(P_lay, N_t) * b_g if u_g else 0)
    return Fraction(kept + flying + passing)


_SLOT = (L_st * P_lay + P_end) / N_t

stage_peak = Formula(
    __name__,
    defines=M_st,
    start=_SLOT * b_w / n_w + _SLOT * b_g / n_g + _SLOT * b_c / n_o + _SLOT * b_m / n_o + _SLOT * b_v / n_o
    + b * A * L_st * n_live / (n_chk * N_c * N_t) + b * A_more / (N_c * N_t)
    + u_w * b_w * (n_held * P_lay + P_end) / N_t + u_g * b_g * P_lay / N_t,
    steps=(
        Same(
            _SLOT * (b_w / n_w + b_g / n_g + (b_c + b_m + b_v) / n_o)
            + b * (A * L_st * n_live / n_chk + A_more) / (N_c * N_t)
            + (u_w * b_w * (n_held * P_lay + P_end) + u_g * b_g * P_lay) / N_t,
            "state, what is in flight, and what passes by",
        ),
    ),
    source=Source("by definition", "what a rank of a pipeline stage holds at its fullest"),
    counted=count,
)  # fmt: skip

"""The optimizer reads what it keeps and writes it back, and that takes the memory's time.

Seconds for one rank: its share of gradients is read, of parameters written, of master copy, momentum and variance both.
"""

from fractions import Fraction

from ...algebra.formula import Formula, Source
from ...algebra.steps import Same
from ...algebra.vocabulary import L_st, N_t, P_end, P_lay, T_opt, W_mem, b_c, b_g, b_m, b_v, b_w, n_o, x_mem
from ..time.timeline import Number, finish, passing_time


def count(
    L_st: int, P_lay: int, P_end: int, N_t: int, n_o: int, b_w: int, b_g: int, b_c: int, b_m: int, b_v: int, W_mem: Number, x_mem: Number
) -> Fraction:  # fmt: skip
    """Layer by layer, buffer by buffer, each as often as it passes."""
    sizes = [P_lay] * L_st + [P_end]
    passes = (b_g, b_w, *(width for width in (b_c, b_m, b_v) for _ in ("read", "written")))
    return finish(*(passing_time(Fraction(size * width, N_t * n_o), W_mem * x_mem) for size in sizes for width in passes))


_OWN = (L_st * P_lay + P_end) / (N_t * n_o)

optimizer_time = Formula(
    __name__,
    defines=T_opt,
    start=_OWN * b_g / (W_mem * x_mem) + _OWN * b_w / (W_mem * x_mem) + 2 * _OWN * (b_c + b_m + b_v) / (W_mem * x_mem),
    steps=(Same(_OWN * (b_g + b_w + 2 * (b_c + b_m + b_v)) / (W_mem * x_mem), "all of it passes the same memory"),),
    source=Source("arXiv:1910.02054", "section 3.1: what Adam keeps in mixed precision"),
    counted=count,
)

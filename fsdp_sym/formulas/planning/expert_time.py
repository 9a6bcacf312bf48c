"""Tokens wait for their way to the experts and back: over the node's links to those beside them, and over the network to the others.

Seconds of a micro-batch on the rank of one stage. A token goes to n_act of the experts that N_e ranks share out, as often to one as to
another, and each of n_swap exchanges (there and back, forward and backward) sends every other rank an N_e-th. Of the ranks n_near sit in
one node. Both kinds of link carry at the same time, and the slower is waited for; nothing of it is hidden.
"""

from fractions import Fraction

from sympy import Max, Sum

from ...algebra.formula import Formula, Source
from ...algebra.hypotheses import AtMost
from ...algebra.steps import Same
from ...algebra.vocabulary import L_st, N_c, N_e, N_t, T_exp, V_hop, W, W_net, b, i, n_act, n_near, n_swap, x_dp
from ..time.timeline import Number, finish, passing_time


def count(
    b: int, L_st: int, N_t: int, N_c: int, N_e: int, V_hop: Number, W: Number, W_net: Number, x_dp: Number, n_act: int, n_near: int,
    n_swap: int,
) -> Fraction:  # fmt: skip
    """Exchange after exchange a part for every other rank, on the link that leads there; whichever link is done last is waited for."""
    assert n_near <= N_e, "more ranks are in the node than there are"
    part = sum((Fraction(V_hop) / (N_t * N_c * N_e) for _ in range(b) for _ in range(n_act)), Fraction(0))
    beside = finish(0, *(passing_time(part, W * x_dp) for _ in range(1, n_near)))
    away = finish(0, *(passing_time(part, W_net * x_dp) for _ in range(n_near, N_e)))
    return finish(*(max(beside, away) for _ in range(L_st) for _ in range(n_swap)))


_PART = n_swap * L_st * b * n_act * V_hop / (N_t * N_c * N_e * x_dp)

expert_time = Formula(
    __name__,
    defines=T_exp,
    start=_PART * Max(Sum(1 / W, (i, 1, n_near - 1)), Sum(1 / W_net, (i, 1, N_e - n_near))),
    steps=(Same(_PART * Max((n_near - 1) / W, (N_e - n_near) / W_net), "a part for each of the others"),),
    source=Source("arXiv:2006.16668", "section 3.2: all-to-all to dispatch tokens, and to combine what experts give"),
    counted=count,
    where=(AtMost(n_near, N_e),),
)

"""Experts are replicated less often, and so the distributed optimizer divides them among fewer ranks.

Bytes per rank of a mixture of experts under Megatron's distributed optimizer: of N data-parallel ranks N_e share out the experts, which
leaves N/N_e copies of each to divide its states among.
"""

from fractions import Fraction

from sympy import oo

from ...algebra.formula import Formula, Published
from ...algebra.hypotheses import Divides
from ...algebra.steps import Near, Using
from ...algebra.vocabulary import M_dist, M_moe, N, N_e, P, P_exp, b_c, b_g, b_m, b_v, b_w
from .distributed_optimizer import MEGATRON, distributed_optimizer
from .estimated import shared_out


def count(P: int, P_exp: int, N: int, N_e: int, b_w: int, b_g: int, b_c: int, b_m: int, b_v: int) -> Fraction:
    """Both kinds of parameters whole with their gradients; the states of each dealt out among those that hold a copy."""
    whole = sum(held * width for held in (P, P_exp) for width in (b_w, b_g))
    return whole + shared_out(P, N, b_c, b_m, b_v) + shared_out(P_exp, N // N_e, b_c, b_m, b_v)


mixture_optimizer = Formula(
    __name__,
    defines=M_moe,
    start=M_dist + P_exp * (b_w + b_g) + P_exp * (b_c + b_m + b_v) * N_e / N,
    steps=(
        Using(
            (P + P_exp) * (b_w + b_g) + (P + P_exp * N_e) * (b_c + b_m + b_v) / N, "what is no expert, as ever", lemma=distributed_optimizer
        ),
        Near((P + P_exp) * (b_w + b_g), "what is shared vanishes", limit=(N, oo)),
    ),
    source=MEGATRON,
    counted=count,
    where=(Divides(N_e, N),),
    published=(
        Published({P: 10**9, P_exp: 10**9, N: 8, N_e: 4, b_w: 2, b_g: 4, b_c: 4, b_m: 4, b_v: 4}, 19500000000, MEGATRON),
    ),
)  # fmt: skip

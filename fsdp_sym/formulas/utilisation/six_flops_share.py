"""Six operations a parameter and token are what a wide model of GPT's form comes to.

The operations counted term by term, without recomputation, over six for every parameter and token. Attention's core adds to them, and
embeddings that only look up, biases and norms take away; all of that vanishes as the hidden size grows.
"""

from fractions import Fraction

from sympy import Integer, oo

from ...algebra.formula import Formula, Source
from ...algebra.steps import Same, Tends, Using
from ...algebra.vocabulary import F_gpt, L, P_gpt, b_all, d, n_op, n_pos, s, u_lin, v, x_six
from ..models.gpt_parameters import count as parameters
from ..models.gpt_parameters import gpt_parameters
from .gpt_flops import count as operations
from .gpt_flops import gpt_flops


def count(s: int, L: int, d: int, v: int, n_pos: int) -> Fraction:
    """One sequence, and its tokens passing every parameter forward once and backward twice."""
    passed = parameters(L, d, v, n_pos)
    by_parameters = sum(passed for _ in range(s) for _ in ("forward", "inputs", "matrices"))
    return operations(1, s, L, d, v, 0, 1) / by_parameters


six_flops_share = Formula(
    __name__,
    defines=x_six,
    start=F_gpt / (3 * n_op * P_gpt * b_all * s),
    steps=(
        Using(
            36 * n_op * b_all * s * L * d**2 * (1 + s / (6 * d) + v / (12 * L * d)) / (3 * n_op * P_gpt * b_all * s),
            "the closed form", lemma=gpt_flops, at={u_lin: 0},
        ),
        Using(
            36 * n_op * b_all * s * L * d**2 * (1 + s / (6 * d) + v / (12 * L * d))
            / (3 * n_op * (L * (12 * d**2 + 13 * d) + (v + n_pos) * d) * b_all * s),
            "its parameters", lemma=gpt_parameters,
        ),
        Same((12 * L * d + 2 * L * s + v) / (12 * L * d + 13 * L + v + n_pos), "the batch and the operation drop out"),
        Tends(Integer(1), "a square of the width outgrows all else", limit=(d, oo)),
    ),
    source=Source("arXiv:2001.08361", "section 2.1: six operations a parameter and token"),
    counted=count,
)  # fmt: skip

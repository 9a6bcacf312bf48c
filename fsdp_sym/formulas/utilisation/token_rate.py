"""GPUs train on as many tokens a second as the operations they deliver pay for.

Each token costs three passes of a multiply-add a parameter, four where all is recomputed. X_gpu is what a GPU really delivers, recomputed
operations included, not its peak.
"""

from fractions import Fraction

from sympy import Eq

from ...algebra.formula import Formula, Source
from ...algebra.steps import Solved
from ...algebra.vocabulary import G, P_all, X_gpu, n_op, u_lin, y_tok


def cost_of_a_token(P_all: int, u_lin: int, n_op: int) -> int:
    """Pass after pass through all parameters."""
    return sum(P_all * n_op for _ in ["forward"] + ["again"] * u_lin + ["inputs", "parameters"])


def count(P_all: int, G: int, X_gpu: int | Fraction, u_lin: int, n_op: int) -> Fraction:
    """What each GPU trains on in a second, GPU after GPU."""
    return sum((Fraction(X_gpu) / cost_of_a_token(P_all, u_lin, n_op) for _ in range(G)), Fraction(0))


token_rate = Formula(
    __name__,
    defines=y_tok,
    start=Eq(y_tok * (3 + u_lin) * n_op * P_all, G * X_gpu),
    steps=(Solved(G * X_gpu / ((3 + u_lin) * n_op * P_all), "what is spent a second is what the GPUs deliver"),),
    source=Source("arXiv:2104.04473", "section 5.1: end-to-end training time"),
    counted=count,
)

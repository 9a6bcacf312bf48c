"""A run costs its GPU time at the price of a GPU.

Whatever the GPUs are doing meanwhile: half the utilisation is twice the price.
"""

from fractions import Fraction

from ...algebra.formula import Formula, Source
from ...algebra.steps import Using
from ...algebra.vocabulary import C_run, P_all, T_gpu, X_gpu, c_gpu, n_op, n_tok, u_lin
from .gpu_time import gpu_time
from .token_rate import cost_of_a_token


def count(P_all: int, n_tok: int, X_gpu: int | Fraction, u_lin: int, n_op: int, c_gpu: int | Fraction) -> Fraction:
    """What one operation costs, for all operations of every token."""
    of_an_operation = Fraction(c_gpu) / X_gpu
    return of_an_operation * cost_of_a_token(P_all, u_lin, n_op) * n_tok


run_cost = Formula(
    __name__,
    defines=C_run,
    start=c_gpu * T_gpu,
    steps=(Using((3 + u_lin) * n_op * P_all * n_tok * c_gpu / X_gpu, "the GPU time of the run", lemma=gpu_time),),
    source=Source("by definition", "time at a price"),
    counted=count,
)

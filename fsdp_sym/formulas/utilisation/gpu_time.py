"""A run needs as much GPU time on many GPUs as on few, as long as each delivers the same.

The time of the run, for every GPU of it. On more GPUs a run ends sooner and costs as much, and more where each delivers less.
"""

from fractions import Fraction

from ...algebra.formula import Formula, Source
from ...algebra.steps import Using
from ...algebra.vocabulary import G, P_all, T_gpu, T_train, X_gpu, n_op, n_tok, u_lin
from .token_rate import cost_of_a_token
from .training_time import training_time


def count(P_all: int, n_tok: int, X_gpu: int | Fraction, u_lin: int, n_op: int) -> Fraction:
    """A single GPU computes all the tokens."""
    return n_tok * Fraction(cost_of_a_token(P_all, u_lin, n_op)) / X_gpu


gpu_time = Formula(
    __name__,
    defines=T_gpu,
    start=G * T_train,
    steps=(Using((3 + u_lin) * n_op * P_all * n_tok / X_gpu, "the run's time; their number drops out", lemma=training_time),),
    source=Source("by definition", "time added up over the GPUs"),
    counted=count,
)

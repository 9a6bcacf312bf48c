"""Hardware FLOPs utilisation also counts what is computed twice.

Where all is recomputed it is four thirds of the model's utilisation: the GPU is as busy as it says, and a quarter of it is no training.
"""

from fractions import Fraction

from ...algebra.formula import Formula, Source
from ...algebra.steps import Same, Using
from ...algebra.vocabulary import G, P_all, X_peak, n_op, u_lin, x_hfu, x_mfu, y_tok
from .model_utilisation import model_utilisation
from .token_rate import cost_of_a_token


def count(P_all: int, G: int, y_tok: int | Fraction, X_peak: int | Fraction, u_lin: int, n_op: int) -> Fraction:
    """Of a second, the part that a GPU at its peak would need for all it computes."""
    return Fraction(y_tok) / G * cost_of_a_token(P_all, u_lin, n_op) / X_peak


hardware_utilisation = Formula(
    __name__,
    defines=x_hfu,
    start=x_mfu + u_lin * x_mfu / 3,
    steps=(
        Same((3 + u_lin) * x_mfu / 3, "a recomputed forward pass is one of three passes more"),
        Using((3 + u_lin) * n_op * P_all * y_tok / (G * X_peak), "the model's utilisation", lemma=model_utilisation),
    ),
    source=Source("arXiv:2205.05198", "section 6.3"),
    counted=count,
)

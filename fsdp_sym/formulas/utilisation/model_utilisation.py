"""Model FLOPs utilisation is what training asks for, over what the GPUs could have computed at their dense peak.

Six operations a parameter for each token of a second. Recomputed operations do not count: they bring no training. The peak is the one
printed without sparsity.
"""

from fractions import Fraction

from ...algebra.formula import Formula, Published, Source
from ...algebra.steps import Using
from ...algebra.vocabulary import F_model, G, P_all, X_peak, n_op, n_tok, x_mfu, y_tok
from .model_flops import model_flops
from .token_rate import cost_of_a_token


def count(P_all: int, G: int, y_tok: int | Fraction, X_peak: int | Fraction, n_op: int) -> Fraction:
    """Of a second, the part that a GPU at its peak would need for its share of that second's tokens."""
    return Fraction(y_tok) / G * cost_of_a_token(P_all, 0, n_op) / X_peak


model_utilisation = Formula(
    __name__,
    defines=x_mfu,
    start=F_model * y_tok / (G * X_peak),
    steps=(Using(3 * n_op * P_all * y_tok / (G * X_peak), "what one token asks for", lemma=model_flops, at={n_tok: 1}),),
    source=Source("arXiv:2204.02311", "section 4.1 and appendix B"),
    counted=count,
    published=(
        Published(
            {P_all: 7 * 10**9, G: 64, y_tok: 150000, X_peak: 989 * 10**12, n_op: 2}, Fraction(9953, 100000),
            Source("by hand", "7B parameters, 150,000 tokens a second, 64 GPUs of 989 TFLOP/s"), digits=4,
        ),
    ),
)  # fmt: skip

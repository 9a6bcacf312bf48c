"""A run takes its tokens over the tokens a second: eight operations a parameter and token, or six, over all that the GPUs deliver.

The eight are a forward pass, its recomputation and a backward pass of two; six where nothing is recomputed. Interruptions are not counted.
"""

from fractions import Fraction

from ...algebra.formula import Formula, Published, Source
from ...algebra.steps import Using
from ...algebra.vocabulary import G, P_all, T_train, X_gpu, n_op, n_tok, u_lin, y_tok
from .token_rate import cost_of_a_token, token_rate


def count(P_all: int, G: int, n_tok: int, X_gpu: int | Fraction, u_lin: int, n_op: int) -> Fraction:
    """Tokens dealt to GPUs that all end together: each has its share of them to compute, one after the other."""
    share = Fraction(n_tok, G)
    assert share * G == n_tok
    return share * cost_of_a_token(P_all, u_lin, n_op) / Fraction(X_gpu)


_PAPER = Source("arXiv:2104.04473", "equation 4: 34 days")

training_time = Formula(
    __name__,
    defines=T_train,
    start=n_tok / y_tok,
    steps=(
        Using((3 + u_lin) * n_op * P_all * n_tok / (G * X_gpu), "the tokens a second that the GPUs pay for", lemma=token_rate),
    ),
    source=_PAPER,
    counted=count,
    published=(
        Published({P_all: 175 * 10**9, n_tok: 300 * 10**9, G: 1024, X_gpu: 140 * 10**12, u_lin: 1, n_op: 2}, Fraction(5859375, 2), _PAPER),
        Published(
            {P_all: 175 * 10**9, n_tok: 300 * 10**9, G: 1024, X_gpu: 140 * 10**12, u_lin: 1, n_op: 2}, 34 * 86400, _PAPER, digits=2,
        ),
    ),
)  # fmt: skip

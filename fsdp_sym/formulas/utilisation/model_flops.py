"""Training asks for six operations for every parameter and token: two forward, four backward.

The measure that utilisation is told by. It counts a multiply-add a parameter and pass and leaves out attention's core, and also
whatever is computed twice: an implementation that recomputes gets no credit for it. Of a mixture of experts a token uses the active
parameters alone.
"""

from sympy import Sum

from ...algebra.formula import Formula, Published, Source
from ...algebra.steps import Same
from ...algebra.vocabulary import F_model, P_all, i, n_op, n_tok


def count(P_all: int, n_tok: int, n_op: int) -> int:
    """A parameter's passes, for all tokens and parameters."""
    of_a_parameter = sum(n_op for _ in ("forward", "backward to the input", "backward to the parameter"))
    return of_a_parameter * n_tok * P_all


model_flops = Formula(
    __name__,
    defines=F_model,
    start=Sum(n_op * P_all * n_tok, (i, 1, 3)),
    steps=(Same(3 * n_op * P_all * n_tok, "forward once, backward twice"),),
    source=Source("arXiv:2001.08361", "section 2.1"),
    counted=count,
    published=(
        Published(
            {P_all: 175 * 10**9, n_tok: 300 * 10**9, n_op: 2}, 315 * 10**21, Source("arXiv:2005.14165", "table D.1: 3.14e23"), digits=2,
        ),
    ),
)  # fmt: skip

"""A backward pass costs two forward passes, and a little more where attention makes its scores again.

Operations for one micro-batch. Each product of matrices has two backward: one for the gradient of its input, one for that of its matrix.
Attention's core has four for two, and a fused kernel a fifth, since it has not kept the scores: x_att is 2 or 5/2.
"""

from fractions import Fraction

from ...algebra.formula import Formula, Source
from ...algebra.steps import Using
from ...algebra.vocabulary import F_back, F_core, F_lin, x_att
from .attention_core_flops import attention_core_flops
from .linear_flops import linear_flops
from .operations import block_matrices, products, scored


def count(
    b: int, s: int, d: int, f: int, a: int, d_h: int, a_kv: int, n_mlp: int, x_pair: int | Fraction, x_att: int | Fraction, n_op: int
) -> Fraction:  # fmt: skip
    """Each matrix and its transpose in turn, then the heads at what their backward pass costs."""
    matrices = block_matrices(d, f, a, d_h, a_kv, n_mlp)
    of_the_input = products([m._replace(rows=m.columns, columns=m.rows) for m in matrices], b * s, n_op)
    return products(matrices, b * s, n_op) + of_the_input + x_att * scored(b, s, a, d_h, x_pair, n_op)


_LINEAR, _CORE = linear_flops.exact, attention_core_flops.exact

block_backward_flops = Formula(
    __name__,
    defines=F_back,
    start=2 * F_lin + x_att * F_core,
    steps=(
        Using(2 * _LINEAR + x_att * F_core, "matrices, token by token", lemma=linear_flops),
        Using(2 * _LINEAR + x_att * _CORE, "scores and weighted sums", lemma=attention_core_flops),
    ),
    source=Source("arXiv:2307.08691", "section 4.1: five products backward for two forward"),
    counted=count,
)

"""A block's matrices cost a multiply-add for each of their parameters and each token.

Operations forward of the projections of attention and of the feed-forward matrices, for one micro-batch; biases, norms and
activation functions are no products of matrices and are left out.
"""

from sympy import Sum

from ...algebra.formula import Formula, Source
from ...algebra.steps import Same, Using
from ...algebra.vocabulary import F_lin, P_att, P_mlp, a, a_kv, b, d, d_h, f, i, n_mlp, n_op, s, u_mlp, u_out, u_qkv
from ..models.attention_parameters import attention_parameters
from ..models.mlp_parameters import mlp_parameters
from .operations import block_matrices, products


def count(b: int, s: int, d: int, f: int, a: int, d_h: int, a_kv: int, n_mlp: int, n_op: int) -> int:
    """Matrix after matrix, with all tokens of all sequences."""
    sequence = products(block_matrices(d, f, a, d_h, a_kv, n_mlp), s, n_op)
    return sum(sequence for _ in range(b))


_ATTENTION, _FEED_FORWARD = 2 * d * d_h * (a + a_kv), n_mlp * d * f

linear_flops = Formula(
    __name__,
    defines=F_lin,
    start=Sum(n_op * s * (P_att + P_mlp), (i, 1, b)),
    steps=(
        Using(
            Sum(n_op * s * (_ATTENTION + P_mlp), (i, 1, b)), "four matrices, and grouping narrows two of them",
            lemma=attention_parameters, at={u_qkv: 0, u_out: 0},
        ),
        Using(
            Sum(n_op * s * (_ATTENTION + _FEED_FORWARD), (i, 1, b)), "two matrices, or three with a gate",
            lemma=mlp_parameters, at={u_mlp: 0},
        ),
        Same(n_op * b * s * d * (2 * d_h * (a + a_kv) + n_mlp * f), "every sequence passes the same matrices"),
    ),
    source=Source("arXiv:2001.08361", "section 2.1: two operations a parameter and token"),
    counted=count,
)  # fmt: skip

"""A block's forward pass is its matrices and attention's core.

Operations for one micro-batch. The core overtakes the matrices only on long sequences: per token the matrices cost the same always.
"""

from fractions import Fraction

from ...algebra.formula import Formula, Source
from ...algebra.steps import Using
from ...algebra.vocabulary import F_blk, F_core, F_lin
from .attention_core_flops import attention_core_flops
from .linear_flops import count as of_matrices
from .linear_flops import linear_flops
from .operations import scored


def count(
    b: int, s: int, d: int, f: int, a: int, d_h: int, a_kv: int, n_mlp: int, x_pair: int | Fraction, n_op: int
) -> Fraction:  # fmt: skip
    """All products of matrices, then the heads."""
    return of_matrices(b, s, d, f, a, d_h, a_kv, n_mlp, n_op) + scored(b, s, a, d_h, x_pair, n_op)


block_flops = Formula(
    __name__,
    defines=F_blk,
    start=F_lin + F_core,
    steps=(
        Using(linear_flops.exact + F_core, "matrices, token by token", lemma=linear_flops),
        Using(linear_flops.exact + attention_core_flops.exact, "scores and weighted sums", lemma=attention_core_flops),
    ),
    source=Source("arXiv:2104.04473", "appendix: floating-point operations"),
    counted=count,
)

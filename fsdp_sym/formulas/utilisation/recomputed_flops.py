"""Recomputing costs again what it recomputes: a block's whole forward pass, or attention's core alone.

Operations that one block adds in one micro-batch. In full recomputation u_lin and u_core are 1, in selective recomputation u_core alone;
without any, both are 0.
"""

from fractions import Fraction

from ...algebra.formula import Formula, Source
from ...algebra.steps import Using
from ...algebra.vocabulary import F_core, F_lin, F_re, u_core, u_lin
from .attention_core_flops import attention_core_flops
from .linear_flops import count as of_matrices
from .linear_flops import linear_flops
from .operations import scored


def count(
    b: int, s: int, d: int, f: int, a: int, d_h: int, a_kv: int, n_mlp: int, x_pair: int | Fraction, u_lin: int, u_core: int, n_op: int
) -> Fraction:  # fmt: skip
    """Whatever of the block is passed once more."""
    again = [Fraction(of_matrices(b, s, d, f, a, d_h, a_kv, n_mlp, n_op))] if u_lin else []
    return sum(again + ([scored(b, s, a, d_h, x_pair, n_op)] if u_core else []), Fraction(0))


_LINEAR, _CORE = linear_flops.exact, attention_core_flops.exact

recomputed_flops = Formula(
    __name__,
    defines=F_re,
    start=u_lin * F_lin + u_core * F_core,
    steps=(
        Using(u_lin * _LINEAR + u_core * F_core, "matrices, token by token", lemma=linear_flops),
        Using(u_lin * _LINEAR + u_core * _CORE, "scores and weighted sums", lemma=attention_core_flops),
    ),
    source=Source("arXiv:2205.05198", "section 5: selective activation recomputation"),
    counted=count,
)

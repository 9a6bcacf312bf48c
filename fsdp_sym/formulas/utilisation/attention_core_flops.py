"""Attention's core costs two multiply-adds for each pair of tokens and each number of a head.

Operations forward of the scores and of the values added up by their weights, for one micro-batch. No parameter takes part: this
grows with the square of the sequence. x_pair is the share of the pairs that a kernel computes; a softmax is not counted.
"""

from sympy import Sum

from ...algebra.formula import Formula, Source
from ...algebra.steps import Same
from ...algebra.vocabulary import F_core, a, b, d_h, i, n_op, s, x_pair
from .operations import scored

attention_core_flops = Formula(
    __name__,
    defines=F_core,
    start=Sum(n_op * x_pair * s**2 * d_h + n_op * x_pair * s**2 * d_h, (i, 1, b * a)),
    steps=(Same(2 * n_op * x_pair * a * b * s**2 * d_h, "scores and weighted sums cost alike, in every head of every sequence"),),
    source=Source("arXiv:2104.04473", "appendix: attention over the sequence"),
    counted=scored,
)

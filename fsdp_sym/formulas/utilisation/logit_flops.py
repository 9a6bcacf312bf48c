"""The head costs a multiply-add for every token, number of the hidden vector and word.

Operations forward of the logits, for one micro-batch. Looking a token up in the embedding costs none, even where the head is tied to it.
"""

from sympy import Sum

from ...algebra.formula import Formula, Source
from ...algebra.steps import Same
from ...algebra.vocabulary import F_head, b, d, i, n_op, s, v
from ..models.matrices import Matrix
from .operations import products

logit_flops = Formula(
    __name__,
    defines=F_head,
    start=Sum(n_op * s * d * v, (i, 1, b)),
    steps=(Same(n_op * b * s * d * v, "all sequences alike"),),
    source=Source("arXiv:2104.04473", "appendix: logits"),
    counted=lambda b, s, d, v, n_op: products([Matrix("head", v, d)], b * s, n_op),
)

"""An activation tensor has one hidden vector for every token of every sequence.

Elements, without a unit: b sequences on this GPU, s tokens each, d numbers a token. The sequences are those of one
GPU's micro-batch, so nothing here is divided by the number of ranks.
"""

from sympy import Sum

from ...algebra.formula import Formula, Published, Source
from ...algebra.steps import Same
from ...algebra.vocabulary import E, b, d, i, j, s
from .tensors import elements

activation_elements = Formula(
    __name__,
    defines=E,
    start=Sum(Sum(d, (j, 1, s)), (i, 1, b)),
    steps=(Same(b * s * d, "the same vector length for each of s tokens in each of b sequences"),),
    source=Source("by definition"),
    counted=lambda b, s, d: elements(b, s, d),
    published=(Published({b: 8, s: 2048, d: 12288}, 201326592, Source("GPT-3's hidden size", "eight sequences of 2048 tokens")),),
)

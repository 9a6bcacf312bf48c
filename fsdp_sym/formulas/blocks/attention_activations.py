"""Attention keeps five hidden vectors a token, and three numbers for every pair of tokens.

Bytes kept by the attention of a block that spells out its scores, with dropout: softmax before and after its dropout in b_a
bytes, its mask in b_k.
"""

from ...algebra.formula import Formula, Source
from ...algebra.steps import Same
from ...algebra.vocabulary import A_att, a, b, b_a, b_k, d, s
from .kept import attention, total

KORTHIKANTI = Source("arXiv:2205.05198", "section 4.1")

attention_activations = Formula(
    __name__,
    defines=A_att,
    start=b * s * d * b_a + 4 * b * s * d * b_a + 2 * a * b * s**2 * b_a + a * b * s**2 * b_k + b * s * d * b_k,
    steps=(Same(b * s * d * (5 * b_a + b_k) + a * b * s**2 * (2 * b_a + b_k), "tokens on one side, pairs of tokens on the other"),),
    source=KORTHIKANTI,
    counted=lambda b, s, d, a, b_a, b_k: total(attention(b, s, d, a, b_a, b_k)),
)

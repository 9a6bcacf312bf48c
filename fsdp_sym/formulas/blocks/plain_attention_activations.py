"""Without dropout the softmax alone is kept of the scores.

Bytes kept by an attention that spells out its scores: five hidden vectors a token, one number a pair of tokens.
"""

from ...algebra.formula import Formula
from ...algebra.steps import Same
from ...algebra.vocabulary import A_plain, a, b, b_a, d, s
from .kept import attention, total
from .norm_activations import TORCH

plain_attention_activations = Formula(
    __name__,
    defines=A_plain,
    start=5 * b * s * d * b_a + a * b * s**2 * b_a,
    steps=(Same(b * s * b_a * (5 * d + a * s), "every token with its hidden vectors and its scores"),),
    source=TORCH,
    counted=lambda b, s, d, a, b_a: total(attention(b, s, d, a, b_a, 0)),
)

"""A fused attention keeps no scores, only one logarithm for each head and token.

Bytes kept by the attention of a block, with a heads of d_h and a_kv heads of keys and values. What grows with the square of the
sequence is computed again in the backward pass from the logarithm of each row's sum.
"""

from ...algebra.formula import Formula, Source
from ...algebra.steps import Same
from ...algebra.vocabulary import A_flash, a, a_kv, b, b_a, b_l, d, d_h, s
from .kept import fused_attention, total

fused_attention_activations = Formula(
    __name__,
    defines=A_flash,
    start=b * s * d * b_a + 2 * b * s * a * d_h * b_a + 2 * b * s * a_kv * d_h * b_a + a * b * s * b_l,
    steps=(Same(b * s * (b_a * (d + 2 * d_h * (a + a_kv)) + a * b_l), "queries and output are alike, and so are keys and values"),),
    source=Source("arXiv:2205.14135", "section 3.1"),
    counted=lambda b, s, d, a, a_kv, d_h, b_a, b_l: total(fused_attention(b, s, d, a, a_kv, d_h, b_a, b_l)),
)

"""A feed-forward layer keeps its input and two wide vectors a token.

Bytes kept: the inputs of both matrices and of the non-linearity in b_a bytes, and the mask of the dropout in b_k.
"""

from ...algebra.formula import Formula
from ...algebra.steps import Same
from ...algebra.vocabulary import A_mlp, b, b_a, b_k, d, f, s
from .attention_activations import KORTHIKANTI
from .kept import feed_forward, total

mlp_activations = Formula(
    __name__,
    defines=A_mlp,
    start=b * s * d * b_a + 2 * b * s * f * b_a + b * s * d * b_k,
    steps=(Same(b * s * (b_a * (d + 2 * f) + b_k * d), "every token alike"),),
    source=KORTHIKANTI,
    counted=lambda b, s, d, f, b_a, b_k: total(feed_forward(b, s, d, f, b_a, b_k)),
)

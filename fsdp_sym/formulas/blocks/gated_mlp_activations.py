"""A gated feed-forward layer keeps four wide vectors a token, three where gate and product are one kernel, two where they are made again.

Bytes kept: the input, and of width f the gate and the way up; the product is the input of the way down; the activated gate is
kept where it is a kernel of its own.
"""

from ...algebra.formula import Formula, Source
from ...algebra.steps import Same
from ...algebra.vocabulary import A_gated, b, b_a, d, f, n_wide, s
from .kept import gated, total

gated_mlp_activations = Formula(
    __name__,
    defines=A_gated,
    start=b * s * d * b_a + n_wide * b * s * f * b_a,
    steps=(Same(b * s * b_a * (d + n_wide * f), "every token with its hidden vector and its wide ones"),),
    source=Source("arXiv:2002.05202", "section 2, as separate kernels save it"),
    counted=lambda b, s, d, f, b_a, n_wide: total(gated(b, s, d, f, b_a, n_wide)),
)

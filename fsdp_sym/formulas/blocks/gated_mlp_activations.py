"""A gated feed-forward layer keeps four wide vectors a token, or two where one kernel does it all.

Bytes kept: the input, and of width f the gate, the activated gate, the way up and their product; a fused kernel keeps gate and
way up and computes the rest again.
"""

from ...algebra.formula import Formula, Source
from ...algebra.steps import Same
from ...algebra.vocabulary import A_gated, b, b_a, d, f, s, u_fused
from .kept import gated, total

gated_mlp_activations = Formula(
    __name__,
    defines=A_gated,
    start=b * s * d * b_a + 2 * b * s * f * b_a + 2 * (1 - u_fused) * b * s * f * b_a,
    steps=(Same(b * s * b_a * (d + 2 * f * (2 - u_fused)), "gate and way up always, the other two unless they are fused"),),
    source=Source("arXiv:2002.05202", "section 2, as separate kernels save it"),
    counted=lambda b, s, d, f, b_a, u_fused: total(gated(b, s, d, f, b_a, u_fused)),
)

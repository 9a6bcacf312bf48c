"""A norm keeps its input, and of every token the statistics that it normalised by.

Bytes the two norms of a block keep: inputs in activations of b_a bytes, mean and reciprocal deviation in b_n bytes each.
"""

from sympy import Sum

from ...algebra.formula import Formula, Source
from ...algebra.steps import Same
from ...algebra.vocabulary import A_norm, b, b_a, b_n, d, i, s
from .kept import norms, total

TORCH = Source("PyTorch 2.13.0", "tensors saved for the backward pass, recorded on a CPU")

norm_activations = Formula(
    __name__,
    defines=A_norm,
    start=Sum(b * s * d * b_a + 2 * b * s * b_n, (i, 1, 2)),
    steps=(Same(2 * b * s * (d * b_a + 2 * b_n), "a block has two norms"),),
    source=TORCH,
    counted=lambda b, s, d, b_a, b_n: total(norms(b, s, d, b_a, b_n)),
)

"""A block that is recomputed in full keeps its input.

Bytes kept of a checkpointed block: one hidden vector a token.
"""

from sympy import Sum

from ...algebra.formula import Formula, Published
from ...algebra.steps import Same
from ...algebra.vocabulary import A_full, b, b_a, d, i, s
from .attention_activations import KORTHIKANTI

full_recompute = Formula(
    __name__,
    defines=A_full,
    start=Sum(s * d * b_a, (i, 1, b)),
    steps=(Same(b * s * d * b_a, "one input for every sequence"),),
    source=KORTHIKANTI,
    counted=lambda b, s, d, b_a: sum(d * b_a for _ in range(b) for _ in range(s)),
    published=(
        Published({b: 1, s: 2048, d: 12288, b_a: 2}, 48 * 2**20, KORTHIKANTI),
        Published({b: 4, s: 2048, d: 6144, b_a: 2}, 96 * 2**20, KORTHIKANTI),
    ),
)

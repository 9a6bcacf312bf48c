"""The scores are what a long sequence pays for.

Bytes a block with dropout keeps for each head and pair of tokens. Of all it keeps they are 5as/h against 34 + 5as/h.
"""

from ...algebra.formula import Formula, Published, Source
from ...algebra.steps import Same
from ...algebra.vocabulary import A_score, a, b, b_a, b_k, s
from .attention_activations import KORTHIKANTI
from .kept import scores, total

score_activations = Formula(
    __name__,
    defines=A_score,
    start=2 * a * b * s**2 * b_a + a * b * s**2 * b_k,
    steps=(Same(a * b * s**2 * (2 * b_a + b_k), "softmax before and after its dropout, and the mask"),),
    source=KORTHIKANTI,
    counted=lambda b, s, a, b_a, b_k: total(scores(b, s, a, b_a, b_k)),
    published=(Published({b: 1, s: 2048, a: 96, b_a: 2, b_k: 1}, 80 * 2048 * 12288, Source("arXiv:2205.05198", "5as/h = 80 for GPT-3")),),
)

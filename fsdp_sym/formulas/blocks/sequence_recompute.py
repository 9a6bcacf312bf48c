"""A block that is split along the sequence and recomputed in full keeps a share of its input.

Bytes kept of a checkpointed block on one of N_t ranks; without the split along the sequence every rank keeps the whole input.
"""

from fractions import Fraction

from ...algebra.formula import Formula, Published
from ...algebra.steps import Using
from ...algebra.vocabulary import A_full, A_spf, N_t, b, b_a, d, s
from .attention_activations import KORTHIKANTI
from .full_recompute import full_recompute


def count(b: int, s: int, d: int, b_a: int, N_t: int) -> Fraction:
    """The input number by number, every rank its share of the sequence."""
    return sum((Fraction(s, N_t) * d * b_a for _ in range(b)), Fraction(0))


sequence_recompute = Formula(
    __name__,
    defines=A_spf,
    start=A_full / N_t,
    steps=(Using(b * s * d * b_a / N_t, "one input for every sequence, split among the group", lemma=full_recompute),),
    source=KORTHIKANTI,
    counted=count,
    published=(Published({b: 1, s: 2048, d: 12288, b_a: 2, N_t: 8}, 6 * 2**20, KORTHIKANTI),),
)

"""The first pipeline stage keeps as much as the whole model keeps of one micro-batch, and more where chunks are interleaved.

Bytes of activations on the first of N_p stages, A bytes a layer. A stage holds n_chk chunks of L/(N_p n_chk) layers, and has at most
n_chk N_p + N_p - 1 of them in flight, or all there are.
"""

from fractions import Fraction

from sympy import Min

from ...algebra.formula import Formula, Published
from ...algebra.hypotheses import AtMost
from ...algebra.steps import Same
from ...algebra.vocabulary import A, A_first, K_mb, L, N_p, n_chk
from ..blocks.attention_activations import KORTHIKANTI


def count(A: int, L: int, N_p: int, K_mb: int, n_chk: int) -> Fraction:
    """Warm-up runs every chunk on N_p micro-batches, and N_p - 1 more before the first comes back."""
    warm_up = [chunk for chunk in range(n_chk) for _ in range(N_p)] + list(range(N_p - 1))
    in_flight = warm_up[: K_mb * n_chk]
    return sum((Fraction(L * A, N_p * n_chk) for _ in in_flight), Fraction(0))


first_stage_activations = Formula(
    __name__,
    defines=A_first,
    start=A * L / (N_p * n_chk) * Min(K_mb * n_chk, N_p * n_chk + N_p - 1),
    steps=(
        Same(
            A * L * (1 + (N_p - 1) / (N_p * n_chk)), "two micro-batches a stage, or more, fill the pipeline",
            given=(AtMost(2 * N_p, K_mb),), sampled=True,
        ),
    ),
    source=KORTHIKANTI,
    counted=count,
    published=(
        Published({A: 552 * 2**20, L: 96, N_p: 8, n_chk: 3, K_mb: 64}, 71772930048, KORTHIKANTI),
        Published({A: 102 * 2**20, L: 96, N_p: 8, n_chk: 3, K_mb: 64}, 13262389248, KORTHIKANTI),
    ),
)  # fmt: skip

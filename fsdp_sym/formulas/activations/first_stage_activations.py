"""The first pipeline stage keeps as much as the whole model keeps of one micro-batch, and more where chunks are interleaved.

Bytes of activations on the first of N_p stages, A bytes a layer. A stage holds n_chk chunks of L/(N_p n_chk) layers, two at least, and has
at most n_chk N_p + N_p - 1 of them in flight, or all there are. A stage that is not cut into chunks has N_p in flight, and keeps A L.
"""

from fractions import Fraction

from sympy import Integer, Min

from ...algebra.formula import Formula, Published, Source
from ...algebra.hypotheses import AtMost
from ...algebra.steps import Same
from ...algebra.vocabulary import A, A_first, K_mb, L, N_p, n_chk
from ..blocks.attention_activations import KORTHIKANTI


def count(A: int, L: int, N_p: int, K_mb: int, n_chk: int) -> Fraction:
    """Warm-up runs every chunk on N_p micro-batches, and where they are interleaved N_p - 1 more before the first comes back."""
    warm_up = [chunk for chunk in range(n_chk) for _ in range(N_p)] + list(range(N_p - 1) if n_chk > 1 else ())
    in_flight = warm_up[: K_mb * n_chk]
    return sum((Fraction(L * A, N_p * n_chk) for _ in in_flight), Fraction(0))


_BY_HAND = Source("two stages of two chunks, each a layer", "four chunks go forward, and one more before the first comes back")

first_stage_activations = Formula(
    __name__,
    defines=A_first,
    start=A * L / (N_p * n_chk) * Min(K_mb * n_chk, N_p * n_chk + N_p - 1),
    steps=(
        Same(
            A * L * (1 + (N_p - 1) / (N_p * n_chk)), "two micro-batches a stage, or more, fill the pipeline",
            given=(AtMost(2 * N_p, K_mb),),
        ),
    ),
    source=KORTHIKANTI,
    counted=count,
    where=(AtMost(Integer(2), n_chk),),
    published=(
        Published({A: 1, L: 4, N_p: 2, n_chk: 2, K_mb: 8}, 5, _BY_HAND),
        Published({A: 552 * 2**20, L: 96, N_p: 8, n_chk: 3, K_mb: 64}, 71772930048, KORTHIKANTI),
        Published({A: 102 * 2**20, L: 96, N_p: 8, n_chk: 3, K_mb: 64}, 13262389248, KORTHIKANTI),
    ),
)  # fmt: skip

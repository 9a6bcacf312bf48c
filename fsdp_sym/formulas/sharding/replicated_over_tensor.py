"""What tensor parallelism leaves whole is divided by the other degrees alone.

Bytes of model state per rank, B for each parameter: what is split is divided by all three degrees; norms and the biases behind a
block's last matrices stand on every rank of the tensor-parallel group, and are divided by stages and data-parallel ranks.
"""

from fractions import Fraction

from ...algebra.formula import Formula, Published, Source
from ...algebra.steps import Same
from ...algebra.vocabulary import B, M_tp, N_d, N_p, N_t, P_split, P_whole


def count(N_d: int, N_p: int, N_t: int, B: int | Fraction, P_split: int, P_whole: int) -> Fraction:
    """Degree by degree: a slot of the tensor group, its stage, its rank's share of that."""
    slot = Fraction(P_split, N_t) + P_whole
    ranks = [slot / N_p / N_d for _ in range(N_d)]
    assert sum(ranks) * N_p == slot
    return ranks[0] * B


replicated_over_tensor = Formula(
    __name__,
    defines=M_tp,
    start=P_split * B / (N_t * N_p * N_d) + P_whole * B / (N_p * N_d),
    steps=(Same((P_split / N_t + P_whole) * B / (N_p * N_d), "stages and data-parallel ranks divide both"),),
    source=Source("PyTorch 2.13.0, torch.distributed.tensor.parallel", "placements of ColwiseParallel and RowwiseParallel"),
    counted=count,
    published=(
        Published(
            {N_d: 16, N_p: 8, N_t: 8, B: 16, P_split: 64429096960, P_whole: 3932160}, 1007196160,
            Source("PyTorch 2.13.0", "80 blocks of h = 8192 with biases on 16 x 8 x 8 ranks"),
        ),
    ),
)  # fmt: skip

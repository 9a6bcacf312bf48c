"""Every GPU has exactly one place: a data replica, a pipeline stage, a tensor slot.

Counted are the coordinates (data, pipeline, tensor); a layout uses all GPUs exactly when there are as many
coordinates as GPUs.
"""

from sympy import Sum

from ...algebra.formula import Formula, Published, Source
from ...algebra.steps import Same
from ...algebra.vocabulary import G, N_d, N_p, N_t, h, i, j

_LLAMA = Source("arXiv:2407.21783", "table 4")


def count(N_d: int, N_p: int, N_t: int) -> int:
    """Replicas made of stages made of tensor slots, and all their slots."""
    replicas = [[range(N_t) for _ in range(N_p)] for _ in range(N_d)]
    return sum(len(slots) for stages in replicas for slots in stages)


world_size = Formula(
    __name__,
    defines=G,
    start=Sum(Sum(Sum(1, (h, 1, N_t)), (j, 1, N_p)), (i, 1, N_d)),
    steps=(
        Same(Sum(Sum(N_t, (j, 1, N_p)), (i, 1, N_d)), "a stage holds one tensor group"),
        Same(Sum(N_p * N_t, (i, 1, N_d)), "a replica has so many stages"),
        Same(N_d * N_p * N_t, "and there are so many replicas"),
    ),
    source=Source("arXiv:2104.04473", "section 3: p t d = n"),
    counted=count,
    published=(Published({N_d: 64, N_p: 16, N_t: 8}, 8192, _LLAMA), Published({N_d: 128, N_p: 16, N_t: 8}, 16384, _LLAMA)),
)

"""Every block is gathered for the forward pass and again for the backward pass, the root group once.

All-gathers in one optimizer step under FSDP2 with L wrapped blocks and a root group, whose last-used parameters are not freed between the
passes unless u_root says so. r is reshard_after_forward; every micro-batch begins with nothing gathered.
"""

from sympy import Sum

from ...algebra.formula import Formula, Published, Source
from ...algebra.steps import Same
from ...algebra.vocabulary import K_mb, L, i, n_ag, r, u_root
from .schedule import how_many, step

FSDP2 = Source("PyTorch 2.13.0, torch.distributed.fsdp.fully_shard", "collectives of one step, recorded")


def count(L: int, K_mb: int, r: int, u_root: int) -> int:
    """The step played through."""
    return how_many(step(L, K_mb, reshard=bool(r), reshard_root=bool(u_root)), "gather")


gathers_in_step = Formula(
    __name__,
    defines=n_ag,
    start=Sum(L * (1 + r) + 1 + r * u_root, (i, 1, K_mb)),
    steps=(Same(K_mb * (L * (1 + r) + 1 + r * u_root), "every micro-batch gathers anew"),),
    source=FSDP2,
    counted=count,
    published=(
        Published({L: 32, K_mb: 1, r: 1, u_root: 0}, 65, FSDP2),
        Published({L: 32, K_mb: 1, r: 0, u_root: 0}, 33, FSDP2),
        Published({L: 32, K_mb: 1, r: 1, u_root: 1}, 66, FSDP2),
        Published({L: 32, K_mb: 4, r: 1, u_root: 0}, 260, FSDP2),
    ),
)

"""Parameters that a backward pass leaves gathered need no gathering in the next forward pass.

All-gathers in one optimizer step where only the last micro-batch reshards after its backward pass: the first forward pass
gathers everything, each backward pass the blocks that its forward pass freed.
"""

from sympy import Sum

from ...algebra.formula import Formula, Published
from ...algebra.steps import Same
from ...algebra.vocabulary import K_mb, L, i, n_ag_kept
from .gathers_in_step import FSDP2
from .schedule import how_many, step

gathers_kept = Formula(
    __name__,
    defines=n_ag_kept,
    start=1 + L + Sum(L, (i, 1, K_mb)),
    steps=(Same(1 + L * (K_mb + 1), "one forward pass and K_mb backward passes gather the blocks"),),
    source=FSDP2,
    counted=lambda L, K_mb: how_many(step(L, K_mb, reshard_after_backward=False), "gather"),
    published=(Published({L: 32, K_mb: 4}, 161, FSDP2),),
)

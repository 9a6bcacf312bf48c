"""Every group reduces its gradients in each micro-batch, or only in the last.

Reduce-scatters in one optimizer step: L blocks and the root group. With set_requires_gradient_sync off for all micro-batches but the last
(u_sync = 0) the others add up their gradients unsharded, at the price of holding them.
"""

from sympy import Sum

from ...algebra.formula import Formula, Published
from ...algebra.steps import Same
from ...algebra.vocabulary import K_mb, L, i, n_rs, u_sync
from .gathers_in_step import FSDP2
from .schedule import how_many, step

scatters_in_step = Formula(
    __name__,
    defines=n_rs,
    start=Sum(u_sync * (L + 1), (i, 1, K_mb - 1)) + L + 1,
    steps=(Same((L + 1) * (1 + u_sync * (K_mb - 1)), "the last micro-batch always reduces"),),
    source=FSDP2,
    counted=lambda L, K_mb, u_sync: how_many(step(L, K_mb, sync_each=bool(u_sync)), "reduce"),
    published=(
        Published({L: 32, K_mb: 1, u_sync: 1}, 33, FSDP2),
        Published({L: 32, K_mb: 4, u_sync: 1}, 132, FSDP2),
        Published({L: 32, K_mb: 4, u_sync: 0}, 33, FSDP2),
    ),
)

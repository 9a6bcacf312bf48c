"""A step moves parameters in their width and gradients in theirs.

Bytes each rank receives in one optimizer step under FSDP2. With bf16 parameters (2 B) and an fp32 reduction (4 B) a micro-batch
comes to 8 B a parameter with resharding and 6 B without, times (N - 1)/N and less the root group's second gathering.
"""

from ...algebra.formula import Formula, Published
from ...algebra.steps import Using
from ...algebra.vocabulary import K_mb, N, S_blk, S_g, S_root, V_gather, V_reduce, V_step, r, u_root, u_sync
from .gathered_in_step import count as gathered
from .gathered_in_step import gathered_in_step
from .gathers_in_step import FSDP2
from .reduced_in_step import count as reduced
from .reduced_in_step import reduced_in_step

step_traffic = Formula(
    __name__,
    defines=V_step,
    start=V_gather + V_reduce,
    steps=(
        Using(gathered_in_step.exact + V_reduce, "parameters, in every micro-batch", lemma=gathered_in_step),
        Using(gathered_in_step.exact + reduced_in_step.exact, "gradients, when they are synchronised", lemma=reduced_in_step),
    ),
    source=FSDP2,
    counted=lambda N, S_blk, S_root, S_g, r, u_root, K_mb, u_sync: (
        gathered(N, S_blk, S_root, r, u_root, K_mb) + reduced(N, S_g, K_mb, u_sync)
    ),
    published=(
        Published({N: 2, S_blk: 1600, S_root: 400, S_g: 4000, r: 1, u_root: 1, K_mb: 1, u_sync: 1}, 4000, FSDP2),
        Published({N: 2, S_blk: 1600, S_root: 400, S_g: 4000, r: 0, u_root: 0, K_mb: 1, u_sync: 1}, 3000, FSDP2),
    ),
)

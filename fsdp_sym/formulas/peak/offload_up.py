"""Offloaded parameters travel up before every gathering.

Bytes one rank carries from host to device in a micro-batch under FSDP2's CPU offload: its shard, in the width it is kept in,
once forward and r times backward.
"""

from ...algebra.formula import Formula, Source
from ...algebra.steps import Same
from ...algebra.vocabulary import M_w, V_up, r

OFFLOAD = Source("PyTorch 2.13.0, CPUOffloadPolicy", "shards go up at each unshard, gradients down at each reduction")

offload_up = Formula(
    __name__,
    defines=V_up,
    start=M_w + r * M_w,
    steps=(Same((1 + r) * M_w, "forward, and again backward where it was resharded"),),
    source=OFFLOAD,
    counted=lambda M_w, r: sum(M_w for _ in range(1 + r)),
)

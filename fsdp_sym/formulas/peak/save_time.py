"""Saving takes as long as the bytes need to the disk.

Seconds to write a checkpoint at a bandwidth of W for all ranks together, nothing overlapped.
"""

from ...algebra.formula import Formula, Source
from ...algebra.steps import Using
from ...algebra.vocabulary import C_save, P, T_save, W, b_c, b_m, b_v, b_w, b_x
from ..memory.buffers import kept
from .checkpoint_bytes import checkpoint_bytes
from .estimated import shared_out

save_time = Formula(
    __name__,
    defines=T_save,
    start=C_save / W,
    steps=(Using(P * (b_w + b_c + b_m + b_v + b_x) / W, "parameters and the optimizer's states", lemma=checkpoint_bytes),),
    source=Source("by definition", "bytes over bandwidth"),
    counted=lambda P, b_w, b_c, b_m, b_v, b_x, W: shared_out(P, 1, *(x.width for x in kept(b_w, 0, b_c, b_m, b_v, b_x))) / W,
)

"""A checkpoint is everything but the gradients.

Bytes on disk: parameters as they are kept, a master copy where there is one, and the optimizer's moments.
"""

from ...algebra.formula import Formula, Published, Source
from ...algebra.steps import Same
from ...algebra.vocabulary import C_save, P, b_c, b_m, b_v, b_w, b_x
from ..memory.buffers import kept, replica_bytes

checkpoint_bytes = Formula(
    __name__,
    defines=C_save,
    start=P * b_w + P * b_c + P * b_m + P * b_v + P * b_x,
    steps=(Same(P * (b_w + b_c + b_m + b_v + b_x), "every buffer has an entry for each parameter"),),
    source=Source("PyTorch documentation", "torch.distributed.checkpoint: model and optimizer state"),
    counted=lambda P, b_w, b_c, b_m, b_v, b_x: replica_bytes(P, kept(b_w, 0, b_c, b_m, b_v, b_x)),
    published=(
        Published(
            {P: 405853388800, b_w: 4, b_c: 0, b_m: 4, b_v: 4, b_x: 0},
            4870240665600,
            Source("by hand", "405B in fp32 with Adam, 12 bytes each"),
        ),
    ),
)

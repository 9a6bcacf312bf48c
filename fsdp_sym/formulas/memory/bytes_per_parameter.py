"""A parameter costs the sum of its buffers' widths, not its own width alone.

The unit is bytes per parameter. Conventions with the same sum can differ in their parts: 16 is 2 + 2 + 12 where a low
precision copy lives beside an fp32 master copy, and 4 + 4 + 8 where everything kept is fp32.
"""

from ...algebra.formula import Formula, Published, Source
from ...algebra.steps import Using
from ...algebra.vocabulary import M_0, B, P, b_c, b_g, b_m, b_v, b_w, b_x
from .buffers import kept, replica_bytes
from .replicated_state import ZERO, replicated_state

bytes_per_parameter = Formula(
    __name__,
    defines=B,
    start=M_0 / P,
    steps=(Using(b_w + b_g + b_c + b_m + b_v + b_x, "every parameter brings the same widths", lemma=replicated_state),),
    source=ZERO,
    counted=lambda b_w, b_g, b_c, b_m, b_v, b_x: replica_bytes(1, kept(b_w, b_g, b_c, b_m, b_v, b_x)),
    published=(
        Published({b_w: 2, b_g: 2, b_c: 4, b_m: 4, b_v: 4, b_x: 0}, 16, ZERO),
        Published({b_w: 4, b_g: 4, b_c: 0, b_m: 4, b_v: 4, b_x: 0}, 16, Source("PyTorch fully_shard", "fp32 shards: 4 + 4 + 8")),
        Published({b_w: 2, b_g: 4, b_c: 4, b_m: 4, b_v: 4, b_x: 0}, 18, Source("Megatron-LM", "fp32 gradients")),
        Published({b_w: 2, b_g: 2, b_c: 4, b_m: 8, b_v: 8, b_x: 0}, 24, Source("8-byte Adam moments", "2 + 2 + 4 + 8 + 8")),
        Published({b_w: 2, b_g: 2, b_c: 0, b_m: 2, b_v: 2, b_x: 0}, 8, Source("pure bf16 with bf16 Adam", "2 + 2 + 4")),
        Published({b_w: 4, b_g: 4, b_c: 0, b_m: 4, b_v: 4, b_x: 4}, 20, Source("fp32 Adam with amsgrad", "4 + 4 + 12")),
    ),
)

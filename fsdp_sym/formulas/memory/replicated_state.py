"""Without sharding every device holds every buffer in full.

The buffers are the parameters as the forward pass uses them, their gradients, and what the optimizer keeps: a master
copy, momentum, variance and whatever else. Each has a width in bytes per parameter; the bytes are of persistent
model state, without activations and without gathered units.
"""

from ...algebra.formula import Formula, Published, Source
from ...algebra.steps import Same
from ...algebra.vocabulary import M_0, P, b_c, b_g, b_m, b_v, b_w, b_x
from .buffers import kept, replica_bytes

ZERO = Source("arXiv:1910.02054", "section 3.1: 2 + 2 + 12 bytes a parameter")

replicated_state = Formula(
    __name__,
    defines=M_0,
    start=P * b_w + P * b_g + P * b_c + P * b_m + P * b_v + P * b_x,
    steps=(Same(P * (b_w + b_g + b_c + b_m + b_v + b_x), "every buffer has an entry for each parameter"),),
    source=ZERO,
    counted=lambda P, b_w, b_g, b_c, b_m, b_v, b_x: replica_bytes(P, kept(b_w, b_g, b_c, b_m, b_v, b_x)),
    published=(
        Published({P: 7500000000, b_w: 2, b_g: 2, b_c: 4, b_m: 4, b_v: 4, b_x: 0}, 120 * 10**9, ZERO),
        Published({P: 10**12, b_w: 2, b_g: 2, b_c: 4, b_m: 4, b_v: 4, b_x: 0}, 16 * 10**12, ZERO),
    ),
)

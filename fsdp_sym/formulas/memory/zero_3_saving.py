"""FSDP makes the state N times smaller, whatever the widths.

The replicated state over the sharded one, a plain number. Nothing stays whole, so the saving has no ceiling; padding
takes a little of it where N does not divide P.
"""

from fractions import Fraction

from ...algebra.formula import Formula, Source
from ...algebra.steps import Using
from ...algebra.vocabulary import M_0, M_3, N, P, b_c, b_g, b_m, b_v, b_w, b_x, x_3
from .buffers import fullest_rank, kept, replica_bytes
from .replicated_state import replicated_state
from .sharded_state import sharded_state


def count(P: int, N: int, b_w: int, b_g: int, b_c: int, b_m: int, b_v: int, b_x: int) -> Fraction:
    """A replica against the fullest rank, both laid out."""
    buffers = kept(b_w, b_g, b_c, b_m, b_v, b_x)
    return Fraction(replica_bytes(P, buffers)) / fullest_rank(P, N, buffers, stage=3)


zero_3_saving = Formula(
    __name__,
    defines=x_3,
    start=M_0 / M_3,
    steps=(
        Using(P * (b_w + b_g + b_c + b_m + b_v + b_x) / M_3, "a replica holds everything", lemma=replicated_state),
        Using(N, "P cancels", lemma=sharded_state),
    ),
    source=Source("arXiv:1910.02054", "section 5"),
    counted=count,
)

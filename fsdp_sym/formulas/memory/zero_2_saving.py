"""ZeRO-2 saves at most the ratio of all widths to the parameter itself.

The replicated state over the sharded one, a plain number. With 2 + 2 + 12 bytes a parameter it stays below 16/2 = 8.
"""

from fractions import Fraction

from sympy import oo

from ...algebra.formula import Formula, Source
from ...algebra.steps import Near, Using
from ...algebra.vocabulary import M_0, M_2, N, P, b_c, b_g, b_m, b_v, b_w, b_x, x_2
from .buffers import fullest_rank, kept, replica_bytes
from .replicated_state import replicated_state
from .zero_2_state import zero_2_state


def count(P: int, N: int, b_w: int, b_g: int, b_c: int, b_m: int, b_v: int, b_x: int) -> Fraction:
    """A replica against the fullest rank, both laid out."""
    buffers = kept(b_w, b_g, b_c, b_m, b_v, b_x)
    return Fraction(replica_bytes(P, buffers)) / fullest_rank(P, N, buffers, stage=2)


zero_2_saving = Formula(
    __name__,
    defines=x_2,
    start=M_0 / M_2,
    steps=(
        Using(P * (b_w + b_g + b_c + b_m + b_v + b_x) / M_2, "a replica holds everything", lemma=replicated_state),
        Using((b_w + b_g + b_c + b_m + b_v + b_x) / (b_w + (b_g + b_c + b_m + b_v + b_x) / N), "P cancels", lemma=zero_2_state),
        Near((b_w + b_g + b_c + b_m + b_v + b_x) / b_w, "only the parameters are left to compare with", limit=(N, oo))
    ),
    source=Source("arXiv:1910.02054", "section 5"),
    counted=count,
)

"""ZeRO-1 keeps per parameter the two unsharded widths and an N-th of the rest.

Bytes per parameter on the fullest of N ranks. With 2 + 2 + 12 bytes the floor is 4, so no number of ranks brings
a parameter below that.
"""

from fractions import Fraction

from sympy import oo

from ...algebra.formula import Formula, Published, Source
from ...algebra.steps import Near, Using
from ...algebra.vocabulary import B_1, M_1, N, P, b_c, b_g, b_m, b_v, b_w, b_x
from .buffers import fullest_rank, kept
from .zero_1_state import zero_1_state

_G = Source("a 3B model on 8 ranks", "2 + 2 + 12 bytes a parameter")

zero_1_bytes_per_parameter = Formula(
    __name__,
    defines=B_1,
    start=M_1 / P,
    steps=(
        Using(b_w + b_g + (b_c + b_m + b_v + b_x) / N, "the state of one parameter, where no shard is padded", lemma=zero_1_state),
        Near(b_w + b_g, "what is not sharded stays", limit=(N, oo)),
    ),
    source=Source("arXiv:1910.02054", "section 5"),
    counted=lambda P, N, b_w, b_g, b_c, b_m, b_v, b_x: Fraction(fullest_rank(P, N, kept(b_w, b_g, b_c, b_m, b_v, b_x), stage=1)) / P,
    published=(
        Published({P: 3 * 10**9, N: 8, b_w: 2, b_g: 2, b_c: 4, b_m: 4, b_v: 4, b_x: 0}, Fraction(11, 2), _G),
    ),
)

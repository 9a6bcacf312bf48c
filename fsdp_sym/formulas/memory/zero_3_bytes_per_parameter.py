"""ZeRO-3 keeps per parameter an N-th of all its widths.

Bytes per parameter on the fullest of N ranks. There is no floor: enough ranks bring it below any number.
"""

from fractions import Fraction

from sympy import Integer, oo

from ...algebra.formula import Formula, Published, Source
from ...algebra.steps import Tends, Using
from ...algebra.vocabulary import B_3, M_3, N, P, b_c, b_g, b_m, b_v, b_w, b_x
from .buffers import fullest_rank, kept
from .sharded_state import sharded_state

_G = Source("a 3B model on 8 ranks", "2 + 2 + 12 bytes a parameter")

zero_3_bytes_per_parameter = Formula(
    __name__,
    defines=B_3,
    start=M_3 / P,
    steps=(
        Using((b_w + b_g + b_c + b_m + b_v + b_x) / N, "the state of one parameter, where no shard is padded", lemma=sharded_state),
        Tends(Integer(0), "there is no floor", limit=(N, oo)),
    ),
    source=Source("arXiv:1910.02054", "section 5"),
    counted=lambda P, N, b_w, b_g, b_c, b_m, b_v, b_x: Fraction(fullest_rank(P, N, kept(b_w, b_g, b_c, b_m, b_v, b_x), stage=3)) / P,
    published=(
        Published({P: 3 * 10**9, N: 8, b_w: 2, b_g: 2, b_c: 4, b_m: 4, b_v: 4, b_x: 0}, 2, _G),
    ),
)

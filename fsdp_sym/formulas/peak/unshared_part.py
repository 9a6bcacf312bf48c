"""Two measurements tell what sharding leaves: a peak is a + b/N.

Bytes that no rank shares, from the peaks on one rank and on two: the second is half of the shared part less.
"""

from ...algebra.formula import Formula, Published, Source
from ...algebra.vocabulary import M_fix, M_one, M_two

XPU = Source("intel/torch-xpu-ops, issue 1792", "33.06, 19.02 and 12.06 on 1, 2 and 4 GPUs")


def count(M_one: int, M_two: int) -> int:
    """What is left of the first peak when the shared part, twice the fall, is taken away."""
    fall = M_one - M_two
    return M_one - (fall + fall)


unshared_part = Formula(
    __name__,
    defines=M_fix,
    start=2 * M_two - M_one,
    steps=(),
    source=XPU,
    counted=count,
    published=(Published({M_one: 33060, M_two: 19020}, 4980, XPU),),
)

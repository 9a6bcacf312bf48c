"""While a feed-forward layer is turned back, gradients as wide as it is pass through, and are kept nowhere.

Bytes held at that moment beside what the block keeps: the hidden gradient that came in, and one wide gradient more than the
tensors that were let go; two where a gate splits it.
"""

from ...algebra.formula import Formula
from ...algebra.steps import Same
from ...algebra.vocabulary import A_way, b, b_a, d, f, n_way, s
from .kept import Kept, total
from .norm_activations import TORCH


def count(b: int, s: int, d: int, f: int, b_a: int, n_way: int) -> int:
    """Tensor by tensor."""
    wide = [Kept(f"wide gradient {number}", (b, s, f), b_a) for number in range(n_way)]
    return total([Kept("hidden gradient", (b, s, d), b_a), *wide])


gradients_on_the_way = Formula(
    __name__,
    defines=A_way,
    start=b * s * d * b_a + n_way * b * s * f * b_a,
    steps=(Same(b * s * b_a * (d + n_way * f), "every token alike"),),
    source=TORCH,
    counted=count,
)

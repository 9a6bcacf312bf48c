"""Where tensors are dealt out whole, the fullest rank has one more than its share.

Bytes of optimizer states on the fullest rank under a ZeRO-1 that gives every tensor to one rank: n_T equal tensors of S_big bytes of
states each, one after another to whoever has least. No sharding is finer than its largest tensor.
"""

from sympy import ceiling

from ...algebra.formula import Formula, Published, Source
from ...algebra.hypotheses import Divides
from ...algebra.steps import Same
from ...algebra.vocabulary import M_whole, N, S_big, n_T

ZERO_1 = Source("PyTorch 2.13.0, torch.distributed.optim.ZeroRedundancyOptimizer", "the largest first, each to the emptiest rank")


def count(N: int, n_T: int, S_big: int) -> int:
    """Every tensor in turn to the emptiest rank."""
    held = [0] * N
    for _ in range(n_T):
        held[held.index(min(held))] += S_big
    return max(held)


whole_tensors = Formula(
    __name__,
    defines=M_whole,
    start=ceiling(n_T / N) * S_big,
    steps=(Same(n_T * S_big / N, "every rank has as many", given=(Divides(N, n_T),)),),
    source=ZERO_1,
    counted=count,
    published=(Published({n_T: 6, N: 4, S_big: 8388608}, 16777216, ZERO_1),),
)

"""A tensor-parallel block meets its group twice forward, and backward once for every input taken on its own.

All-reduces of the group in one micro-batch. Queries, keys, values and the way up each reduce the gradient of their input, unless
attention and feed-forward layer are each given one input that was prepared.
"""

from sympy import Sum

from ...algebra.formula import Formula, Published, Source
from ...algebra.steps import Same
from ...algebra.vocabulary import L, i, n_in, n_tp
from .group import reduces

DTENSOR = Source("PyTorch 2.13.0, torch.distributed.tensor.parallel", "collectives of one block, recorded")

tensor_parallel_reduces = Formula(
    __name__,
    defines=n_tp,
    start=Sum(2 + n_in, (i, 1, L)),
    steps=(Same(L * (2 + n_in), "every block alike"),),
    source=DTENSOR,
    counted=lambda L, n_in: len(reduces(L, n_in)),
    published=(Published({L: 1, n_in: 4}, 6, DTENSOR), Published({L: 1, n_in: 2}, 4, DTENSOR)),
)

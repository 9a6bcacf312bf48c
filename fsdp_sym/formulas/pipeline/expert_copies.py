"""An expert degree takes no GPUs: it divides the ranks of data and context degree, and leaves so many copies of each expert.

All ranks of one stage and tensor slot hold the same layers. N_e of them at a time share out the experts of those layers, so N_e
must divide their number; what is no expert they all hold. Each expert is split over the tensor group like everything else. An
implementation may ask for more: torchtitan wants the context degree to divide the expert degree, too.
"""

from sympy import Eq

from ...algebra.formula import Formula, Source
from ...algebra.hypotheses import Divides
from ...algebra.steps import Solved
from ...algebra.vocabulary import N_c, N_d, N_e, n_copy
from ..placement.layout import deal


def count(N_d: int, N_c: int, N_e: int) -> int:
    """Groups of ranks that share the experts out, from the list of those with the same layers: each holds every expert once."""
    ranks = [(data, context) for data in range(N_d) for context in range(N_c)]
    return len(deal(len(ranks), N_e))


expert_copies = Formula(
    __name__,
    defines=n_copy,
    start=Eq(n_copy * N_e, N_d * N_c),
    steps=(Solved(N_d * N_c / N_e, "each group of N_e holds every expert once"),),
    source=Source("pytorch/torchtitan, distributed/parallel_dims.py", "the expert degree divides those of shard and context"),
    counted=count,
    where=(Divides(N_e, N_d * N_c),),
)

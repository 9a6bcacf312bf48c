"""Under hybrid sharding every reduce-scatter is followed by an all-reduce, unless it is held back for the last micro-batch.

All-reduces across replicas in one optimizer step: L blocks and the root group. With set_requires_all_reduce off for all
micro-batches but the last (u_all = 0) the others reduce inside the shard group alone, at the price of holding its sums.
"""

from sympy import Sum

from ...algebra.formula import Formula, Published
from ...algebra.steps import Same
from ...algebra.vocabulary import K_mb, L, i, n_ar, u_all
from .gathers_in_step import FSDP2
from .schedule import how_many, step


def count(L: int, K_mb: int, u_all: int) -> int:
    """The reductions of each micro-batch, those across replicas where it lets them through."""
    return sum(how_many(step(L), "reduce") for number in range(1, K_mb + 1) if u_all or number == K_mb)


replica_reduces_in_step = Formula(
    __name__,
    defines=n_ar,
    start=Sum(u_all * (L + 1), (i, 1, K_mb - 1)) + L + 1,
    steps=(Same((L + 1) * (1 + u_all * (K_mb - 1)), "the last micro-batch always reduces"),),
    source=FSDP2,
    counted=count,
    published=(Published({L: 32, K_mb: 4, u_all: 0}, 33, FSDP2),),
)

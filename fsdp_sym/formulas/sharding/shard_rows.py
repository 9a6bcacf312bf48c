"""A shard is as many rows as it takes to leave none over.

Rows of one shard of a tensor as FSDP2 allocates it: dimension 0 over the ranks, rounded up. Only whole rows are dealt out.
"""

from sympy import ceiling

from ...algebra.formula import Formula, Published, Source
from ...algebra.hypotheses import Divides
from ...algebra.steps import Same
from ...algebra.vocabulary import N, d_0, n_c
from .rows import dealt

FSDP2 = Source("PyTorch 2.13.0, torch.distributed.fsdp.fully_shard", "chunks of dimension 0")

shard_rows = Formula(
    __name__,
    defines=n_c,
    start=ceiling(d_0 / N),
    steps=(Same(d_0 / N, "no shard is padded", given=(Divides(N, d_0),)),),
    source=FSDP2,
    counted=lambda d_0, N: len(dealt(d_0, N)[0]),
    published=(
        Published({d_0: 1000, N: 64}, 16, FSDP2),
        Published({d_0: 96, N: 5}, 20, Source("pytorch/torchtitan, issue 4371", "96 rows over 5 ranks")),
    ),
)

"""The first ranks hold full shards, the last ones what is left or nothing.

Rows of a tensor that one rank really holds, the ranks counted from 0: what the ranks before it have taken is gone, and no rank takes more
than a shard.
"""

from sympy import Max, Min

from ...algebra.formula import Formula, Published, Source
from ...algebra.hypotheses import AtMost
from ...algebra.steps import Using
from ...algebra.vocabulary import N, d_0, n_c, n_own, n_rank
from .rows import dealt
from .shard_rows import FSDP2, shard_rows

rows_of_rank = Formula(
    __name__,
    defines=n_own,
    start=Max(0, Min(n_c, d_0 - n_rank * n_c)),
    steps=(Using(d_0 / N, "an N-th of the rows for every rank, and none is left over", lemma=shard_rows),),
    source=FSDP2,
    counted=lambda d_0, N, n_rank: len(dealt(d_0, N)[n_rank]),
    where=(AtMost(n_rank + 1, N),),
    published=(Published({d_0: 96, N: 5, n_rank: 4}, 16, Source("pytorch/torchtitan, issue 4371", "the last of 5 ranks")),),
)

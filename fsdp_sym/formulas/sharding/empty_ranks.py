"""With more ranks than shards, the last ranks hold nothing of a tensor.

Ranks without a row: shards have as many rows as it takes, and when they run out nobody is left to share.
"""

from sympy import Integer, ceiling

from ...algebra.formula import Formula, Published
from ...algebra.steps import Using
from ...algebra.vocabulary import N, d_0, n_c, n_empty
from .rows import dealt
from .shard_rows import FSDP2, shard_rows

empty_ranks = Formula(
    __name__,
    defines=n_empty,
    start=N - ceiling(d_0 / n_c),
    steps=(Using(Integer(0), "where the shards come out even, every rank has one", lemma=shard_rows),),
    source=FSDP2,
    counted=lambda d_0, N: sum(not hand for hand in dealt(d_0, N)),
    published=(Published({d_0: 1000, N: 64}, 1, FSDP2),),
)

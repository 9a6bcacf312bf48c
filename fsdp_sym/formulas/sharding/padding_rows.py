"""Equal shards are paid for with padded rows.

Rows that fill a tensor up to N equal shards. They are gathered and scattered like the others.
"""

from sympy import Integer

from ...algebra.formula import Formula, Published, Source
from ...algebra.steps import Using
from ...algebra.vocabulary import N, d_0, n_c, n_pad
from .rows import dealt
from .shard_rows import FSDP2, shard_rows


def count(d_0: int, N: int) -> int:
    """What each rank lacks of a full shard."""
    hands = dealt(d_0, N)
    return sum(len(hands[0]) - len(hand) for hand in hands)


padding_rows = Formula(
    __name__,
    defines=n_pad,
    start=N * n_c - d_0,
    steps=(Using(Integer(0), "an N-th of the rows is a whole number of them", lemma=shard_rows),),
    source=FSDP2,
    counted=count,
    published=(Published({d_0: 96, N: 5}, 4, Source("pytorch/torchtitan, issue 4371", "96 rows, padded to 100")),),
)

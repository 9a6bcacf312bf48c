"""Parameter and gradient are allocated padded, the optimizer's states are not.

Bytes that a rank allocates for one tensor under FSDP2 with Adam: the shard of the parameter and the flat buffer of its gradient
have a full shard's rows, momentum and variance only those that the rank really holds. The step counter comes on top.
"""

from ...algebra.formula import Formula
from ...algebra.hypotheses import AtMost
from ...algebra.steps import Using
from ...algebra.vocabulary import M_tensor, N, b_e, b_s, d_0, n_c, n_own, n_rank, n_rest
from .rows import dealt
from .rows_of_rank import rows_of_rank
from .shard_rows import FSDP2, shard_rows


def count(d_0: int, n_rest: int, N: int, n_rank: int, b_e: int, b_s: int) -> int:
    """The rank's buffers row by row of the fullest rank's; states only for rows that are its own."""
    hands = dealt(d_0, N)
    mine = hands[n_rank]
    return sum(n_rest * (b_e + (b_s if row < len(mine) else 0)) for row in range(len(hands[0])))


tensor_on_rank = Formula(
    __name__,
    defines=M_tensor,
    start=n_c * n_rest * b_e + n_own * n_rest * b_s,
    steps=(
        Using(n_c * n_rest * b_e + rows_of_rank.exact * n_rest * b_s, "states follow the rows that are held", lemma=rows_of_rank),
        Using(d_0 * n_rest * b_e / N + rows_of_rank.exact * n_rest * b_s, "buffers follow the shard", lemma=shard_rows),
    ),
    source=FSDP2,
    counted=count,
    where=(AtMost(n_rank + 1, N),),
)

"""A collective carries every shard in full, padded rows and all.

Bytes of a tensor as an all-gather or a reduce-scatter moves it: N shards of the same size.
"""

from ...algebra.formula import Formula
from ...algebra.steps import Using
from ...algebra.vocabulary import N, S_pad, b_e, d_0, n_c, n_rest
from .rows import dealt
from .shard_rows import FSDP2, shard_rows


def count(d_0: int, n_rest: int, N: int, b_e: int) -> int:
    """Every rank sends as many rows as the fullest has."""
    hands = dealt(d_0, N)
    return sum(len(hands[0]) * n_rest * b_e for _ in hands)


padded_bytes = Formula(
    __name__,
    defines=S_pad,
    start=N * n_c * n_rest * b_e,
    steps=(Using(d_0 * n_rest * b_e, "nothing is padded", lemma=shard_rows),),
    source=FSDP2,
    counted=count,
)

"""Messages on a clock: each starts when the one before it is through. The counting route of the collectives' times."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import pairwise

from ..time.timeline import Number, in_a_row, passing_time


def one_after_another(sizes: Iterable[int], bandwidth: Number, latency: Number) -> Fraction:
    """When the last of these messages has come: each waits for its latency, and then its bytes pass."""
    row = in_a_row(*(part for size in sizes for part in (latency, passing_time(size, bandwidth))))
    return row[-1][1] if row else Fraction(0)


def hops(ranks: int) -> int:
    """Messages of a ring all-reduce, one after the other: a shard goes from its first rank to its last, and all the way again."""
    return sum(2 for _ in pairwise(range(ranks)))

"""Messages on a clock: each starts when the one before it is through. The counting route of the collectives' times."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from ..time.timeline import Number, passing_time


def one_after_another(sizes: Iterable[int], bandwidth: Number, latency: Number) -> Fraction:
    """When the last of these messages has come."""
    clock = Fraction(0)
    for size in sizes:
        clock += latency
        clock += passing_time(size, bandwidth)
    return clock

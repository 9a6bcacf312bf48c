"""Messages on a clock: each starts when the one before it is through. The counting route of the collectives' times."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from ..time.timeline import Number, in_a_row, passing_time


def one_after_another(sizes: Iterable[int], bandwidth: Number, latency: Number) -> Fraction:
    """When the last of these messages has come: each waits for its latency, and then its bytes pass."""
    row = in_a_row(*(part for size in sizes for part in (latency, passing_time(size, bandwidth))))
    return row[-1][1] if row else Fraction(0)

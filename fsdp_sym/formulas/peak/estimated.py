"""What an estimator divides among the ranks, buffer by buffer."""

from __future__ import annotations

from fractions import Fraction


def shared_out(P: int, N: int, *widths: int | Fraction) -> Fraction:
    """The mean over the ranks of buffers that are dealt out among them."""
    return sum((Fraction(P) * width / N for width in widths), Fraction(0))

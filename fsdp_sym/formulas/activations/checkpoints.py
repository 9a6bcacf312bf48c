"""A backward pass played over checkpointed layers, and the interval found by searching.

This is the counting route of checkpointing. A forward pass keeps the input of every k-th layer; the backward pass takes
segment by segment from the last one, recomputes it, uses it up and lets its checkpoint go.
"""

from __future__ import annotations

from bisect import bisect_left
from fractions import Fraction

from ...algebra.formula import Bracket

# The real interval is searched to a millionth of a layer.
_GRID = 2**20


def checkpointed(layers: int, interval: int) -> list[int]:
    """The layers whose input is kept, from the first."""
    return [layer for layer in range(layers) if layer % interval == 0]


def peak(layers: int, interval: int, checkpoint: int, layer: int) -> int:
    """Most bytes held at once in a backward pass."""
    held = checkpointed(layers, interval)
    end, most = layers, 0
    while held:
        recomputed = range(held[-1], end)
        most = max(most, len(held) * checkpoint + len(recomputed) * layer)
        end = held.pop()
    assert end == 0
    return most


def real_peak(layers: int, interval: int | Fraction, checkpoint: int, layer: int) -> Fraction:
    """Bytes of the checkpoints and of one segment, for an interval that need not be whole."""
    return Fraction(layers) / interval * checkpoint + interval * layer


def cheapest_interval(layers: int, checkpoint: int, layer: int) -> Bracket:
    """Bounds of the interval with the lowest real peak: the peak falls, then rises, and the first rise is searched for."""

    def rises(at: int) -> bool:
        here, there = (real_peak(layers, Fraction(x, _GRID), checkpoint, layer) for x in (at, at + 1))
        return here <= there

    longest = _GRID * (layers * checkpoint // layer + 1)
    at = bisect_left(range(longest), True, lo=1, key=rises)
    return Bracket(Fraction(at - 1, _GRID), Fraction(at + 1, _GRID))

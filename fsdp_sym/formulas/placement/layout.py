"""Ranks dealt out to groups, and worlds split into groups: the counting route of placement."""

from __future__ import annotations

from math import isqrt


def deal(ranks: int, group: int) -> list[range]:
    """Groups of consecutive ranks; nobody may be left over."""
    groups = [range(first, first + group) for first in range(0, ranks, group)]
    assert groups[-1].stop == ranks, "some GPUs are left over"
    return groups


def divisors(number: int) -> list[int]:
    """All whole numbers that divide a number, ascending."""
    small = [d for d in range(1, isqrt(number) + 1) if number % d == 0]
    return sorted({*small, *(number // d for d in small)})


def splits(world: int) -> list[tuple[int, int, int]]:
    """Every ordered (data, pipeline, tensor) whose product is the world."""
    found = [(world // (p * t), p, t) for t in divisors(world) for p in divisors(world // t)]
    assert {d * p * t for d, p, t in found} == {world}
    return found

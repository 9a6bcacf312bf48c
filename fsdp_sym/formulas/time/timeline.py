"""Times by laying intervals on a clock: when bytes are through, what lies beside what, what sticks out.

This is the counting route of the times. It knows nothing of formulas; clocks run in exact fractions of a second.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm

Interval = tuple[Fraction, Fraction]
Number = int | Fraction


def byte_time(rate: Number, bits: int) -> Fraction:
    """Seconds until the last bit of a byte has passed a line of `rate` bits per second."""
    clock = Fraction(0)
    for _ in range(bits):
        clock += 1 / Fraction(rate)
    return clock


def passing_time(size: Number, bandwidth: Number) -> Fraction:
    """Seconds until `size` bytes have passed: whole seconds first, then part of one."""
    seconds, left = divmod(Fraction(size), bandwidth)
    return seconds + left / bandwidth


def in_a_row(*durations: Number) -> list[Interval]:
    """Intervals of these lengths, each starting as the one before it ends."""
    row: list[Interval] = []
    clock = Fraction(0)
    for duration in durations:
        row.append((clock, clock + duration))
        clock += duration
    return row


def finish(*durations: Number) -> Fraction:
    """When the last of intervals in a row ends, on a clock whose tick measures them all: thousands are quicker so."""
    in_a_second = lcm(*(duration.denominator for duration in durations))
    clock = 0
    for duration in durations:
        clock += duration.numerator * (in_a_second // duration.denominator)
    return Fraction(clock, in_a_second)


def exposed(part: Interval, cover: Interval) -> Fraction:
    """How much of an interval lies outside another."""
    (start, end), (low, high) = part, cover
    return (end - start) - max(Fraction(0), min(end, high) - max(start, low))


def ticks(*durations: Number) -> list[int]:
    """Durations as whole numbers of the longest tick that measures them all."""
    in_a_second = lcm(*(duration.denominator for duration in durations))
    return [int(duration * in_a_second) for duration in durations]


def overlapped(compute: Number, communication: Number, share: Number) -> tuple[Interval, Interval]:
    """Compute, and a communication of which a share lies beside the end of the compute."""
    start = compute - share * communication
    assert start >= 0, "the compute is too short to hide this share"
    return (Fraction(0), Fraction(compute)), (Fraction(start), Fraction(start + communication))

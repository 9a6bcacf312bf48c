"""A schedule played event by event: who works on what, and what it must wait for. The counting route of passes that overlap."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

from ..time.timeline import Number

GPU, LINK = "GPU", "link"


class Job(NamedTuple):
    """Something that takes a time, on the GPU or on the link, after the last of the jobs of each of these names."""

    name: tuple[str, int]
    on: str
    takes: Number
    after: tuple[tuple[str, int], ...] = ()


def done(jobs: Iterable[Job]) -> Fraction:
    """When the last job ends: the GPU and the link each take theirs in the order given, and as soon as they can."""
    ended: dict[tuple[str, int], Fraction] = {}
    free: dict[str, Fraction] = {}
    for job in jobs:
        waits = [free.get(job.on, Fraction(0)), *(ended[name] for name in job.after)]
        ended[job.name] = free[job.on] = max(waits) + job.takes
    return max(ended.values())

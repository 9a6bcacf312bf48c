"""Collectives played step by step: who holds what, and how many bytes each rank receives.

This is the counting route of the collectives. It knows nothing of formulas: it moves shards from a rank to its
neighbour until the collective's own end condition holds. All ranks receive equally much, which unpacking asserts.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache


def shard_bytes(size: int, ranks: int) -> list[int]:
    """Shard sizes after padding `size` bytes until they share out evenly among the ranks."""
    assert size % 1 == 0, "a part of a byte cannot be sent"
    padded = size
    while padded % ranks:
        padded += 1
    shards = [padded // ranks] * ranks
    assert sum(shards) == padded
    return shards


@cache
def passed_on(ranks: int) -> tuple[list[int], ...]:
    """Which shard each rank receives, step by step, until every rank holds every shard."""
    holds = [{rank} for rank in range(ranks)]
    newest = list(range(ranks))
    steps = []
    while {len(held) for held in holds} != {ranks}:
        newest = [newest[-1], *newest[:-1]]
        for held, shard in zip(holds, newest, strict=True):
            held.add(shard)
        steps.append(newest)
    return tuple(steps)


@cache
def summed_on(ranks: int) -> tuple[list[int], ...]:
    """Of which shard each rank receives a partial sum, step by step, until each holds the full sum of one shard."""
    # What each rank holds: a shard, and whose contributions its partial sum contains.
    partial = [(rank, {rank}) for rank in range(ranks)]
    steps = []
    while {len(summed) for _, summed in partial} != {ranks}:
        partial = [partial[-1], *partial[:-1]]
        for rank, (_, summed) in enumerate(partial):
            summed.add(rank)
        steps.append([shard for shard, _ in partial])
    assert {shard for shard, _ in partial} == set(range(ranks))
    return tuple(steps)


def received(shards: list[int], steps: Iterable[list[int]]) -> list[int]:
    """What each rank receives, step by step, where it is known which shard comes to whom."""
    found = []
    for coming in steps:
        (each,) = {shards[shard] for shard in coming}
        found.append(each)
    return found


def ring_all_gather(size: int, ranks: int) -> list[int]:
    """Passes whole shards on until every rank holds every shard; returns what each rank receives, step by step."""
    return received(shard_bytes(size, ranks), passed_on(ranks))


def ring_reduce_scatter(size: int, ranks: int) -> list[int]:
    """Passes partial sums on, each rank adding its own part, until each holds the full sum of one shard.

    Returns what each rank receives, step by step.
    """
    return received(shard_bytes(size, ranks), summed_on(ranks))


def broadcast_each_shard(size: int, ranks: int) -> int:
    """Every owner in turn sends its shard to all other ranks; returns what each rank receives."""
    totals = [0] * ranks
    for owner, shard in enumerate(shard_bytes(size, ranks)):
        for rank in range(ranks):
            if rank != owner:
                totals[rank] += shard
    (received,) = set(totals)
    return received

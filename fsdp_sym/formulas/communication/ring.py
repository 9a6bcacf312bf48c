"""Collectives played step by step: who holds what, and how many bytes each rank has received.

This is the counting route of the collectives. It knows nothing of formulas: it moves shards from a rank to its
neighbour until the collective's own end condition holds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Played:
    """A collective that has ended: how many steps it took, how many bytes its busiest rank received."""

    steps: int
    received: int


def shard_bytes(size: int, ranks: int) -> list[int]:
    """Shard sizes after padding `size` bytes until they share out evenly among the ranks."""
    padded = size
    while padded % ranks:
        padded += 1
    shards = [padded // ranks] * ranks
    assert sum(shards) == padded
    return shards


def passed_on(ranks: int) -> Iterator[list[int]]:
    """Which shard each rank receives, step by step, until every rank holds every shard."""
    holds = [{rank} for rank in range(ranks)]
    newest = list(range(ranks))
    while any(len(held) < ranks for held in holds):
        newest = [newest[rank - 1] for rank in range(ranks)]
        for rank, shard in enumerate(newest):
            holds[rank].add(shard)
        yield newest


def ring_all_gather(size: int, ranks: int) -> Played:
    """Passes whole shards on until every rank holds every shard."""
    shards = shard_bytes(size, ranks)
    received = [0] * ranks
    steps = 0
    for newest in passed_on(ranks):
        for rank, shard in enumerate(newest):
            received[rank] += shards[shard]
        steps += 1
    return Played(steps, max(received))


def ring_reduce_scatter(size: int, ranks: int) -> Played:
    """Passes partial sums on, each rank adding its own part, until every rank holds the full sum of one shard."""
    shards = shard_bytes(size, ranks)
    # What each rank holds: a shard, and whose contributions its partial sum contains.
    partial = [(rank, {rank}) for rank in range(ranks)]
    received = [0] * ranks
    steps = 0
    while any(len(summed) < ranks for _, summed in partial):
        partial = [partial[-1], *partial[:-1]]
        received = [got + shards[shard] for got, (shard, _) in zip(received, partial, strict=True)]
        for rank, (_, summed) in enumerate(partial):
            summed.add(rank)
        steps += 1
    assert {shard for shard, _ in partial} == set(range(ranks))
    return Played(steps, max(received))


def broadcast_each_shard(size: int, ranks: int) -> Played:
    """Every owner in turn sends its shard to all other ranks."""
    shards = shard_bytes(size, ranks)
    received = [0] * ranks
    for owner, shard in enumerate(shards):
        for rank in range(ranks):
            if rank != owner:
                received[rank] += shard
    return Played(len(shards), max(received))

"""Rings, played step by step: who holds which shard, and how many bytes each rank has received.

This is the counting route of the collectives. It knows nothing of formulas: it moves shards from a rank to its
neighbour until the collective's own end condition holds.
"""

from __future__ import annotations


def shard_bytes(size: int, ranks: int) -> list[int]:
    """Shard sizes after padding `size` bytes until they share out evenly among the ranks."""
    padded = size
    while padded % ranks:
        padded += 1
    shards = [padded // ranks] * ranks
    assert sum(shards) == padded
    return shards


def ring_all_gather(size: int, ranks: int) -> int:
    """Bytes the busiest rank receives until every rank holds every shard."""
    shards = shard_bytes(size, ranks)
    holds = [{rank} for rank in range(ranks)]
    newest = list(range(ranks))
    received = [0] * ranks
    while any(len(held) < ranks for held in holds):
        newest = [newest[rank - 1] for rank in range(ranks)]
        for rank, shard in enumerate(newest):
            holds[rank].add(shard)
            received[rank] += shards[shard]
    return max(received)

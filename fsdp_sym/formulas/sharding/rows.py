"""The rows of a tensor dealt out to ranks, chunk after chunk: what the sharding formulas are counted on."""

from __future__ import annotations


def dealt(rows: int, ranks: int) -> list[range]:
    """The rows of each rank: chunks of equal size from the front, so that the last ranks may hold fewer or none.

    The size is the least that leaves no row over, found by trying.
    """
    size = 1
    while size * ranks < rows:
        size += 1
    hands = [range(min(at * size, rows), min((at + 1) * size, rows)) for at in range(ranks)]
    assert sum(map(len, hands)) == rows
    return hands

"""Which links the messages of one step take: inside a node each GPU has its own, and the node's way out is shared."""

from __future__ import annotations


def busiest_link(messages: int, links: int, size: int) -> int:
    """Bytes that the fullest link carries when messages of one size leave a node, dealt out to its links in turn."""
    carried = [0] * links
    for message in range(messages):
        carried[message % links] += size
    assert sum(carried) == messages * size, "every message leaves by one link"
    return max(carried)


def through_a_node(gpus: int, rings: int, piece: int) -> tuple[int, int]:
    """Bytes that the fullest link inside a node and the fullest out of it carry in one step of several rings.

    Each ring goes through all GPUs of the node and leaves it at another one; there its piece takes the network instead.
    """
    inside, out = [0] * gpus, [0] * gpus
    for ring in range(rings):
        for gpu in range(gpus):
            (out if gpu == ring else inside)[gpu] += piece
    assert sum(inside) + sum(out) == gpus * rings * piece, "in every ring each GPU sends one piece"
    return max(inside), max(out)

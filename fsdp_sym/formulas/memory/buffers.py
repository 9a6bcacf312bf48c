"""The buffers a training run keeps, laid out rank by rank in bytes.

This is the counting route of the model state. It knows nothing of formulas: it deals the parameters out to the
ranks and adds up, on each rank, what every buffer holds there.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

Number = int | Fraction


class Buffer(NamedTuple):
    """One buffer: its bytes per parameter, and the first ZeRO stage that shards it."""

    name: str
    width: Number
    sharded_from: int


def kept(b_w: Number, b_g: Number, b_c: Number, b_m: Number, b_v: Number, b_x: Number) -> tuple[Buffer, ...]:
    """The six buffers with their widths."""
    return (
        Buffer("parameters", b_w, 3),
        Buffer("gradients", b_g, 2),
        Buffer("master copy", b_c, 1),
        Buffer("momentum", b_m, 1),
        Buffer("variance", b_v, 1),
        Buffer("other optimizer state", b_x, 1),
    )


def replica_bytes(parameters: int, buffers: tuple[Buffer, ...]) -> Number:
    """Bytes of one whole copy of every buffer."""
    return sum(parameters * buffer.width for buffer in buffers)


def shares(parameters: int, ranks: int) -> list[int]:
    """How many parameters each rank owns, dealt out as evenly as they go."""
    each, left = divmod(parameters, ranks)
    owned = [each + (rank < left) for rank in range(ranks)]
    assert sum(owned) == parameters
    return owned


def rank_bytes(parameters: int, ranks: int, buffers: tuple[Buffer, ...], stage: int) -> list[Number]:
    """Bytes on each rank: of a sharded buffer its own share, of any other the whole."""
    assert stage in range(4), "ZeRO has the stages 0 to 3"
    return [
        sum((owned if stage >= buffer.sharded_from else parameters) * buffer.width for buffer in buffers)
        for owned in shares(parameters, ranks)
    ]


def fullest_rank(parameters: int, ranks: int, buffers: tuple[Buffer, ...], stage: int) -> Number:
    """Bytes on the fullest rank, which is what every rank holds once the shards are padded to equal length."""
    return max(rank_bytes(parameters, ranks, buffers, stage))

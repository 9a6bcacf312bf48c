"""A micro-batch of a tensor-parallel block, meeting by meeting: what its collectives are counted on."""

from __future__ import annotations

HALVES = ("attention", "feed-forward layer")


def reduces(layers: int, inputs: int) -> list[str]:
    """All-reduces: forward the output of both halves of a block, backward each input that a matrix took on its own."""
    events: list[str] = []
    for layer in range(layers):
        events += [f"output of the {half}, block {layer}" for half in HALVES]
        events += [f"gradient of input {number}, block {layer}" for number in range(inputs)]
    return events


def pairs(layers: int) -> list[str]:
    """An all-gather into each half and a reduce-scatter out of it, forward and, the other way round, backward."""
    return [f"{way}, {half}, block {layer}" for layer in range(layers) for half in HALVES for way in ("forward", "backward")]

"""Tensors a forward pass leaves behind, counted by shape and width.

This is the counting route of the activations. It knows nothing of formulas: it walks sequences and tokens, layers,
and the named tensors of a transformer block.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import prod
from typing import NamedTuple


class Tensor(NamedTuple):
    """One tensor that is kept: its shape, and the bytes of an element."""

    name: str
    shape: tuple[int, ...]
    width: int


def elements(sequences: int, tokens: int, hidden: int) -> int:
    """Elements of a tensor that has one hidden vector for every token of every sequence."""
    return sum(hidden for _ in range(sequences) for _ in range(tokens))


def all_layers(layers: int, layer: int) -> int:
    """Bytes that `layers` layers keep together, each of them `layer` bytes."""
    kept = 0
    for _ in range(layers):
        kept += layer
    return kept


def total(tensors: Iterable[Tensor]) -> int:
    """Bytes of tensors together."""
    return sum(prod(tensor.shape) * tensor.width for tensor in tensors)

"""Points cut into blocks, and expressions worked on one block after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from math import prod
from typing import Any

import numpy as np
from sympy import Eq, Ge, Symbol, floor
from sympy.core.basic import Basic

from ...algebra.hypotheses import AtMost, Divides, Equal, Hypothesis
from .axes import Axis
from .nodes import Nodes
from .program import BLOCK, Array, Program


@dataclass(frozen=True)
class Layout:
    """How a grid is cut into blocks: outer axes stand still in one, an axis is cut into pieces, inner axes are the same in every block."""

    lengths: tuple[int, ...]
    together: bool
    outer: int  # how many axes stand still
    cut: int | None  # the axis that is cut
    piece: int  # how many of its values are in a block
    inner: int  # points for each of them

    @classmethod
    def of(cls, lengths: list[int], together: bool) -> Layout:
        if together:
            return cls(tuple(lengths), True, 0, 0, min(BLOCK, lengths[0]), 1)
        inner, at = 1, len(lengths)
        while at and inner * lengths[at - 1] <= BLOCK:
            at -= 1
            inner *= lengths[at]
        if not at:
            return cls(tuple(lengths), False, 0, None, 1, inner)
        return cls(tuple(lengths), False, at - 1, at - 1, max(1, min(lengths[at - 1], BLOCK // inner)), inner)

    @property
    def block(self) -> int:
        return self.piece * self.inner

    @property
    def standing(self) -> range:
        return range(0) if self.together else range(0 if self.cut is None else self.cut + 1, len(self.lengths))

    @property
    def changing(self) -> range:
        if self.together:
            return range(len(self.lengths))
        return range(0) if self.cut is None else range(self.cut, self.cut + 1)

    @property
    def _pieces(self) -> int:
        return 1 if self.cut is None else -(-self.lengths[self.cut] // self.piece)

    @property
    def blocks(self) -> int:
        return prod(self.lengths[: self.outer]) * self._pieces

    def part(self, number: int) -> tuple[int, int, tuple[int, ...], slice]:
        """Where a block begins, how many points it has, which values the outer axes have in it, and which piece of the cut axis it is."""
        rest, piece = divmod(number, self._pieces)
        here = tuple(int(i) for i in np.unravel_index(rest, self.lengths[: self.outer])) if self.outer else ()
        if self.cut is None:
            return 0, self.inner, here, slice(0)
        first = piece * self.piece
        last = min(first + self.piece, self.lengths[self.cut])
        return (rest * self.lengths[self.cut] + first) * self.inner, (last - first) * self.inner, here, slice(first, last)

    def column(self, values: Array, at: int) -> Array:
        """An inner axis, once for every point of a block."""
        after = prod(self.lengths[at + 1 :])
        return np.tile(np.repeat(values, after), self.block // (after * len(values)))


def program(
    nodes: Nodes, kind: type[np.float64] | type[np.int64], axes: Sequence[Axis], given: Sequence[Axis], layout: Layout
) -> Program:  # fmt: skip
    """The operations, for blocks of a layout."""
    taken = [axis.taken(kind) for axis in axes]
    standing: dict[Symbol, Any] = {axis.symbol: axis.taken(kind)(0) for axis in given}
    standing |= {axes[at].symbol: layout.column(taken[at](slice(None)), at) for at in layout.standing}
    return Program(nodes, kind, [axes[at].symbol for at in layout.changing], standing, layout.block)


def blocks(
    work: Program, axes: Sequence[Axis], layout: Layout, first: int = 0, last: int | None = None
) -> Iterator[tuple[int, list[Array]]]:  # fmt: skip
    """Where each block begins, and in it the values of every expression; the next block writes over them."""
    work, places = work.apart(), {axis.symbol: at for at, axis in enumerate(axes)}
    taken = [(places[s], axes[places[s]].taken(work.kind)) for s in work.letters]
    for number in range(first, layout.blocks if last is None else last):
        start, length, here, piece = layout.part(number)
        columns = [take(here[at] if at < layout.outer else piece) for at, take in taken]
        if layout.inner > 1:
            columns = [np.repeat(column, layout.inner) if column.ndim else column for column in columns]
        yield start, [_spread(found, length) for found in work.over(columns, length)]


def _spread(found: Any, length: int) -> Array:
    """A value that is the same for the whole block, as a column."""
    return found if isinstance(found, np.ndarray) and found.ndim else np.full(length, found)


def met(conditions: Sequence[Array]) -> Array | None:
    """Where all of them are met; None where there are none."""
    return reduce(np.logical_and, conditions) if conditions else None


def condition(hypothesis: Hypothesis) -> Basic:
    """What a formula assumes, as a comparison."""
    match hypothesis:
        case AtMost():
            return Ge(hypothesis.y, hypothesis.x, evaluate=False)
        case Divides():
            return Eq(floor(hypothesis.whole / hypothesis.part) * hypothesis.part, hypothesis.whole, evaluate=False)
        case Equal():
            return Eq(hypothesis.x, hypothesis.y, evaluate=False)
    raise TypeError(f"no condition on arrays for {type(hypothesis).__name__}: add it to reasoning/sweeps/blocks.py")

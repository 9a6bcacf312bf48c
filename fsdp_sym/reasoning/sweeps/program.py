"""A list of operations, run on blocks of an array that stay in a processor's cache.

Letters differ in how often they change. What hangs on numbers alone is computed once a block, as a number; what hangs on columns
that are the same for every block, once for all; only the rest is done point by point, in a few buffers that are used again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from fractions import Fraction
from typing import Any, Final

import numpy as np
from sympy import Symbol

from ...algebra.errors import OutOfRange
from .nodes import Node, Nodes
from .straight import Held, straight

BLOCK: Final = 32768  # values of 8 bytes: below it calls cost more than they compute, far above it the buffers leave the cache
_IN_FLOATS: Final = 2**52  # up to here whole numbers, and quotients rounded to whole ones, are exact in 64-bit floats
_IN_INTS: Final = 2**63 - 1
_LINE: Final = 64  # bytes of a cache line, on which a buffer begins, so that no read and no write straddles two
Array = np.ndarray[Any, Any]


def exactly(nodes: Nodes, what: str) -> type[np.float64] | type[np.int64]:
    """The kind of number that holds every whole one exactly that a whole result or a truth value comes from.

    Raises
    ------
    OutOfRange
        Where 64 bits do not.
    """
    wanted = {at for at in nodes.results if nodes.listed[at].whole or nodes.listed[at].op in _TRUTHS}
    for at in reversed(range(len(nodes.listed))):
        if at in wanted:
            wanted.update(nodes.listed[at].places)
    ranges = [nodes.listed[at].range for at in wanted if nodes.listed[at].whole]
    most = max((max(abs(end) for end in found) for found in ranges if found), default=Fraction(0))
    if most <= _IN_FLOATS:
        return np.float64
    if most <= _IN_INTS:
        return np.int64
    raise OutOfRange(
        f"{what} may reach {float(most):.2g}, and 64 bits hold whole numbers up to {_IN_INTS:.2g}: narrow the ranges, or ask for floats"
    )


class Program:
    """Operations on blocks.

    Parameters
    ----------
    nodes : Nodes
    kind : type
        `numpy.float64`, or `numpy.int64` where whole numbers are too large for floats.
    changing : collection of Symbol
        Letters with another column for every block.
    standing : mapping of Symbol to array or number
        Letters with one column, or one value, for all blocks; all others are numbers in a block.
    """

    def __init__(
        self, nodes: Nodes, kind: type[np.float64] | type[np.int64], changing: Sequence[Symbol] = (),
        standing: Mapping[Symbol, Held] | None = None, block: int = BLOCK,
    ) -> None:  # fmt: skip
        self.kind, self._nodes, self._block = kind, nodes.listed, block
        columns = dict(standing or {})
        held: list[Held] = [columns.get(n.value) if isinstance(n.value, Symbol) else _constant(n, kind) for n in self._nodes]
        depends = _dependences(self._nodes)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            for place, node in enumerate(self._nodes):
                if node.places and depends[place] <= columns.keys():
                    held[place] = self._function(node)(*(held[arg] for arg in node.places))
        numbers = {s for s in set().union(*depends) if s not in changing and not np.ndim(columns.get(s, 0))}
        moving = [place for place in range(len(held)) if not depends[place] <= columns.keys()]
        letters = [place for place in moving if not self._nodes[place].places]
        still = [place for place, value in enumerate(held) if np.ndim(value)]
        constants = {place: value for place, value in enumerate(held) if value is not None and place not in still}
        steps = {
            place: (self._function(self._nodes[place]), None if depends[place] <= numbers else self._dtype(self._nodes[place]))
            for place in moving
            if self._nodes[place].places
        }
        self.letters: list[Any] = [self._nodes[place].value for place in letters]
        self._still = [held[place] for place in still]
        self._straight, self._dtypes = straight(self._nodes, steps, [*letters, *still], constants, nodes.results)
        self._room = self._buffers()

    def apart(self) -> Program:
        """The same with buffers of its own, so that of two that run side by side neither writes over what the other found."""
        other = copy(self)
        other._room = self._buffers()
        return other

    def run(self, values: Mapping[Symbol, Held], length: int) -> list[Held]:
        """The results of a block of so many points; an array among them is written over by the next block."""
        return self.over([values[s] for s in self.letters], length)

    def over(self, values: Sequence[Held], length: int) -> list[Held]:
        """The same of values in the order of `letters`."""
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            if length == self._block:
                return self._straight(*values, *self._still, *self._room)
            # At the end of an axis.
            return self._straight(*values, *(array[:length] for array in (*self._still, *self._room)))

    def _buffers(self) -> list[Array]:
        return [_aligned(self._block, dtype) for dtype in self._dtypes]

    def _dtype(self, node: Node) -> np.dtype[Any]:
        return np.dtype(np.bool_ if node.op in _TRUTHS else self.kind if node.whole else np.float64)

    def _function(self, node: Node) -> Callable[..., Any]:
        return _FUNCTIONS[node.op, self.kind if node.whole else np.float64]


def _aligned(length: int, dtype: np.dtype[Any]) -> Array:
    size = length * dtype.itemsize
    room = np.empty(size + _LINE, np.uint8)
    first = -room.ctypes.data % _LINE
    return room[first : first + size].view(dtype)


def _constant(node: Node, kind: type[np.float64] | type[np.int64]) -> Held:
    if not isinstance(node.value, Fraction):
        return None if isinstance(node.value, Symbol) else node.value
    return kind(node.value.numerator) if node.whole else np.float64(node.value)


def _dependences(nodes: Sequence[Node]) -> list[set[Symbol]]:
    found: list[set[Symbol]] = []
    for node in nodes:
        own = {node.value} if isinstance(node.value, Symbol) else set()
        found.append(own.union(*(found[arg] for arg in node.places)))
    return found


def _ceil_of_floats(x: Held, y: Held, out: Array | None = None) -> Held:
    return np.ceil(np.divide(x, y, out=out), out=out)


def _floor_of_floats(x: Held, y: Held, out: Array | None = None) -> Held:
    return np.floor(np.divide(x, y, out=out), out=out)


def _ceil_of_ints(x: Held, y: Held, out: Array | None = None) -> Held:
    return np.negative(np.floor_divide(np.negative(x), y), out=out)


def _select(when: Held, one: Held, other: Held, out: Array | None = None) -> Held:
    if out is None:
        return np.where(when, one, other)
    if out is one:
        np.copyto(out, other, where=np.logical_not(when))
    else:
        np.copyto(out, other)
        np.copyto(out, one, where=when)
    return out


_TRUTHS: Final = {"less", "less_equal", "greater", "greater_equal", "equal", "not_equal", "logical_and", "logical_or"}
_PLAIN: Final = {"add", "subtract", "multiply", "divide", "power", "maximum", "minimum", "sqrt", *_TRUTHS}
_FUNCTIONS: Final[dict[tuple[str, type], Callable[..., Any]]] = {
    **{(name, kind): getattr(np, name) for name in _PLAIN for kind in (np.float64, np.int64)},
    **{("select", kind): _select for kind in (np.float64, np.int64)},
    ("ceil_divide", np.float64): _ceil_of_floats, ("ceil_divide", np.int64): _ceil_of_ints,
    ("floor_divide", np.float64): _floor_of_floats, ("floor_divide", np.int64): np.floor_divide,
}  # fmt: skip

"""A list of operations, run on blocks of an array that stay in a processor's cache.

Letters differ in how often they change. What hangs on numbers alone is computed once a block, as a number; what hangs on columns
that are the same for every block, once for all; only the rest is done point by point, in a few buffers that are used again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from operator import itemgetter
from typing import Any, Final

import numpy as np
from sympy import Symbol

from ...algebra.errors import OutOfRange
from .nodes import Node, Nodes

BLOCK: Final = 32768  # values of 8 bytes: below it calls cost more than they compute, far above it the buffers leave the cache
_IN_FLOATS: Final = 2**52  # up to here whole numbers, and quotients rounded to whole ones, are exact in 64-bit floats
_IN_INTS: Final = 2**63 - 1
Array = np.ndarray[Any, Any]
Held = Any  # an array, or a number where nothing in a block changes it


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
        self._nodes, self._kind, self._block = nodes.listed, kind, block
        self._results = nodes.results
        self._letters = [(place, node.value) for place, node in enumerate(self._nodes) if isinstance(node.value, Symbol)]
        self._held: list[Held] = [_constant(node, kind) for node in self._nodes]
        columns = dict(standing or {})
        numbers = {s for _, s in self._letters if s not in changing and not np.ndim(columns.get(s, 0))}
        depends = _dependences(self._nodes)
        self._once: list[int] = []
        self._each: list[int] = []
        fixed: list[int] = []
        for place, node in enumerate(self._nodes):
            if not node.places:
                continue
            if not depends[place]:
                self._held[place] = self._call(place, self._held)
            elif depends[place] <= set(columns):
                fixed.append(place)
            elif depends[place] <= numbers:
                self._once.append(place)
            else:
                self._each.append(place)
        for place, s in self._letters:
            if s in columns:
                self._held[place] = columns[s]
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            for place in fixed:
                self._held[place] = self._call(place, self._held)
        # Beside an array numpy takes Python's own numbers in faster than its scalars.
        self._held = [held.item() if isinstance(held, np.number) else held for held in self._held]
        whole = [*(place for place, s in self._letters if s in columns), *fixed]
        self._still = [place for place in whole if np.ndim(self._held[place])]
        self._letters = [(place, s) for place, s in self._letters if s not in columns]
        self._plan(set(self._each))

    def _plan(self, each: set[int]) -> None:
        """A buffer for what is computed point by point, given back as soon as it is read for the last time."""
        last = {arg: place for place in self._each for arg in self._nodes[place].places}
        free: dict[np.dtype[Any], list[Array]] = {}
        self._steps: list[tuple[Callable[..., Any], Callable[[Sequence[Held]], tuple[Held, ...]], int]] = []
        owner: dict[int, Array] = {}
        for place in self._each:
            node = self._nodes[place]
            dtype = self._dtype(node)
            read = [arg for arg in set(node.places) if arg in owner and last[arg] == place and arg not in self._results]
            given_back = [owner.pop(arg) for arg in read]
            if node.op != "select":  # which reads one operand after it has begun to write
                _give_back(free, given_back)
            spare = free.get(dtype)
            array = spare.pop() if spare else np.empty(self._block, dtype)
            if node.op == "select":
                _give_back(free, given_back)
            owner[place] = self._held[place] = array
            self._steps.append((self._function(node), _reader(node.places), place))

    def _dtype(self, node: Node) -> np.dtype[Any]:
        return np.dtype(np.bool_ if node.op in _TRUTHS else self._kind if node.whole else np.float64)

    def _function(self, node: Node) -> Callable[..., Any]:
        return _FUNCTIONS[node.op, self._kind if node.whole else np.float64]

    def _call(self, place: int, held: Sequence[Held]) -> Held:
        return self._function(self._nodes[place])(*(held[arg] for arg in self._nodes[place].places))

    def _shortened(self, length: int) -> list[Held]:
        """For a block that is not full, at the end of an axis."""
        held = list(self._held)
        for place in (*self._still, *self._each):
            held[place] = held[place][:length]
        return held

    def run(self, values: Mapping[Symbol, Held], length: int) -> list[Held]:
        """The results of a block of so many points; an array among them is written over by the next block."""
        held = self._held if length == self._block else self._shortened(length)
        for place, s in self._letters:
            if s in values:
                held[place] = values[s]
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            for place in self._once:
                held[place] = self._call(place, held)
            for function, read, place in self._steps:
                function(*read(held), out=held[place])
        return [held[place] for place in self._results]


def _reader(places: tuple[int, ...]) -> Callable[[Sequence[Held]], tuple[Held, ...]]:
    """What takes the operands at these places."""
    return itemgetter(*places) if len(places) > 1 else lambda held: (held[places[0]],)


def _give_back(free: dict[np.dtype[Any], list[Array]], arrays: Sequence[Array]) -> None:
    for array in arrays:
        free.setdefault(array.dtype, []).append(array)


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

"""A formula over a grid, or over rows of points: as a table, or reduced to the best few while it runs, in bounded memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import prod
from typing import Any, Final

import numpy as np
from sympy import Eq, Ge, Symbol, floor, oo
from sympy.core.basic import Basic
from sympy.core.relational import Relational

from ...algebra.errors import FsdpSymError, MissingValue, OutOfRange
from ...algebra.formula import Formula
from ...algebra.hypotheses import AtMost, Divides, Equal, Hypothesis
from ...algebra.vocabulary import letter, symbol_named
from ...scenarios.cells import Cell
from ..catalogue import formula as formula_named
from ..work import lacking, plain, values_at
from .axes import Axis, given_axis, read_axes
from .nodes import Nodes
from .program import BLOCK, Array, Program, exactly

_MOST_ROWS: Final = 20_000_000  # of a table in memory
_PARTS: Final = 8  # pieces of work a process, so that none waits long for the last


@dataclass(frozen=True)
class Sweep:
    """A formula over many points.

    Attributes
    ----------
    formula : Formula
    axes : tuple of Axis
        The letters that vary, the last one fastest.
    given : tuple of Axis
        The letters that do not.
    together : bool
        Whether the axes are columns of one table of points; else every combination is a point.
    floats : bool
        Whether whole numbers may be rounded to 64-bit floats.
    """

    formula: Formula
    axes: tuple[Axis, ...]
    given: tuple[Axis, ...]
    together: bool = False
    floats: bool = False

    def __len__(self) -> int:
        """How many points there are, those outside the formula's ranges included."""
        return len(self.axes[0]) if self.together else prod(map(len, self.axes))

    def __reduce__(self) -> tuple[Any, ...]:
        """Another process has the same formulas, and takes this one by its name."""
        return _again, (self.formula.id, self.axes, self.given, self.together, self.floats)

    @cached_property
    def nodes(self) -> Nodes:
        """The operations of the formula and of the ranges it needs, over the letters' values."""
        columns = {axis.symbol: axis.column for axis in (*self.axes, *self.given)}
        return Nodes([self.formula.closed, *map(_condition, self.formula.where)], columns)

    @cached_property
    def kind(self) -> type[np.float64] | type[np.int64]:
        return np.float64 if self.floats else exactly(self.nodes, f"a number on the way to {self.formula.id}")

    @cached_property
    def dtype(self) -> np.dtype[Any]:
        """The type of the formula's value: truth values, exact whole numbers, or floats."""
        if isinstance(self.formula.closed, Relational):
            return np.dtype(np.bool_)
        return np.dtype(np.int64 if self.nodes.listed[self.nodes.results[0]].whole and not self.floats else np.float64)

    @cached_property
    def _layout(self) -> _Layout:
        return _Layout.of([len(axis) for axis in self.axes], self.together)

    def blocks(self, first: int = 0, last: int | None = None) -> Iterator[tuple[int, Array, Array | None]]:
        """Values block by block: where each begins, its values, and where there are ranges, which points lie in them."""
        layout, kind = self._layout, self.kind
        letters = [axis.symbol for axis in self.axes]
        numbers = {axis.symbol: axis.held(kind)[0] for axis in self.given}
        standing = {letters[at]: layout.column(self.axes[at].held(kind), at) for at in layout.standing}
        program = Program(self.nodes, kind, [letters[at] for at in layout.changing], standing, layout.block)
        for number in range(first, layout.blocks if last is None else last):
            start, length, here, piece = layout.part(number)
            values: dict[Symbol, Any] = dict(numbers)
            for at, index in enumerate(here):
                values[letters[at]] = self.axes[at].held(kind, index, index + 1)[0]
            for at in layout.changing:
                part = self.axes[at].held(kind, piece.start, piece.stop)
                values[letters[at]] = part if layout.inner == 1 else np.repeat(part, layout.inner)
            found, *inside = program.run(values, length)
            keep = None
            for condition in inside:
                keep = condition if keep is None else np.logical_and(keep, condition)
            yield start, _spread(found, length), None if keep is None else _spread(keep, length)

    def table(self) -> Array:
        """Every point in the formula's ranges as a row of a structured array, in base units.

        Raises
        ------
        OutOfRange
            Where there are more points than a table in memory should have.
        """
        if len(self) > _MOST_ROWS:
            raise OutOfRange(
                f"{len(self):,} points are more than the {_MOST_ROWS:,} that a table in memory may have: "
                "take the best of them, or write them to a file"
            )
        parts = list(self.pieces())
        return np.concatenate(parts) if parts else np.empty(0, self._row)

    def pieces(self) -> Iterator[Array]:
        """The same rows, some thousands at a time."""
        for start, found, keep in self.blocks():
            kept = np.arange(len(found)) if keep is None else np.flatnonzero(keep)
            yield self._rows(kept + start, found[kept])

    def best(self, count: int, largest: bool = False, executor: Executor | None = None) -> Array:
        """The points with the smallest values, or the largest, in that order; of equal ones those that come first.

        Parameters
        ----------
        count : int
        largest : bool
        executor : concurrent.futures.Executor, optional
            Processes to share the work among, or those of a Dask cluster.
        """
        if count < 1:
            raise OutOfRange(f"the best {count} are asked for: ask for one at least")
        if executor is None:
            found = [self._best(count, largest, 0, self._layout.blocks)]
        else:
            cuts = np.linspace(0, self._layout.blocks, _PARTS * 2 + 1).astype(int)
            parts = [(self, count, largest, int(a), int(b)) for a, b in pairwise(cuts) if a < b]
            found = list(executor.map(_best_of, parts))
        places, values = (np.concatenate([pair[at] for pair in found]) for at in (0, 1))
        order = _order(places, values, largest)[:count]
        return self._rows(places[order], values[order])

    def _best(self, count: int, largest: bool, first: int, last: int) -> tuple[Array, Array]:
        places, values = np.empty(0, np.int64), np.empty(0, self._computed)
        for start, found, keep in self.blocks(first, last):
            if len(values) == count:
                better = found > values[-1] if largest else found < values[-1]
                chosen = np.flatnonzero(better if keep is None else better & keep)
                if not len(chosen):
                    continue
            else:
                chosen = np.arange(len(found)) if keep is None else np.flatnonzero(keep)
                chosen = chosen[~np.isnan(found[chosen])]
            if len(chosen) > count:
                own = found[chosen]
                edge = np.partition(own, len(own) - count)[len(own) - count] if largest else np.partition(own, count - 1)[count - 1]
                chosen = chosen[own >= edge if largest else own <= edge]
            places = np.concatenate([places, chosen + start])
            values = np.concatenate([values, found[chosen]])
            order = _order(places, values, largest)[:count]
            places, values = places[order], values[order]
        return places, values

    @property
    def _computed(self) -> np.dtype[Any]:
        return np.dtype(np.bool_) if self.dtype == np.bool_ else np.dtype(self.kind if self.dtype == np.int64 else np.float64)

    @cached_property
    def _row(self) -> np.dtype[Any]:
        kinds = [np.int64 if axis.whole else np.float64 for axis in self.axes]
        names = [axis.symbol.name for axis in self.axes]
        return np.dtype([*zip(names, kinds, strict=True), (self.formula.defines.name, self.dtype)])

    def _rows(self, places: Array, values: Array) -> Array:
        rows = np.empty(len(places), self._row)
        indices = [places] * len(self.axes) if self.together else np.unravel_index(places, [len(axis) for axis in self.axes])
        for axis, at in zip(self.axes, indices, strict=True):
            rows[axis.symbol.name] = axis.values[at]
        rows[self.formula.defines.name] = values
        return rows


def _again(name: str, axes: tuple[Axis, ...], given: tuple[Axis, ...], together: bool, floats: bool) -> Sweep:
    return Sweep(formula_named(name), axes, given, together, floats)


def _best_of(part: tuple[Sweep, int, bool, int, int]) -> tuple[Array, Array]:
    sweep, count, largest, first, last = part
    return sweep._best(count, largest, first, last)


def _order(places: Array, values: Array, largest: bool) -> Array:
    return np.lexsort((places, -values if largest else values))


def _spread(found: Any, length: int) -> Array:
    """A value that is the same for the whole block, as a column."""
    return found if isinstance(found, np.ndarray) and found.ndim else np.full(length, found)


def _condition(hypothesis: Hypothesis) -> Basic:
    match hypothesis:
        case AtMost():
            return Ge(hypothesis.y, hypothesis.x, evaluate=False)
        case Divides():
            return Eq(floor(hypothesis.whole / hypothesis.part) * hypothesis.part, hypothesis.whole, evaluate=False)
        case Equal():
            return Eq(hypothesis.x, hypothesis.y, evaluate=False)
    raise TypeError(f"no condition on arrays for {type(hypothesis).__name__}: add it to reasoning/sweeps/sweep.py")


@dataclass(frozen=True)
class _Layout:
    """How a grid is cut into blocks: outer axes stand still in one, an axis is cut into pieces, inner axes are the same in every block."""

    lengths: tuple[int, ...]
    together: bool
    outer: int  # how many axes stand still
    cut: int | None  # the axis that is cut
    piece: int  # how many of its values are in a block
    inner: int  # points for each of them

    @classmethod
    def of(cls, lengths: list[int], together: bool) -> _Layout:
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


def sweep(
    formula: str | Formula, over: Mapping[str | Symbol, object], where: str | Cell | Mapping[str | Symbol, object] = (),  # type: ignore[assignment]
    *, together: bool = False, floats: bool = False, **at: object,
) -> Sweep:  # fmt: skip
    """Work a formula over many points.

    Parameters
    ----------
    formula : str or Formula
    over : mapping
        For each letter that varies a range, a list of what a person writes (``["1 GB", "10 GB"]``), or an array in base units.
    where : str, Cell or mapping
        A cell's letter, or values, for the letters that do not vary.
    together : bool
        Whether `over` holds the columns of a table of points; else every combination is a point.
    floats : bool
        Whether whole numbers may be rounded to floats, where 64 bits do not hold them.
    **at
        Other values for letters that do not vary.

    Returns
    -------
    Sweep

    Raises
    ------
    FsdpSymError
        In one line, where the request makes no sense, or whole numbers would pass what 64 bits hold.
    """
    chosen = formula_named(formula) if isinstance(formula, str) else formula
    varying = {symbol_named(s) if isinstance(s, str) else s: values for s, values in over.items()}
    if not varying:
        raise MissingValue(f"{chosen.id} is swept over nothing: name a letter and its values, such as N=1..64")
    parts = (chosen.closed, *map(_condition, chosen.where))
    asked = sorted({s for part in parts for s in part.free_symbols}, key=lambda s: letter(s).order)
    for s in varying:
        if s not in asked:
            raise MissingValue(f"{chosen.id} does not depend on {s.name}: it can be swept over {', '.join(x.name for x in chosen.letters)}")
    known = {s: amount.value for s, amount in values_at(where or {}, at).items() if s not in varying}
    missing = [s for s in asked if s not in varying and s not in known]
    if missing:
        raise lacking(chosen, missing, " to be swept")
    endless = [s.name for s in asked if known.get(s) == oo]
    if endless:
        raise OutOfRange(f"{chosen.id} is swept at numbers: give {endless[0]} one instead of ∞")
    axes = read_axes(varying)
    if together and len({len(axis) for axis in axes}) > 1:
        lengths = ", ".join(f"{axis.symbol.name} {len(axis):,}" for axis in axes)
        raise FsdpSymError(f"columns of one table are equally long, and these have {lengths}: make them so, or leave together out")
    given = tuple(given_axis(s, Fraction(plain(known[s]))) for s in asked if s not in varying)
    made = Sweep(chosen, axes, given, together, floats)
    _ = made.kind  # what cannot be held is refused before anything is computed
    return made

"""A formula over a grid, or over rows of points: as a table, or reduced to the best few while it runs, in bounded memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import prod
from typing import Any, Final

import numpy as np
from sympy import Symbol
from sympy.core.relational import Relational

from ...algebra.errors import FsdpSymError, MissingValue, OutOfRange
from ...algebra.formula import Formula
from ..catalogue import formula as formula_named
from ..work import Where, lacking
from .axes import Axis, asked_of
from .blocks import Layout, blocks, condition, met, program
from .nodes import Nodes
from .program import Array, Program, exactly

_MOST_ROWS: Final = 20_000_000  # of a table in memory
_PARTS: Final = (16, 256)  # of the work, at least and at most: no process waits long for the last, and a large cluster has enough
_BLOCKS_OF_A_PART: Final = 200  # between these: so many take far longer than to write the formula out anew, which each part does


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
        return Nodes([self.formula.closed, *map(condition, self.formula.where)], columns)

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
    def _layout(self) -> Layout:
        return Layout.of([len(axis) for axis in self.axes], self.together)

    @cached_property
    def _program(self) -> Program:
        return program(self.nodes, self.kind, self.axes, self.given, self._layout)

    def blocks(self, first: int = 0, last: int | None = None) -> Iterator[tuple[int, Array, Array | None]]:
        """Values block by block: where each begins, its values, and where there are ranges, which points lie in them."""
        for start, (found, *inside) in blocks(self._program, self.axes, self._layout, first, last):
            yield start, found, met(inside)

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

    def refuse_empty(self) -> None:
        """Refuse a sweep without a point in the formula's ranges.

        Raises
        ------
        OutOfRange
            With the range in which no point lies.
        """
        ranges = self.formula.where
        met_at = [0] * len(ranges)
        for _, (_, *inside) in blocks(self._program, self.axes, self._layout):
            if np.logical_and.reduce(inside).any():
                return
            met_at = [before + int(np.count_nonzero(here)) for before, here in zip(met_at, inside, strict=True)]
        never = [str(one) for one, count in zip(ranges, met_at, strict=True) if not count]
        not_always = [str(one) for one, count in zip(ranges, met_at, strict=True) if count < len(self)]
        said = f"{' and that '.join(never or not_always)}, and {'no point' if never else 'no single point'} is such"
        points = f"{len(self):,} point{'' if len(self) == 1 else 's'}"
        raise OutOfRange(f"{self.formula.id} means nothing at the {points} given: it needs that {said}")

    def best(self, count: int, largest: bool = False, executor: Executor | None = None) -> Array:
        """The points with the smallest values, or the largest, in that order; of equal ones those that come first.

        Parameters
        ----------
        count : int
        largest : bool
        executor : concurrent.futures.Executor, optional
            Processes to share the work among. ``Client(address).get_executor()``, of `distributed`, sends it to a Dask cluster,
            whose workers have this package: only the question and the best points of each part travel. The answer is the same.
        """
        if self.dtype == np.bool_:
            raise OutOfRange(f"{self.formula.id} answers yes or no, and none of its points is the best: take its table")
        if count < 1:
            raise OutOfRange(f"the best {count} are asked for: ask for one at least")
        if executor is None:
            found = [self._best(count, largest, 0, self._layout.blocks)]
        else:
            least, most = _PARTS
            count_of_parts = min(max(least, self._layout.blocks // _BLOCKS_OF_A_PART), most)
            cuts = np.linspace(0, self._layout.blocks, count_of_parts + 1).astype(int)
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


def sweep(
    formula: str | Formula, over: Mapping[str | Symbol, object], where: Where | None = None,
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
    asked = asked_of((chosen.closed, *map(condition, chosen.where)), over, where or {}, at, chosen.id)
    if not asked.varying:
        raise MissingValue(f"{chosen.id} is swept over nothing: name a letter and its values, such as N=1..64")
    for s in asked.varying:
        if s not in asked.letters:
            raise MissingValue(f"{chosen.id} does not depend on {s.name}: it can be swept over {', '.join(x.name for x in chosen.letters)}")
    if asked.missing:
        raise lacking(chosen, asked.missing, " to be swept")
    if asked.endless:
        raise OutOfRange(f"{chosen.id} is swept at numbers: give {asked.endless[0].name} one instead of ∞")
    axes, given = asked.axes, asked.given
    if together and len({len(axis) for axis in axes}) > 1:
        lengths = ", ".join(f"{axis.symbol.name} {len(axis):,}" for axis in axes)
        raise FsdpSymError(f"columns of one table are equally long, and these have {lengths}: make them so, or leave together out")
    made = Sweep(chosen, axes, given, together, floats)
    _ = made.kind  # what cannot be held is refused before anything is computed
    return made

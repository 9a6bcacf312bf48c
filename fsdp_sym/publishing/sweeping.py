"""A sweep as people take it away: written to a file, as a data frame, drawn."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec

from sympy import Integer

from ..algebra.errors import FsdpSymError
from ..algebra.units import Amount, show
from ..algebra.vocabulary import letter
from ..reasoning.sweeps.sweep import Sweep, sweep
from ..teaching.safely import whole, write_whole

if TYPE_CHECKING:
    from ..figures.picture import Picture

Given = ParamSpec("Given")


class PublishedSweep(Sweep):
    """A sweep with what is made of it; the table is in base units, which the headers name."""

    @property
    def headers(self) -> list[str]:
        """The letters with their base units: ``S [B]``."""
        symbols = [*(axis.symbol for axis in self.axes), self.formula.defines]
        units = [show(Amount(Integer(1), letter(s).dimension)).partition(" ")[2] for s in symbols]
        return [f"{s.name} [{unit}]" if unit else s.name for s, unit in zip(symbols, units, strict=True)]

    def csv(self) -> Iterator[str]:
        """The table as CSV, some thousand lines at a time."""
        yield _lines([self.headers])
        for piece in self.pieces():
            yield _lines(piece.tolist())

    def to_csv(self, path: str | Path) -> Path:
        """Write the table, piece by piece, beside the file's place, which it takes when all of it is there."""
        place = _file(path)
        with whole(place) as file:
            for text in self.csv():
                file.write(text.encode())
        return place

    def to_picture(self, path: str | Path) -> Path:
        """Write the picture, as SVG or PNG by the file's name."""
        place, picture = _file(path), self.plot()
        write_whole(place, picture.svg() if place.suffix == ".svg" else picture.png())
        return place

    def to_pandas(self) -> Any:
        """The table as a pandas data frame.

        Raises
        ------
        FsdpSymError
            Where pandas is not installed.
        """
        try:
            import pandas
        except ImportError:
            raise FsdpSymError("to_pandas needs pandas: pip install pandas, or take table(), an array with named columns") from None
        return pandas.DataFrame(self.table())

    def plot(self) -> Picture:
        """The value against the longest axis, a line for every combination of the others; a decision over two axes as a map."""
        from ..figures.sweep_lines import draw_sweep
        from ..figures.sweep_map import draw_map, is_map

        return draw_map(self) if is_map(self) else draw_sweep(self)

    def __str__(self) -> str:
        return f"{self.formula.id} at {len(self):,} points: {', '.join(self.headers)}"

    __repr__ = __str__


def _file(path: str | Path) -> Path:
    """Where a file is to go: what a link leads to; nothing but a file is replaced."""
    place = Path(path).resolve()
    if place.exists() and not place.is_file():
        raise FsdpSymError(f"{path} is there and is no file: name another one")
    return place


def _lines(rows: list[Any]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


def _published(made: Callable[Given, Sweep]) -> Callable[Given, PublishedSweep]:
    """The same function, with what is made of a sweep beside it."""

    @wraps(made)
    def published(*args: Given.args, **named: Given.kwargs) -> PublishedSweep:
        found = made(*args, **named)
        return PublishedSweep(found.formula, found.axes, found.given, found.together, found.floats)

    return published


published_sweep = _published(sweep)

"""What a record is: one figure that somebody measured or printed, and the formula that must give it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from .values import TORCH, VALUES

_MEASURE = "fsdp-sym measure --only "


@dataclass(frozen=True)
class Record:
    """One figure.

    Parameters
    ----------
    id : str
        Its name: short words with hyphens.
    formula : str
        The formula that must give it, by id.
    at : mapping
        Letters to values, as people write them.
    value : int, Fraction or None
        The figure, in base units; None where it has not been measured yet.
    what : str
        What was counted or printed, in a few words.
    version : str
        Of the framework that was measured, or of the page that printed it.
    source : str
        Where it is written, or how it was measured.
    reproduce : str
        What to run to see it again; empty for what is printed.
    within : Fraction
        How far the formula may be off, as a share of the figure; 0 where it must be exact.
    bound : bool
        Whether the formula bounds the figure: it may be above it, by `within`, and never below.
    digits : int or None
        Of a printed figure: so many significant digits agree.
    unit : str
        The unit it was printed in, where `value` is a number of these units rounded to `digits`.
    """

    id: str
    formula: str
    at: Mapping[str, object]
    value: int | Fraction | None
    what: str
    version: str
    source: str
    reproduce: str = ""
    within: Fraction = Fraction(0)
    bound: bool = False
    digits: int | None = None
    unit: str = ""

    def __post_init__(self) -> None:
        if not (self.what and self.version and self.source):
            raise ValueError(f"the record {self.id} needs what it is, a version and a source")

    @property
    def group(self) -> str:
        """The measurement that reproduces it; empty for what is printed."""
        return self.reproduce.removeprefix(_MEASURE)


def measured(
    id: str, formula: str, at: Mapping[str, object], what: str, group: str, how: str, within: Fraction = Fraction(0), bound: bool = False
) -> Record:
    """A record of what was run here: its value is the one that was measured last."""
    return Record(id, formula, at, VALUES.get(id), what, TORCH, how, _MEASURE + group, within, bound)


@dataclass(frozen=True)
class Run:
    """A training run whose phases were recorded; each phase becomes a record of the formula that adds it up.

    Parameters
    ----------
    id : str
    shape : mapping
        What `scenarios.shapes.Shape` is made of, but for its name and source.
    ranks : int
    step : mapping
        What `reasoning.step.Step` is made of.
    what : str
    fake : bool
        Whether it ran on fake tensors, which are as large as real ones and hold no numbers.
    """

    id: str
    shape: Mapping[str, int | bool]
    ranks: int
    step: Mapping[str, object]
    what: str
    fake: bool = False

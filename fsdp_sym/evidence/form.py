"""What a record is: one figure that somebody measured or printed, and the formula that must give it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

TORCH: Final = "PyTorch 2.13.0"


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
    value : int or Fraction
        The figure, in base units.
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
    digits : int or None
        Of a printed figure: so many significant digits agree.
    unit : str
        The unit it was printed in, where `value` is a number of these units rounded to `digits`.
    """

    id: str
    formula: str
    at: Mapping[str, object]
    value: int | Fraction
    what: str
    version: str
    source: str
    reproduce: str = ""
    within: Fraction = Fraction(0)
    digits: int | None = None
    unit: str = ""

    def __post_init__(self) -> None:
        if not (self.what and self.version and self.source):
            raise ValueError(f"the record {self.id} needs what it is, a version and a source")

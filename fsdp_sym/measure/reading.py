"""One line of what is measured: predicted beside measured, and whether they agree."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple


def near(predicted: Fraction, measured: Fraction, within: Fraction, bound: bool) -> bool:
    """Whether a prediction is equal, or as near as it may be; a bound is never below what it bounds."""
    over = predicted - measured
    return (over >= 0 or not bound) and abs(over) <= within * measured


class Reading(NamedTuple):
    """A quantity, as the formulas have it and as it was found.

    Attributes
    ----------
    what : str
    predicted, measured : Fraction
    within : Fraction
        How far the prediction may be off, as a share of what was measured.
    bound : bool
        Whether it may only be above.
    recorded : Fraction or None
        What the evidence says was found before.
    id, group : str
        Of its record, and the measurement that it belongs to.
    """

    what: str
    predicted: Fraction
    measured: Fraction
    within: Fraction = Fraction(0)
    bound: bool = False
    recorded: Fraction | None = None
    id: str = ""
    group: str = ""

    @property
    def ok(self) -> bool:
        """Whether the prediction is what was measured."""
        return near(self.predicted, self.measured, self.within, self.bound)

    @property
    def changed(self) -> bool:
        """Whether it is no longer what was recorded, beyond what the wire adds now and then."""
        if self.recorded is None:
            return False
        slack = Fraction(0) if self.bound else self.within * self.measured
        return abs(self.recorded - self.measured) > slack

    @property
    def difference(self) -> str:
        """``0``, or how far the prediction lies from what was measured."""
        if self.predicted == self.measured:
            return "0"
        if not self.measured:
            return "all of it"
        share = 100 * (self.predicted / self.measured - 1)
        return f"{float(share):+.2g} %"

"""Constants of a machine and its software from runs that were measured on it, and how far a prediction with them may be off.

A step's time is made of parts, each inverse to a constant, or in proportion to the layer's own time; where something is hidden, one part
or another is left out. At any constants the time is therefore the sum of its slopes, and a few rounds of least squares find them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from typing import Final

import numpy as np
from sympy import Rational

from ...algebra.errors import FsdpSymError
from .job import NOMINAL, Constants
from .runs import LETTERS, Run, Timed, numbers_of
from .space import Array

_ROUNDS: Final = 12
_STEP: Final = 1e-6
_SETTLED: Final = 1e-9
_DIGITS: Final = 6


@dataclass(frozen=True)
class Calibration:
    """Constants, and how well they predict.

    Attributes
    ----------
    constants : Constants
    fitted : tuple of str
        Those that the runs tell apart; the others are nominal.
    errors : dict of Run to float
        Of each run its prediction's error by constants that were fitted without its group, as a share of what was measured.
    inside : dict of Run to float
        The same by constants that were fitted with all runs.
    """

    constants: Constants
    fitted: tuple[str, ...]
    errors: Mapping[Run, float]
    inside: Mapping[Run, float]

    @property
    def average(self) -> float:
        """Of the errors' sizes."""
        return float(np.mean([abs(error) for error in self.errors.values()]))

    @property
    def ninth_of_ten(self) -> float:
        """The 90th percentile of their sizes."""
        return float(np.quantile([abs(error) for error in self.errors.values()], 0.9, method="higher"))

    @property
    def worst(self) -> tuple[Run, float]:
        return max(self.errors.items(), key=lambda row: abs(row[1]))


def calibrate(runs: Sequence[Run]) -> Calibration:
    """Fit constants to runs.

    One constant after another is fitted with those before, as long as groups are predicted better that were left out of the fit.

    Raises
    ------
    FsdpSymError
        Where there are fewer than two groups, and no error could be stated.
    """
    groups = list(dict.fromkeys(run.group for run in runs))
    if len(groups) < 2:
        raise FsdpSymError("a calibration states its error by leaving one group of runs out: give runs of two groups at least")
    timed = Timed(runs)
    member = np.array([groups.index(run.group) for run in runs])
    best: tuple[float, tuple[str, ...], Array] | None = None
    names: tuple[str, ...] = ()
    most = min(int(np.count_nonzero(member != at)) for at in range(len(groups)))  # no more constants than runs are left
    while len(names) < min(most, len(LETTERS)):
        tried = [(*names, name) for name in LETTERS if name not in names]
        found = [(*_left_out(timed, one, member), one) for one in tried]
        mean, errors, chosen = found[int(np.argmin([row[0] for row in found]))]
        if best is not None and mean >= best[0] - _SETTLED:
            break
        names = chosen
        best = mean, names, errors
    if best is None:
        raise FsdpSymError("a calibration needs a run outside of each group: give more runs")
    mean, names, errors = best
    if not mean < 1:
        raise FsdpSymError("these runs do not predict each other: on average they are off by more than was measured; look for a wrong row")
    known = _fit(timed, names, np.ones(len(runs), bool))
    constants = Constants(**{name: Rational(f"{value:.{_DIGITS}g}") for name, value in known.items()})
    inside = _errors(timed, known)
    return Calibration(constants, names, dict(zip(runs, errors.tolist(), strict=True)), dict(zip(runs, inside.tolist(), strict=True)))


def _left_out(timed: Timed, names: Sequence[str], member: Array) -> tuple[float, Array]:
    """Each run's error by constants that were fitted without its group, and their average size."""
    errors = np.empty(len(member))
    for at in range(int(member.max()) + 1):
        out = member == at
        errors[out] = _errors(timed, _fit(timed, names, ~out))[out]
    return float(np.mean(np.abs(errors))), errors


def _errors(timed: Timed, constants: Mapping[str, float]) -> Array:
    off: Array = timed.seconds([constants])[0] / timed.measured - 1
    return off


def _fit(timed: Timed, names: Sequence[str], among: Array) -> dict[str, float]:
    """The constants with the smallest squared errors among some runs."""
    slow = {name: 1 / value if name != "layer" else value for name, value in numbers_of(NOMINAL).items()}
    for _ in range(_ROUNDS):
        now, *moved = timed.seconds([_quick(slow), *(_quick(slow | {name: slow[name] + _STEP}) for name in names)])
        slopes = np.column_stack([(there - now) / _STEP for there in moved])
        floor = np.array([0.0 if name == "layer" else 1.0 for name in names])
        rest = now - slopes @ np.array([slow[name] for name in names])
        goal = (timed.measured - rest - slopes @ floor) / timed.measured
        more = _least_squares((slopes / timed.measured[:, None])[among], goal[among])
        new = dict(zip(names, (floor + more).tolist(), strict=True))
        change = max(abs(new[name] - slow[name]) for name in names)
        slow |= new
        if change < _SETTLED:
            break
    return _quick(slow)


def _quick(slow: Mapping[str, float]) -> dict[str, float]:
    return {name: value if name == "layer" else 1 / value for name, value in slow.items()}


def _least_squares(columns: Array, goal: Array) -> Array:
    """None of them negative: the best of all choices of those that are not 0."""
    count = columns.shape[1]
    best, found = float(goal @ goal), np.zeros(count)
    for chosen in chain.from_iterable(combinations(range(count), size) for size in range(1, count + 1)):
        part, *_ = np.linalg.lstsq(columns[:, chosen], goal, rcond=None)
        left = columns[:, chosen] @ part - goal
        if (part >= 0).all() and float(left @ left) < best - 1e-15:
            best, found = float(left @ left), np.zeros(count)
            found[list(chosen)] = part
    return found

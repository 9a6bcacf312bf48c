"""The best layouts of a training job: every candidate is looked at, those that fit are timed, and the fastest are told."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np

from ...algebra.vocabulary import M_max
from .job import Job
from .layouts import Candidates, Layout
from .parts import peak_of
from .space import CAUSES, DEGREES, SHARDINGS, Array, Cause, Columns, Space

_DIGITS: Final = 11  # of a time by which layouts are ranked: floats hold more, and equal ones are told apart by memory, then by order
_NEAR: Final = 1e-9  # of the budget: a peak this close to it is worked out exactly


class Ranked(NamedTuple):
    """A layout that fits, with what it takes.

    Attributes
    ----------
    layout : Layout
    peak : float
        Bytes of the fullest rank.
    seconds : float
        Of a step.
    sequences : int
        Of the batch really used.
    """

    layout: Layout
    peak: float
    seconds: float
    sequences: int

    @property
    def each(self) -> float:
        """Seconds a sequence: what layouts are ranked by, since they may use different batches."""
        return self.seconds / self.sequences


@dataclass(frozen=True)
class _Timed:
    """Candidates, a row each: their place in the space, their recomputation, and what they take."""

    places: Array
    recompute: Array
    peaks: Array
    seconds: Array
    used: Array

    @cached_property
    def order(self) -> Array:
        """From the fastest on; equally fast ones by their memory, then as they come."""
        found: Array = np.lexsort((self.places, self.recompute, _rounded(self.peaks), _rounded(self.seconds / self.used)))
        return found

    def where(self, meets: Array) -> _Timed:
        return _Timed(*(column[meets] for column in (self.places, self.recompute, self.peaks, self.seconds, self.used)))


@dataclass(frozen=True)
class Plan:
    """What `layouts_of` found.

    Attributes
    ----------
    job : Job
    rejected : dict of str to int
        By cause; with those that fit they add up to the size.
    """

    job: Job
    rejected: Mapping[str, int]
    _space: Space
    _every: _Timed
    _fitting: _Timed

    @property
    def size(self) -> int:
        """Candidates in all."""
        return self._space.size

    @property
    def fit(self) -> int:
        """Candidates that fit."""
        return len(self._fitting.places)

    def best(self, count: int = 5) -> tuple[Ranked, ...]:
        """The fastest by the sequence."""
        return tuple(self._ranked(self._fitting, int(i)) for i in self._fitting.order[:count])

    @property
    def unlimited(self) -> Ranked | None:
        """The fastest if memory were no limit."""
        return self._ranked(self._every, int(self._every.order[0])) if len(self._every.places) else None

    @property
    def leanest(self) -> Ranked | None:
        """The one that takes the least memory, whether it fits or not."""
        return self._ranked(self._every, int(np.argmin(self._every.peaks))) if len(self._every.places) else None

    def of_split(self, split: tuple[int, ...]) -> tuple[list[tuple[int, Ranked]], list[Ranked]]:
        """Those with these degrees (replicas, shard, context, tensor, pipeline, perhaps expert): fitting ones with ranks, all by memory."""
        fitting = np.flatnonzero(self._of(self._fitting, self._fitting.order, split))
        ranked = [(int(rank) + 1, self._ranked(self._fitting, int(self._fitting.order[rank]))) for rank in fitting]
        lean = np.argsort(self._every.peaks, kind="stable")
        return ranked, [self._ranked(self._every, int(at)) for at in lean[self._of(self._every, lean, split)]]

    def causes_of(self, split: tuple[int, ...]) -> list[tuple[Cause, int]]:
        """What rules out the layouts of a split, and how many each."""
        own = Space.among(self.job, np.array([split[: len(DEGREES)]], np.int64), split[len(DEGREES) :])
        return [(cause, own.rejected[cause.name]) for cause in CAUSES if own.rejected[cause.name]]

    def _of(self, among: _Timed, order: Array, split: tuple[int, ...]) -> Array:
        c = self._space.left
        degrees = np.stack((c.replicas, c.shard, c.context, c.tensor, c.pipeline, c.expert)[: len(split)], axis=1)[among.places[order]]
        found: Array = (degrees == np.array(split)).all(axis=1)
        return found

    def _ranked(self, among: _Timed, at: int) -> Ranked:
        layout = _layout(self._space, int(among.places[at]), self.job.recomputes[among.recompute[at]])
        return Ranked(layout, float(among.peaks[at]), float(among.seconds[at]), int(among.used[at]))


def layouts_of(job: Job) -> Plan:
    """Look at every layout of a job's world.

    Parameters
    ----------
    job : Job

    Returns
    -------
    Plan
    """
    space = Space.of(job)
    left = Candidates(job, space.left, space.sharding)
    used = left.rounds * space.left.replicas * space.left.shard * space.left.micro
    times = len(job.recomputes)
    every = _Timed(
        np.tile(np.arange(left.size), times), np.repeat(np.arange(times), left.size), _of_each(job, left.peaks),
        _of_each(job, lambda name: left.times(name).run), np.tile(used, times),
    )  # fmt: skip
    budget = job.device[M_max]
    meets = every.peaks <= float(budget)
    for near in np.flatnonzero(np.abs(every.peaks - float(budget)) <= _NEAR * float(budget)):
        layout = _layout(space, int(every.places[near]), job.recomputes[every.recompute[near]])
        meets[near] = peak_of(job, layout) <= budget
    rejected = space.rejected | {"memory": int(np.count_nonzero(~meets))}
    return Plan(job, rejected, space, every, every.where(meets))


def _of_each(job: Job, values: Callable[[str], Array]) -> Array:
    """For one recomputation after the other."""
    return np.concatenate([values(name) for name in job.recomputes])


def _rounded(values: Array) -> Array:
    """To so many digits, so that the last bits of floats decide nothing."""
    scale = 10.0 ** (_DIGITS - np.ceil(np.log10(values)))
    return np.round(values * scale) / scale


def _layout(space: Space, place: int, recompute: str) -> Layout:
    c = Columns(*(int(column[place]) for column in space.left))
    name = SHARDINGS[int(space.sharding[place])].name
    return Layout(c.replicas, c.shard, c.context, c.tensor, c.pipeline, name, recompute, c.micro, c.chunks, c.expert)

"""How long a step takes: each stage that may be the slowest is timed, the slowest sets the pace, and the most exposed one waits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any, NamedTuple

import numpy as np
from sympy import Symbol

from ...algebra.vocabulary import L_st, P_lay, T_gat, T_mb, T_opt, T_red, T_show
from ..catalogue import formula
from .quantities import computed
from .space import Array

_OF_PARAMETERS = ("gather_time", "reduce_time", "optimizer_time")


class Times(NamedTuple):
    """Seconds of an optimizer step, for each candidate.

    Attributes
    ----------
    micro_batch : array
        Of a micro-batch on the slowest stage, forward and backward.
    exposed : array
        Of gathers and reductions that nothing hides.
    optimizer : array
    run : array
        Of all.
    """

    micro_batch: Array
    exposed: Array
    optimizer: Array
    run: Array


def step_times(stages: Sequence[Sequence[Mapping[Symbol, Any]]], whole: Mapping[Symbol, Any], numbers: Mapping[Symbol, Any]) -> Times:
    """Time candidates.

    Parameters
    ----------
    stages : sequence of sequence of mapping
        For each stage that is looked at its letters, a column of candidates each: as its slowest chunk paces it, as all its ranks share
        its parameters, and where it has experts as these are shared.
    whole : mapping
        Columns that are the same for every stage.
    numbers : mapping
        What is the same for every candidate.
    """
    size = max(map(np.size, whole.values()))
    slowest, exposed, optimizer = np.zeros(size), np.zeros(size), np.zeros(size)
    for paced, *own in stages:
        kinds = [{**whole, **kind} for kind in own]
        one, pace = (_passing(layers, kinds, numbers) for layers in (own[0][L_st], paced[L_st]))
        every = [_at(_OF_PARAMETERS, kind, numbers) for kind in kinds]
        gather, reduction, changed = (reduce(np.add, parts) for parts in zip(*every, strict=True))
        columns = {**kinds[0], T_mb: one, T_gat: gather, T_red: reduction}
        (shown,) = _at(["exposed_in_step"], columns, numbers)
        slowest, exposed, optimizer = np.maximum(slowest, pace), np.maximum(exposed, shown), np.maximum(optimizer, changed)
    (run,) = _at(["run_time"], {**whole, T_mb: slowest, T_show: exposed, T_opt: optimizer}, {})
    return Times(slowest, exposed, optimizer, run)


def _passing(layers: Any, kinds: Sequence[Mapping[Symbol, Any]], numbers: Mapping[Symbol, Any]) -> Array:
    """Of a micro-batch on a stage of so many layers: with experts it passes their parameters too, and waits for the way to them."""
    shared, *experts = ({**kind, L_st: layers} for kind in kinds)
    both = {P_lay: sum(kind[P_lay] for kind in experts) + float(numbers[P_lay])} if experts else {}
    (one,) = _at(["micro_batch_time"], shared | both, numbers)
    return reduce(np.add, (_at(["expert_time"], kind, numbers)[0] for kind in experts), one)


def _at(names: Sequence[str], columns: Mapping[Symbol, Any], numbers: Mapping[Symbol, Any]) -> list[Array]:
    return computed(names, only(numbers, *names), only(columns, *names))


def only(values: Mapping[Symbol, Any], *names: str) -> dict[Symbol, Any]:
    """Those letters that these formulas have."""
    wanted = {x for name in names for x in formula(name).letters}
    return {x: value for x, value in values.items() if x in wanted}

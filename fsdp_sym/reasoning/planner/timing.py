"""How long a step takes: each stage that may be the slowest is timed, the slowest sets the pace, and the most exposed one waits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from sympy import Symbol

from ...algebra.vocabulary import T_gat, T_mb, T_opt, T_red, T_show
from ..catalogue import formula
from .quantities import computed
from .space import Array

_FIRST = ("micro_batch_time", "gather_time", "reduce_time", "optimizer_time")


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


def step_times(stages: Sequence[Mapping[Symbol, Any]], whole: Mapping[Symbol, Any], numbers: Mapping[Symbol, Any]) -> Times:
    """Time candidates.

    Parameters
    ----------
    stages : sequence of mapping
        For each stage that is looked at its letters, a column of candidates each.
    whole : mapping
        Columns that are the same for every stage.
    numbers : mapping
        What is the same for every candidate.
    """
    size = max(map(np.size, whole.values()))
    slowest, exposed, optimizer = np.zeros(size), np.zeros(size), np.zeros(size)
    for stage in stages:
        columns = {**stage, **whole}
        one, gather, reduce, own = computed(_FIRST, only(numbers, *_FIRST), only(columns, *_FIRST))
        columns |= {T_mb: one, T_gat: gather, T_red: reduce}
        (shown,) = computed(["exposed_in_step"], {}, only(columns, "exposed_in_step"))
        slowest, exposed, optimizer = np.maximum(slowest, one), np.maximum(exposed, shown), np.maximum(optimizer, own)
    run_letters = only({**whole, T_mb: slowest, T_show: exposed, T_opt: optimizer}, "run_time")
    (run,) = computed(["run_time"], {}, run_letters)
    return Times(slowest, exposed, optimizer, run)


def only(values: Mapping[Symbol, Any], *names: str) -> dict[Symbol, Any]:
    """Those letters that these formulas have."""
    wanted = {x for name in names for x in formula(name).letters}
    return {x: value for x, value in values.items() if x in wanted}

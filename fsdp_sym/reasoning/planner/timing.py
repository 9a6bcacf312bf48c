"""How long a step takes: each stage that may be the slowest is timed, the slowest sets the pace, and the most exposed one waits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from sympy import Symbol

from ...algebra.vocabulary import P_lay, T_gat, T_mb, T_opt, T_red, T_show
from ..catalogue import formula
from .quantities import computed
from .space import Array

_OF_PARAMETERS = ("gather_time", "reduce_time", "optimizer_time")
_FIRST = ("micro_batch_time", *_OF_PARAMETERS)


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
        For each stage that is looked at its letters, a column of candidates each; and where it has experts those of them.
    whole : mapping
        Columns that are the same for every stage.
    numbers : mapping
        What is the same for every candidate.
    """
    size = max(map(np.size, whole.values()))
    slowest, exposed, optimizer = np.zeros(size), np.zeros(size), np.zeros(size)
    for kinds in stages:
        columns = {**whole, **kinds[0]}
        if len(kinds) == 1:
            one, gather, reduce, own = _at(_FIRST, columns, numbers)
        else:
            one, gather, reduce, own = _with_experts(columns, {**whole, **kinds[1]}, numbers)
        columns |= {T_mb: one, T_gat: gather, T_red: reduce}
        (shown,) = _at(["exposed_in_step"], columns, {})
        slowest, exposed, optimizer = np.maximum(slowest, one), np.maximum(exposed, shown), np.maximum(optimizer, own)
    (run,) = _at(["run_time"], {**whole, T_mb: slowest, T_show: exposed, T_opt: optimizer}, {})
    return Times(slowest, exposed, optimizer, run)


def _with_experts(shared: Mapping[Symbol, Any], experts: Mapping[Symbol, Any], numbers: Mapping[Symbol, Any]) -> list[Array]:
    """Of both kinds of parameters: a micro-batch passes both and waits for the way to the experts, and each kind has groups of its own."""
    (one,) = _at(["micro_batch_time"], {**shared, P_lay: experts[P_lay] + float(numbers[P_lay])}, numbers)
    swap, *more = _at(["expert_time", *_OF_PARAMETERS], experts, numbers)
    return [one + swap, *(x + y for x, y in zip(_at(_OF_PARAMETERS, shared, numbers), more, strict=True))]


def _at(names: Sequence[str], columns: Mapping[Symbol, Any], numbers: Mapping[Symbol, Any]) -> list[Array]:
    return computed(names, only(numbers, *names), only(columns, *names))


def only(values: Mapping[Symbol, Any], *names: str) -> dict[Symbol, Any]:
    """Those letters that these formulas have."""
    wanted = {x for name in names for x in formula(name).letters}
    return {x: value for x, value in values.items() if x in wanted}

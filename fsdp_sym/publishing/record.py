"""Results as plain data, for ``--json``: exact values as text, with their base unit and the nearest float.

A truth value is ``true`` or ``false``; no value at all (``never``) is ``null``; an infinite one has ``"exact": "oo"`` and no float.
"""

from __future__ import annotations

import math
from typing import Any

from sympy import Expr

from ..algebra.derivation import Derivation
from ..algebra.units import Amount, byte, second
from ..algebra.vocabulary import letter
from ..reasoning.planner.asked import Planned
from ..reasoning.planner.parts import memory_of, time_of
from ..reasoning.solve import Solution
from ..reasoning.sweeps.choose import Choice, Point
from ..reasoning.work import Value, Worked

Record = dict[str, Any]


def value_record(value: Value | None) -> Record | bool | None:
    """``{"exact": "14000000000", "unit": "byte", "float": 14000000000.0}``; the unit of a plain number is ``1``."""
    if value is None or isinstance(value, bool):
        return value
    return {"exact": str(value.value), "unit": str(value.dimension), "float": _nearest(value.value)}


def _nearest(value: Expr) -> float | None:
    """The nearest float, where there is a finite one: JSON knows no infinity."""
    try:
        found = float(value)
    except OverflowError:
        return None
    return found if math.isfinite(found) else None


def worked_record(worked: Worked, unit: str | None = None, digits: int | None = None) -> Record:
    """A worked formula; ``ideal`` is what it would be if the violated hypotheses held."""
    record: Record = {
        "formula": worked.formula.id,
        "value": value_record(worked.value),
        "shown": worked.result(unit=unit, digits=digits),
        "violated": [h.text for h in worked.violated],
    }
    return record | {"ideal": value_record(worked.ideal)} if worked.violated else record


def solution_record(solution: Solution, checked: Worked | None) -> Record:
    """A solved formula; `checked` is the formula worked at the value found, where one was.

    ``assuming`` is what "never" and "every value" hold under.
    """
    return {
        "formula": solution.formula.id,
        "for": solution.unknown.name,
        "value": value_record(solution.value),
        "shown": solution.shown(),
        "reason": solution.reason,
        "assuming": [h.text for h in solution.assuming],
        "violated": [h.text for h in checked.violated] if checked else [],
    }


def derivation_record(derivation: Derivation) -> Record:
    """A derivation, as its lines and the verdict of each step."""
    formula = derivation.formula
    return {
        "formula": formula.id,
        "title": formula.title,
        "defines": formula.defines.name,
        "letters": {s.name: letter(s).says for s in formula.letters},
        "derivation": derivation.text.splitlines(),
        "verdicts": [verdict.kind for verdict in derivation.verdicts],
        "source": str(formula.source),
    }


def choice_record(choice: Choice) -> Record:
    """A choice: the best point, what its conditions come to, for each binding one the point without it; null where there is none."""

    def told(point: Point) -> Record:
        return {"values": {s.name: value_record(amount) for s, amount in point.values.items()}, choice.goal: value_record(point.goal)}

    return {
        "best": None if choice.best is None else told(choice.best),
        "reached": {text: value_record(amount) for text, amount in choice.reached.items()},
        "binding": {text: told(point) for text, point in choice.binding.items()},
        "nearest": {text: {"at": told(point), "value": value_record(amount)} for text, (point, amount) in choice.nearest.items()},
        "free": None if choice.free is None else told(choice.free),
        "points": choice.points,
    }


def plan_record(found: Planned, best: int) -> Record:
    """A plan: what was looked at, and the best with what they take, part by part."""
    plan = found.plan
    return {
        "model": plan.job.shape.name, "gpus": plan.job.world, "machine": plan.job.machine, "sequences": plan.job.batch,
        "tokens of a sequence": plan.job.tokens, "layouts": plan.size, "fit": plan.fit, "ruled out": dict(plan.rejected),
        "times": found.sure.says, "average error": found.sure.average, "error in the worst tenth": found.sure.most,
        "best": [
            {
                **one.layout._asdict(), "sequences used": one.sequences, "peak bytes": one.peak, "seconds": one.seconds,
                "memory": {name: value_record(Amount(size, byte)) for name, size in memory_of(plan.job, one.layout).parts.items()},
                "time": {name: value_record(Amount(time, second)) for name, time in time_of(plan.job, one.layout).parts.items()},
            }
            for one in plan.best(best)
        ],
        "says": found.below,
    }  # fmt: skip

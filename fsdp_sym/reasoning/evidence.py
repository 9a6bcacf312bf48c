"""The third route: every record against the formula it names, without running what it was measured on."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache

from ..algebra.errors import FsdpSymError, UnknownName
from ..algebra.formula import Formula
from ..algebra.units import Amount, show, to_exact
from ..evidence.form import Record, Run, measured
from ..scenarios.shapes import Shape
from .account import account
from .catalogue import find, formula
from .step import Step
from .work import plain, work

PEAKS = "peaks"
PRINTED = "printed"
_NEAR = Fraction(1, 10)
_HOW = "live storages added up after every operation of two steps, a peak for each phase"


@cache
def records() -> dict[str, Record]:
    """Every record by its id, those of recorded runs among them.

    Raises
    ------
    FsdpSymError
        Where two have one id.
    """
    from .. import evidence as wing

    found: dict[str, Record] = {}
    for record in (*find(wing, Record), *(record for run in runs() for record in of_run(run))):
        if record.id in found:
            raise FsdpSymError(f"two records are called {record.id}: rename one")
        found[record.id] = record
    return found


@cache
def runs() -> tuple[Run, ...]:
    """Every run whose phases were recorded."""
    from .. import evidence as wing

    return tuple(find(wing, Run))


def shape_and_step(run: Run) -> tuple[Shape, Step]:
    """The model of a run and how it is stepped."""
    return Shape(run.id, source="made to be measured", **run.shape), Step(**run.step)  # type: ignore[arg-type]


def of_run(run: Run) -> Iterator[Record]:
    """A record for each phase: equal in the optimizer step, and elsewhere a bound that is not far above."""
    shape, step = shape_and_step(run)
    for phase in account(shape, run.ranks, step).phases:
        exact = phase.name == "optimizer step"
        at = {s.name: phase.values.get(s.name, 0) for s in formula(phase.formula).letters}
        what = f"{phase.name}, {run.what}, {run.ranks} ranks"
        yield measured(record_id(run, phase.name), phase.formula, at, what, PEAKS, _HOW, Fraction(0) if exact else _NEAR, bound=not exact)


def record_id(run: Run, phase: str) -> str:
    """``plain-few-backward-pass``."""
    return f"{run.id}-{phase.replace(' ', '-')}"


def records_of(formula: str) -> Iterator[Record]:
    """The records that a formula must give."""
    return (record for record in records().values() if record.formula == formula)


def records_in(group: str) -> list[Record]:
    """The records that one measurement reproduces, such as ``collectives``; ``printed`` are those that others published.

    Raises
    ------
    UnknownName
        With the groups there are.
    """
    groups: dict[str, list[Record]] = {}
    for record in records().values():
        groups.setdefault(record.group or PRINTED, []).append(record)
    if group not in groups:
        raise UnknownName("group of records", group, groups, f"they are {', '.join(groups)}")
    return groups[group]


def predicted(record: Record, formula: Formula | None = None) -> Amount:
    """What the formula it names, or one given in its place, says at the record's values."""
    found = work(dict(record.at), formula or record.formula).value
    if not isinstance(found, Amount):
        raise FsdpSymError(f"the record {record.id} names {record.formula}, which answers yes or no")
    return found


def disagreement(record: Record, formula: Formula | None = None) -> str | None:
    """How a record and its formula, or one given in its place, differ, in one line; None where they agree."""
    try:
        amount = predicted(record, formula)
    except FsdpSymError as error:
        return f"{record.id}: {error}"
    if record.value is None:
        return f"{record.id} was never measured: run {record.reproduce} --record"
    if record.digits is not None:
        printed = show(Amount(to_exact(record.value)), None, record.digits)
        ours = show(amount, record.unit or None, record.digits).removeprefix("≈ ").partition(" ")[0]
        return (
            None
            if Fraction(ours) == Fraction(printed.removeprefix("≈ "))
            else f"{record.id}: printed {printed}, {record.formula} gives {ours}"
        )
    value = Fraction(plain(amount.value))
    if agrees(record, value):
        return None
    return f"{record.id}: {record.what}: {record.value} was found, {record.formula} gives {value}"


def agrees(record: Record, prediction: Fraction) -> bool:
    """Whether a prediction is what was found, or as near as the record allows."""
    if record.value is None:
        return False
    over = prediction - record.value
    return (over >= 0 or not record.bound) and abs(over) <= record.within * record.value

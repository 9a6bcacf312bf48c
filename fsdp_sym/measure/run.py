"""Everything measured, group by group: predicted beside measured, and what was recorded before."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from fractions import Fraction
from importlib.metadata import version
from importlib.util import find_spec
from multiprocessing import get_context
from typing import Final

from ..algebra.errors import FsdpSymError, UnknownName
from ..evidence.values import FILE, VALUES, written
from ..reasoning.evidence import predicted, records
from ..reasoning.work import plain
from .reading import Reading
from .worlds import quietly

# By name, each in the module that measures it; the long ones first, for two of them run at a time.
GROUPS: Final = {
    "persistent": "persistent", "peaks": "peaks", "wire": "wire", "counts": "counts", "collectives": "collectives",
    "activations": "saved", "parallel": "parallel", "optimizer": "optimizer",
}  # fmt: skip
VERSION: Final = "2.13.0"
_REMEDY = f"install a CPU build of torch {VERSION}, then in a clone pip install -c constraints.txt '.[verify]'"
_AT_ONCE = 2
Found = list[tuple[str, int | Fraction]]


def torch_version() -> str:
    """The version of PyTorch that is here.

    Raises
    ------
    FsdpSymError
        Where PyTorch or Transformers is missing.
    """
    for name in ("torch", "transformers"):
        if find_spec(name) is None:
            raise FsdpSymError(f"measure runs PyTorch and Transformers, and {name} is not installed: {_REMEDY}")
    return version("torch").partition("+")[0]


def chosen(names: str | None) -> list[str]:
    """The groups that ``--only`` names, in the order they are measured."""
    if names is None:
        return list(GROUPS)
    asked = [name.strip() for name in names.split(",")]
    for name in asked:
        if name not in GROUPS:
            raise UnknownName("measurement", name, GROUPS, f"they are {', '.join(GROUPS)}")
    return [name for name in GROUPS if name in asked]


def measure(groups: Sequence[str], say: Callable[[str], None] = lambda _: None) -> Iterator[Reading]:
    """Measure groups, two at a time, each in a process of its own.

    Raises
    ------
    FsdpSymError
        Where PyTorch is missing, a group fails, or a record of a group was not measured.
    """
    here = torch_version()
    with ProcessPoolExecutor(_AT_ONCE, mp_context=get_context("spawn")) as pool:
        waiting = {group: pool.submit(measured, group) for group in groups}
        for group, future in waiting.items():
            say(f"measuring {group}")
            try:
                found = future.result()
            except FsdpSymError:
                raise
            except Exception as error:
                said = f"{type(error).__name__} {error}"
                raise FsdpSymError(f"{group} cannot be measured with PyTorch {here}, only with {VERSION} surely: {said}") from error
            yield from readings(group, found)


def measured(group: str) -> Found:
    """Every record of a group, measured in this process."""
    with quietly():
        return list(importlib.import_module(f".{GROUPS[group]}", __package__).measure())


def readings(group: str, found: Iterable[tuple[str, int | Fraction]]) -> Iterator[Reading]:
    """What was found beside what the formulas say and what was recorded."""
    wanted = {record.id: record for record in records().values() if record.group == group}
    for id, value in found:
        if id not in wanted:
            raise FsdpSymError(f"{group} measures {id}, and no record is called so: add it to the evidence")
        record = replace(wanted.pop(id), value=Fraction(value))
        before = VALUES.get(id)
        yield Reading(
            record.what, Fraction(plain(predicted(record).value)), Fraction(value), record.within, record.bound,
            None if before is None else Fraction(before), id, group,
        )  # fmt: skip
    if wanted:
        raise FsdpSymError(f"{group} did not measure {', '.join(wanted)}: say how in measure/{GROUPS[group]}.py, or mark them as printed")


def record(found: Iterable[Reading]) -> list[str]:
    """Write what was measured over what was recorded; what changed, a line each."""
    found = list(found)
    values = {id: value for id, value in VALUES.items() if id in records()} | {one.id: one.measured for one in found}
    FILE.write_text(written(torch_version(), {id: Fraction(value) for id, value in values.items()}), encoding="utf-8")
    changed = [one for one in found if one.recorded != one.measured]
    return [f"{one.id}: {'not recorded before' if one.recorded is None else one.recorded} -> {one.measured}" for one in changed]

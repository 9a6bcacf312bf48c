"""Measured steps, a row a run: read from a table, and made ready to be timed with any constants."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, Final

import numpy as np
from sympy import Rational, Symbol

from ...algebra.errors import FsdpSymError
from ...algebra.vocabulary import T_lay, V_hid, x_dp, x_gemm, x_mem, x_tp
from ...scenarios.shapes import Shape, shape_named
from . import quantities as q
from .job import RECOMPUTES, Constants, Job, attention_named
from .layouts import Candidates, Layout
from .space import CAUSES, DEGREES, SHARDINGS, Array
from .timing import step_times

_WHOLE: Final = ("gpus", "tokens", "batch", "replicas", "shard", "context", "tensor", "pipeline", "chunks", "micro")
_NAMES: Final = ("model", "machine", "sharding", "recompute", "attention")
COLUMNS: Final = ("group", *_NAMES, *_WHOLE, "split_sequence", "seconds")
_UNSPLIT: Final = 2  # all-gathers and reduce-scatters fewer: sequence parallelism gathers a block's two inputs again on the way back
LETTERS: Final[Mapping[str, Symbol]] = {"gemm": x_gemm, "tensor": x_tp, "data": x_dp, "memory": x_mem, "layer": T_lay}


@dataclass(frozen=True)
class Run:
    """A step that was measured.

    Attributes
    ----------
    group : str
        Runs that stand or fall together, such as those of one model: an error is stated by leaving whole groups out.
    job : Job
    layout : Layout
    split_sequence : bool
        Whether the tensor group splits the sequence, too, as plans assume.
    seconds : float
        Of an optimizer step.
    row : int
        Of the table, from 2 on.
    """

    group: str
    job: Job
    layout: Layout
    split_sequence: bool
    seconds: float
    row: int


def read_runs(path: Path, shapes: Callable[[str], Shape] | None = None) -> tuple[Run, ...]:
    """Runs from a CSV file with the columns of `COLUMNS`; others are left alone.

    Parameters
    ----------
    path : Path
    shapes : callable, optional
        A model's shape from its name; else one of those that are known.

    Raises
    ------
    FsdpSymError
        In one line that names the file, the row and the remedy.
    """
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            reader = csv.DictReader(file)
            missing = [name for name in COLUMNS if name not in (reader.fieldnames or ())]
            rows = list(reader)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise FsdpSymError(f"{path}: {getattr(error, 'strerror', None) or error}: give a CSV file with a row for each run") from None
    named = list(reader.fieldnames or ())
    if len(named) != len(set(named)):
        raise FsdpSymError(f"{path} has a column twice: {', '.join(sorted({name for name in named if named.count(name) > 1}))}")
    if missing:
        raise FsdpSymError(f"{path} has no column {', '.join(missing)}: its first line names {', '.join(COLUMNS)}")
    found = []
    for number, row in enumerate(rows, 2):
        try:
            found.append(_run(row, number, shapes or shape_named))
        except FsdpSymError as error:
            raise FsdpSymError(f"{path}, row {number}: {error}") from None
    if not found:
        raise FsdpSymError(f"{path} has no runs: give a row for each")
    return tuple(found)


def _run(row: Mapping[str, str], number: int, shapes: Callable[[str], Shape]) -> Run:
    if any(row[name] is None for name in COLUMNS):
        raise FsdpSymError("it has fewer cells than the first line: fill them in")
    if None in row:
        raise FsdpSymError("it has more cells than the first line: name every column there")
    whole = {name: _whole(name, row[name]) for name in _WHOLE}
    sharding, recompute, attention = row["sharding"], row["recompute"], attention_named(row["attention"])
    _among("sharding", sharding, [x.name for x in SHARDINGS])
    _among("recompute", recompute, RECOMPUTES[attention])
    _among("split_sequence", row["split_sequence"], ["yes", "no"])
    step = whole["tokens"] * whole["batch"]
    shape = shapes(row["model"])
    if shape.experts:
        raise FsdpSymError(f"{shape.name} has experts, and how evenly its tokens were spread is not known: give runs of dense models")
    job = Job(shape, whole["tokens"], whole["gpus"], step, row["machine"], attention=attention)
    degrees = {name: whole[name] for name in (*DEGREES, "micro", "chunks")}
    layout = Layout(**degrees, sharding=sharding, recompute=recompute)
    if layout.world != job.world:
        raise FsdpSymError(f"its degrees multiply to {layout.world}, and gpus says {job.world}")
    for cause in CAUSES:
        if not cause.meets(job, layout.columns).all():
            raise FsdpSymError(f"it cannot have run like this: {cause.says}")
    sequences = layout.replicas * layout.shard * layout.micro
    if whole["batch"] % sequences:
        raise FsdpSymError(f"its batch of {whole['batch']:,} sequences is not made of whole micro-batches of {sequences:,} on all ranks")
    return Run(row["group"], job, layout, row["split_sequence"] == "yes", _seconds(row["seconds"]), number)


def _among(column: str, found: str, allowed: Sequence[str]) -> None:
    if found not in allowed:
        raise FsdpSymError(f"{column} is {found!r}: it is one of {', '.join(allowed)}")


def _whole(column: str, text: str) -> int:
    if not text.strip().isdecimal() or not 0 < len(text.strip()) < 16 or int(text) < 1:
        raise FsdpSymError(f"{column} is {text[:40]!r}: a positive whole number is wanted")
    return int(text)


def _seconds(text: str) -> float:
    try:
        found = float(Decimal(text.strip()))
    except (InvalidOperation, ValueError):  # no number, or a signaling one
        found = 0.0
    if not 0 < found < 1e9:
        raise FsdpSymError(f"seconds is {text[:40]!r}: a positive number of seconds is wanted")
    return found


class Timed:
    """Runs, ready to be timed with any constants."""

    def __init__(self, runs: Sequence[Run]) -> None:
        self.measured = np.array([run.seconds for run in runs])
        every = [_letters(run) for run in runs]
        by_stage = zip(*(stages for stages, _ in every), strict=True)
        self._stages = [[_stacked(letters) for letters in zip(*stage, strict=True)] for stage in by_stage]
        self._whole = _stacked([whole for _, whole in every])

    def seconds(self, choices: Sequence[Mapping[str, float]]) -> Array:
        """A row for each choice of constants, a column for each run."""
        runs = len(self.measured)
        known = {letter: np.repeat([one[name] for one in choices], runs) for name, letter in LETTERS.items()}
        stages = [[_repeated(letters, len(choices)) for letters in stage] for stage in self._stages]
        whole = _repeated(self._whole, len(choices)) | known
        return step_times(stages, whole, {}).run.reshape(len(choices), runs)


def numbers_of(constants: Constants) -> dict[str, float]:
    """As floats, by name."""
    return {name: float(getattr(constants, name)) for name in LETTERS}


def _letters(run: Run) -> tuple[list[list[dict[Symbol, Any]]], dict[Symbol, Any]]:
    """What a run is timed with, but the constants: of its stages, and of the whole step."""
    layout = run.layout
    one = Candidates.of(run.job, layout)
    stages, whole = one.timed(layout.recompute)
    numbers: dict[Symbol, Any] = q.fixed(run.job) | q.of_recompute(run.job, layout.recompute)
    if not run.split_sequence:
        numbers[V_hid] *= 1 - Rational(_UNSPLIT, q.block(run.job)[layout.recompute].halves)
    constants = set(LETTERS.values())
    return stages, {x: np.array([float(value)]) for x, value in numbers.items() if x not in constants} | whole


def _repeated(columns: Mapping[Symbol, Array], times: int) -> dict[Symbol, Array]:
    return {x: np.tile(column, times) for x, column in columns.items()}


def _stacked(rows: Sequence[Mapping[Symbol, Any]]) -> dict[Symbol, Array]:
    return {x: np.array([np.ravel(row[x])[0] for row in rows], np.float64) for x in rows[0]}

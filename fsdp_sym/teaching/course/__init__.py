"""A course of one's own: a folder with rows in this package's forms, which then stand beside ours everywhere.

The folder may hold ``models.py``, ``machines.py``, ``plans.py``, ``cells.py``, ``formulas/``, ``misconceptions.py``,
``questions.py`` and ``lessons.py``, each a file or a folder of files. A file may import what stands in another one:
``from .models import TINY``.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from ...algebra.errors import FsdpSymError
from ...algebra.formula import Formula
from ...reasoning.catalogue import formulas, held
from ...scenarios.cells import CELLS, Cell
from ...scenarios.machines import MACHINES
from ...scenarios.models import MODELS
from ...scenarios.plans import PLANS
from ...scenarios.rows import Row
from ..drills import QUESTIONS, Question
from ..lessons import LESSONS, in_order
from ..lessons.blocks import Lesson
from ..misconceptions import MISCONCEPTIONS, PRINCIPLES, Misconception, Principle
from . import files
from .fits import refuse_unfit

ENVIRONMENT: Final = "FSDP_SYM_COURSE"
"""The variable that names a course to processes that are started for work."""

_Registry = dict[str, Any]
_ROWS: Final[dict[str, _Registry]] = {"models": MODELS, "machines": MACHINES, "plans": PLANS}


@dataclass(frozen=True)
class Course:
    """A course that is open.

    Attributes
    ----------
    folder : Path
        With every link followed.
    added : mapping
        What it brought: the names of its rows, by their kind.
    lessons : mapping
        Its lessons by id, in the order in which they are read.
    """

    folder: Path
    added: Mapping[str, tuple[str, ...]]
    lessons: Mapping[str, Lesson]

    def __repr__(self) -> str:
        return "\n".join(f"{kind}: {', '.join(names)}" for kind, names in self.added.items())


_OPEN: dict[Path, Course] = {}


def open_course(folder: str | Path) -> Course:
    """Open a course: its cells, formulas, questions and lessons are then found wherever ours are.

    Opening the same folder again changes nothing; edited files are read by the next process. A course that is refused leaves
    no trace.

    Parameters
    ----------
    folder : path
        For instance ``".."`` from a notebook in the course's own folder of notebooks.

    Returns
    -------
    Course

    Raises
    ------
    FsdpSymError
        In one line with the file, the line and the remedy: where the folder holds no course, where a file cannot be
        imported, a name is taken, or a row names something that is not there.
    """
    where = files.checked(folder)
    if where not in _OPEN:
        with _all_or_nothing(where):
            _OPEN[where] = _read(where)
    return _OPEN[where]


def open_named_course() -> None:
    """Open the course that the environment names, if it names one: for a process that was started to work on a part."""
    folder = os.environ.get(ENVIRONMENT)
    if folder and Path(folder) not in _OPEN:
        open_course(folder)


def is_of_a_course(file: str) -> bool:
    """Whether a file belongs to a course that is open."""
    return any(Path(file).is_relative_to(folder) for folder in _OPEN)


def _kinds(part: str) -> dict[str, tuple[type[Any], _Registry]]:
    """What is looked for in a part, by what a refusal calls it, and where it goes; a row is a model, a machine or a plan by its file."""
    rows: dict[str, tuple[type[Any], _Registry]] = {part[:-1]: (Row, _ROWS[part])} if part in _ROWS else {}
    return rows | {
        "cell": (Cell, CELLS),
        "formula": (Formula, formulas()),
        "principle": (Principle, PRINCIPLES),
        "misconception": (Misconception, MISCONCEPTIONS),
        "question": (Question, QUESTIONS),
        "lesson": (Lesson, LESSONS),
    }


def _registries() -> list[_Registry]:
    return [*_ROWS.values(), *(registry for _, registry in _kinds("").values())]


def _read(folder: Path) -> Course:
    added: dict[str, dict[str, ModuleType]] = {}
    for part, module in files.modules(folder):
        for what, (kind, registry) in _kinds(part).items():
            for row in held([module], kind):
                if not _is_known(row):
                    _add(row, what, registry, module, added.setdefault(what, {}))
    theirs = in_order(LESSONS[name] for name in added.get("lesson", ()))
    return Course(folder, {what: tuple(names) for what, names in added.items()}, theirs)


def _is_known(row: object) -> bool:
    """Whether a row was imported from another file, ours or theirs."""
    return any(row is known for registry in _registries() for known in registry.values())


def _add(row: Any, what: str, registry: _Registry, module: ModuleType, mine: dict[str, ModuleType]) -> None:
    name = row.name if isinstance(row, Row) else row.id
    if name in registry:
        first = f"in {files.place(mine[name], name)}" if name in mine else "among our own or another course's"
        here = files.place(module, name, nth=-1 if mine.get(name) is module else 0)
        raise FsdpSymError(f"{here}: a {what} {name!r} is {first} already: give this one another name")
    registry[name] = row
    mine[name] = module
    try:
        if isinstance(row, Misconception):
            _forget_what_was_worked_out()
        if isinstance(row, Lesson):
            in_order(LESSONS.values())
        refuse_unfit(row)
    except (FsdpSymError, ValueError) as error:
        raise FsdpSymError(f"{files.place(module, name)}: {error}") from None


@contextmanager
def _all_or_nothing(folder: Path) -> Iterator[None]:
    before = [(registry, dict(registry)) for registry in _registries()]
    try:
        yield
    except BaseException:
        for registry, rows in before:
            registry.clear()
            registry.update(rows)
        files.forget(folder)
        raise
    finally:
        _forget_what_was_worked_out()


def _forget_what_was_worked_out() -> None:
    """Empty every cache of teaching, for what it holds may depend on the rows that there were."""
    for name, module in list(sys.modules.items()):
        if name.startswith(f"{__package__.rpartition('.')[0]}."):
            for value in list(vars(module).values()):
                if getattr(value, "__module__", None) == name and hasattr(value, "cache_clear"):
                    value.cache_clear()

"""Whether a row of a course fits to everything else: what it names must be there, what it gives must be readable."""

from __future__ import annotations

import re
from functools import singledispatch
from typing import Final

from ...algebra.errors import FsdpSymError
from ...algebra.formula import Formula
from ...algebra.vocabulary import FIXED
from ...reasoning.catalogue import formula as formula_named
from ...scenarios.cells import CELLS, Cell, cell_named
from ...scenarios.plans import PLANS, WIDTHS
from ...scenarios.rows import Row
from ..drills import Question, pose
from ..drills.value import Value
from ..lessons.blocks import Derive, Lesson, Work
from ..misconceptions import Misconception
from .files import said

_CELL: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,19}")
_FILE: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,59}")


@singledispatch
def refuse_unfit(row: object) -> None:
    """Refuse a row that cannot be used.

    Raises
    ------
    FsdpSymError
        Naming the part of the row.
    """


@refuse_unfit.register
def _(row: Row) -> None:
    values = row.values
    if any(row is plan for plan in PLANS.values()) and not values.keys() >= set(WIDTHS):
        missing = ", ".join(f"{s.name}=0" for s in WIDTHS if s not in values)
        raise FsdpSymError(f"the plan {row.name!r} does not say {missing}: write it with fsdp_sym.scenarios.plans.kept")


@refuse_unfit.register
def _(row: Cell) -> None:
    if not _CELL.fullmatch(row.id):
        raise FsdpSymError(f"a cell cannot be called {row.id!r}: take up to 20 letters, digits and underscores, a letter first")
    _ = row.values
    try:
        formula_named(row.id)
    except FsdpSymError:
        return
    raise FsdpSymError(f"a formula is called {row.id!r} already: give the cell another id")


@refuse_unfit.register
def _(row: Formula) -> None:
    if row.id in CELLS:
        raise FsdpSymError(f"a cell is called {row.id!r} already: give the formula's file another name")


@refuse_unfit.register
def _(row: Misconception) -> None:
    for name in row.about:
        exact = formula_named(name).exact
        try:
            rival = row.rival(exact)
        except Exception as error:
            raise FsdpSymError(f"the rival of {row.id!r} fails for {name}: {said(error)}") from None
        if rival == exact:
            raise FsdpSymError(f"the rival of {row.id!r} is the truth itself for {name}: change it, or take {name} out of what it is about")


@refuse_unfit.register
def _(row: Question) -> None:
    cell_named(row.cell)
    if not _FILE.fullmatch(row.id) or not row.id.startswith(f"{row.cell}-"):
        raise FsdpSymError(f"a question cannot be called {row.id!r}: take {row.cell}- and then letters, digits and hyphens")
    if isinstance(row, Value):
        _refuse_lacking(row)
    try:
        pose(row, 1)
    except Exception as error:
        raise FsdpSymError(f"{row.id} cannot be posed: {said(error)}") from None


def _refuse_lacking(row: Value) -> None:
    """Refuse a question that does not give every letter of its formula."""
    formula = formula_named(row.formula)
    endless = formula.limit.limit[0] if row.kind == "limit" and formula.limit else None
    given = {*row.draws, *FIXED, endless, *(WIDTHS if row.plans else ())}
    if lacking := [s.name for s in formula.letters if s not in given]:
        raise FsdpSymError(f"{row.id} gives no {', '.join(lacking)}, and {formula.id} depends on that: add it to what is drawn")


@refuse_unfit.register
def _(row: Lesson) -> None:
    if not _FILE.fullmatch(row.id):
        raise FsdpSymError(f"a lesson cannot be called {row.id!r}, for its notebook is: take letters, digits and hyphens")
    for cell in {row.cell, *(b.cell for b in row.works.values())} - {None}:
        cell_named(str(cell))
    for block in row.blocks:
        if isinstance(block, Derive | Work):
            formula_named(block.formula)
    if row.forecast and row.forecast.of not in row.works:
        raise FsdpSymError(f"the forecast of {row.id} is of {row.forecast.of!r}, and no Work has that slug")

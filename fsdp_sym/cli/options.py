"""The options that several commands share, the examples below a command's help, and reading what ``--set`` gives."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from ..algebra.errors import FsdpSymError

if TYPE_CHECKING:
    from ..algebra.formula import Formula
    from ..teaching.course import Course as OpenCourse

_SET_HELP = "A letter's value as people write it: N=8, P=7B, S='80 GB', N=oo. Repeat it for more letters."
Set = Annotated[list[str], typer.Option("--set", metavar="NAME=VALUE", default_factory=list, show_default=False, help=_SET_HELP)]
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON: exact value, base unit, nearest float.")]
JsonTable = Annotated[bool, typer.Option("--json", help="Print the table as JSON, a record for each row.")]
CellOption = Annotated[str | None, typer.Option("--cell", metavar="CELL", help="Start from a cell's values; --set changes them.")]
FormulaName = Annotated[str, typer.Argument(metavar="FORMULA", help="A formula's name: fsdp-sym list formulas.", show_default=False)]
UnitOption = Annotated[str | None, typer.Option("--unit", metavar="UNIT", help="Show the result in this unit, such as GiB.")]
Digits = Annotated[int | None, typer.Option(min=1, max=50, help="Round to so many significant digits, marked by ≈; exact without it.")]

_COURSE_HELP = "A folder with cells, formulas, questions or lessons of your own, found beside ours; it stands before the command."
Course = Annotated[str | None, typer.Option("--course", metavar="DIR", envvar="FSDP_SYM_COURSE", show_default=False, help=_COURSE_HELP)]


def open_for_this_command(folder: str) -> OpenCourse:
    """Open a course here, and name it to every process that is started from here."""
    from ..teaching.course import ENVIRONMENT, open_course

    opened = open_course(folder)
    os.environ[ENVIRONMENT] = str(opened.folder)
    return opened


def of_an_open_course(file: str) -> bool:
    """Whether a file belongs to a course that is open; nothing is imported to find out."""
    room = sys.modules.get("fsdp_sym.teaching.course")
    return room is not None and bool(room.is_of_a_course(file))


def examples(*lines: str) -> str:
    return "\n".join(["\b", "For example:", *(f"  {line}" for line in lines)])


def read_settings(pairs: Sequence[str]) -> dict[str, str]:
    """``["N=8", "S=80 GB"]`` as a dictionary; nothing twice, nothing empty."""
    read: dict[str, str] = {}
    for pair in pairs:
        name, _, value = (part.strip() for part in pair.partition("="))
        if not name or not value:
            raise FsdpSymError(f"--set {pair!r} gives no letter a value: write it like --set N=8")
        if name in read:
            raise FsdpSymError(f"--set gives {name} twice, as {read[name]} and as {value}: give it once")
        read[name] = value
    return read


def settings_of(formula: Formula, pairs: Sequence[str]) -> dict[str, str]:
    """The settings, all of which the formula must use."""
    from ..publishing.explanation import letters_of, refuse_unused

    settings = read_settings(pairs)
    refuse_unused(settings, formula.id, letters_of(formula))
    return settings

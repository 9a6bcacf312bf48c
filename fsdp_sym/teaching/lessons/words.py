"""The words of a lesson with its numbers put in. Every number comes from a `Work` or a cell; none is typed."""

from __future__ import annotations

import re

from sympy import Symbol

from ...algebra.printing import to_latex
from ...algebra.units import byte, show
from ...algebra.vocabulary import LETTERS, letter, symbol_named
from ...reasoning.work import Worked, work
from ...scenarios.cells import CELLS, READING_PATH, Cell
from .blocks import Lesson, Work

_PLACE = re.compile(r"\[\[(?P<name>@?[\w-]+)(?:\.(?P<letter>\w+))?(?:\|(?P<unit>[^|\]]*))?(?:\|(?P<digits>\d+))?\]\]")


def worked(lesson: Lesson, block: Work) -> Worked:
    """The block's formula at its numbers."""
    where = block.cell or lesson.cell
    if where is None:
        raise ValueError(f"lesson {lesson.id}, {block.slug}: name the cell whose numbers are worked")
    found = {name: worked(lesson, other).value if (other := referred(lesson, value)) else value for name, value in block.at.items()}
    return work(where, block.formula, **found)


def referred(lesson: Lesson, value: int | str) -> Work | None:
    """The work whose exact value ``"[[slug]]"`` stands for, if that is what a block's number is."""
    found = _PLACE.fullmatch(value) if isinstance(value, str) else None
    return lesson.works[found["name"]] if found else None


def filled(lesson: Lesson, text: str) -> str:
    """The text with each ``[[slug]]``, ``[[slug.letter]]`` and ``[[@letter]]`` replaced by its value.

    Raises
    ------
    ValueError
        Naming the lesson and the slug that nothing carries.
    """

    def value(found: re.Match[str]) -> str:
        name, unit = found["name"], found["unit"] or None
        digits = int(found["digits"]) if found["digits"] else None
        if name.startswith("@"):
            return show(CELLS[lesson.cell or ""].values[symbol_named(name[1:])], unit, digits)
        if name not in lesson.works:
            raise ValueError(f"lesson {lesson.id} speaks of [[{name}]] and works no such slug")
        block = lesson.works[name]
        if found["letter"]:
            return show(worked(lesson, block).values[symbol_named(found["letter"])], unit, digits)
        return worked(lesson, block).shown(unit or block.unit, digits)

    return _PLACE.sub(value, text)


def has_numbers(text: str) -> bool:
    """Whether a text gives away a result (what is given, of a cell or of a work, is no result)."""
    return any(not found["name"].startswith("@") and not found["letter"] for found in _PLACE.finditer(text))


def conventions(cell: Cell, without: tuple[str, ...] = ()) -> str:
    """The givens of a cell as a table, and what must be said before its numbers mean anything; `without` some letters."""
    rows = [
        f"| ${to_latex(s)}$ | {letter(s).says} | {show(amount)} |"
        for s, amount in sorted(cell.values.items(), key=lambda item: letter(item[0]).order)
        if s.name not in without and (amount.value != 0 or not letter(s).dimension.has(byte))
    ]
    said = [f"* {line}." for line in cell.conventions]
    return "\n".join(["| letter | what it is | here |", "|:---|:---|---:|", *rows, "", "**Conventions**", "", *said])


def matrix(files: dict[str, str]) -> str:
    """The scenario matrix in reading order; `files` maps each cell to its notebook."""
    rows = [f"| [{cell.id}]({files[cell.id]}) | {cell.title} | {cell.question} | {cell.edge} |" for cell in (CELLS[x] for x in READING_PATH)]
    return "\n".join(["| cell | topic | the question | the edge to watch |", "|:---:|:---|:---|:---|", *rows])


def notation(symbols: set[Symbol]) -> str:
    """The letters that lessons use, in the vocabulary's order."""
    rows = [f"| ${entry.tex}$ | `{entry.name}` | {entry.says} |" for entry in LETTERS.values() if entry.symbol in symbols]
    return "\n".join(["| letter | typed | what it is |", "|:---|:---|:---|", *rows])

"""The words of a lesson with its numbers put in. Every number comes from a `Work` or a cell; none is typed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from sympy import Symbol

from ...algebra.errors import FsdpSymError
from ...algebra.printing import to_latex
from ...algebra.units import Amount, byte, show, show_readably
from ...algebra.vocabulary import LETTERS, letter, read_value, symbol_named
from ...reasoning.work import Worked, show_readable, work
from ...scenarios.cells import Cell, cell_named
from .blocks import Lesson, Work

_PLACE = re.compile(r"\[\[(?P<name>@?[\w-]+)(?:\.(?P<letter>\w+))?(?:\|(?P<unit>[^|\]]*))?(?:\|(?P<digits>\d+))?\]\]")


def worked(lesson: Lesson, block: Work) -> Worked:
    """The block's formula at its numbers."""
    where = block.cell or lesson.cell
    if where is None:
        raise FsdpSymError(f"lesson {lesson.id}, {block.slug}: name the cell whose numbers are worked")
    found = {name: worked(lesson, other).value if (other := referred(lesson, value)) else value for name, value in block.at.items()}
    return work(where, block.formula, **found)


def referred(lesson: Lesson, value: int | str) -> Work | None:
    """The work whose exact value ``"[[slug]]"`` stands for, if that is what a block's number is."""
    found = _PLACE.fullmatch(value) if isinstance(value, str) else None
    return _named(lesson, found["name"]) if found else None


def _named(lesson: Lesson, slug: str) -> Work:
    if slug not in lesson.works:
        raise FsdpSymError(f"lesson {lesson.id} speaks of [[{slug}]] and works no such slug: add a Work or a Fact of that name")
    return lesson.works[slug]


def filled(lesson: Lesson, text: str) -> str:
    """The text with each ``[[slug]]``, ``[[slug.letter]]`` and ``[[@letter]]`` replaced by its value.

    Raises
    ------
    FsdpSymError
        Naming the lesson and the slug or the letter that nothing carries.
    """

    def value(found: re.Match[str]) -> str:
        name, unit = found["name"], found["unit"] or None
        digits = int(found["digits"]) if found["digits"] else None
        if name.startswith("@"):
            return show_readably(_amount(lesson, found[0], cell_named(lesson.cell or "").values, name[1:]), unit, digits)
        block = _named(lesson, name)
        if found["letter"]:
            return show_readably(_amount(lesson, found[0], worked(lesson, block).values, found["letter"]), unit, digits)
        return show_readable(worked(lesson, block).value, unit or block.unit, digits)

    return _PLACE.sub(value, text)


def _amount(lesson: Lesson, place: str, values: Mapping[Symbol, Amount], name: str) -> Amount:
    symbol = symbol_named(name)
    if symbol not in values:
        raise FsdpSymError(f"lesson {lesson.id} speaks of {place}, where no {name} is given")
    return values[symbol]


def has_numbers(text: str) -> bool:
    """Whether a text gives away a result (what is given, of a cell or of a work, is no result)."""
    return any(not found["name"].startswith("@") and not found["letter"] for found in _PLACE.finditer(text))


def conventions(cell: Cell, without: tuple[str, ...] = (), folded: Mapping[Symbol, Amount] | None = None) -> str:
    """The givens of a cell as a table, and what must be said before its numbers mean anything; `without` some letters, some `folded`."""
    apart = folded or {}
    open_ = {
        s: amount
        for s, amount in cell.values.items()
        if s not in apart and s.name not in without and (amount.value != 0 or not letter(s).dimension.has(byte))
    }
    fold = ["", "<details><summary>Letters that matter in a part of this lesson only</summary>", "", *_letters(apart), "", "</details>"]
    said = [f"* {line}." for line in cell.conventions]
    return "\n".join([*_letters(open_), *(fold if apart else []), "", "**Conventions**", "", *said])


def _letters(values: Mapping[Symbol, Amount]) -> list[str]:
    ordered = sorted(values.items(), key=lambda item: letter(item[0]).order)
    rows = [f"| ${to_latex(s)}$ | {letter(s).says} | {show(amount)} |" for s, amount in ordered]
    return ["| letter | what it is | here |", "|:---|:---|---:|", *rows]


def given(lesson: Lesson, names: Sequence[str]) -> dict[Symbol, Amount]:
    """What letters are in a lesson: the cell's values, or what the first work is given that has the letter."""
    values = dict(cell_named(lesson.cell).values) if lesson.cell else {}
    for block in lesson.works.values():
        for name, value in block.at.items():
            if not referred(lesson, value) and (symbol := symbol_named(name)) not in values:
                values[symbol] = read_value(symbol, value)
    return {symbol: values[symbol] for symbol in map(symbol_named, names)}


def matrix(files: dict[str, str]) -> str:
    """The scenario matrix; `files` maps each cell to its notebook, in reading order."""
    rows = [f"| [{cell.id}]({files[cell.id]}) | {cell.title} | {cell.question} | {cell.edge} |" for cell in map(cell_named, files)]
    return "\n".join(["| cell | topic | the question | the edge to watch |", "|:---:|:---|:---|:---|", *rows])


def notation(used: Mapping[Symbol, Sequence[str]]) -> str:
    """The letters that lessons use, in the vocabulary's order: those of several open, those of one alone folded away, with that one."""
    entries = [entry for entry in LETTERS.values() if entry.symbol in used]
    common = [e for e in entries if len(used[e.symbol]) > 1]
    alone = [e for e in entries if len(used[e.symbol]) == 1]
    lines = ["| letter | typed | what it is |", "|:---|:---|:---|", *(f"| ${e.tex}$ | `{e.name}` | {e.says} |" for e in common)]
    if alone:
        lines += ["", "<details><summary>Letters that a single lesson uses</summary>", "", "| letter | typed | what it is | lesson |", "|:---|:---|:---|:---|"]
        lines += [*(f"| ${e.tex}$ | `{e.name}` | {e.says} | {used[e.symbol][0]} |" for e in alone), "", "</details>"]
    return "\n".join(lines)

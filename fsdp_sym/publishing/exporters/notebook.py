"""Lesson -> notebook. The worked edition says its numbers; the student edition keeps them until they are run.

Cell ids come from block slugs, so that two exports are byte-identical.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from sympy import Symbol

from ...reasoning.catalogue import formula
from ...scenarios.cells import cell_named
from ...teaching.exercises import practice_name, practised
from ...teaching.lessons import OURS
from ...teaching.lessons.blocks import (
    Ask,
    Block,
    Conventions,
    Derive,
    Fact,
    Forecast,
    Lesson,
    Matrix,
    Measured,
    Notation,
    Plot,
    Reveal,
    Say,
    Work,
    YourNumbers,
)
from ...teaching.lessons.words import conventions, filled, given, has_numbers, matrix, notation, referred

if TYPE_CHECKING:
    from nbformat import NotebookNode

SUFFIX = ".ipynb"
Edition = Literal["worked", "student"]
IMPORTS = "imports"  # the id of the cell that a notebook begins with
ANSWER = "answer"  # the tag of a cell whose stored output comes from the counting route
_START = "start-here"
_LINE = 98  # a call longer than this is broken over lines
_IMPORTS = "from fsdp_sym import derive, forecast, measured, plot, reveal, solve, splits, tell, work"


@dataclass(frozen=True)
class Shelf:
    """Lessons whose notebooks lie in one folder and link to each other.

    Parameters
    ----------
    lessons : mapping
        By id, in the order in which they are read.
    course : str
        The way from that folder to the course they belong to, which each notebook opens; empty for our own.
    """

    lessons: Mapping[str, Lesson]
    course: str = ""

    @property
    def opening(self) -> str:
        """The code that a notebook begins with."""
        if not self.course:
            return _IMPORTS
        where = json.dumps(self.course, ensure_ascii=False)
        return f"from fsdp_sym import course\n\ncourse({where})  # the folder of the cells and formulas used here\n\n{_IMPORTS}"


OUR_SHELF: Final = Shelf(OURS)


def export(lesson: Lesson, edition: Edition, shelf: Shelf = OUR_SHELF) -> bytes:
    """The notebook's bytes, without outputs."""
    return to_bytes(notebook(lesson, edition, shelf))


def to_bytes(node: NotebookNode) -> bytes:
    """A notebook as it is written to disk: sorted, indented, one newline at the end."""
    import nbformat

    text: str = nbformat.writes(node, version=4)
    return (text.rstrip("\n") + "\n").encode()


def notebook(lesson: Lesson, edition: Edition, shelf: Shelf = OUR_SHELF) -> NotebookNode:
    """The lesson as an unexecuted notebook."""
    cells = [cell_of("markdown", "title", _title(lesson)), cell_of("code", IMPORTS, shelf.opening)]
    for block in lesson.blocks:
        cells += _cells(lesson, block, edition, shelf)
    if onward := _onward(lesson, shelf, edition):
        cells.append(cell_of("markdown", "onward", onward))
    return notebook_of(cells)


def notebook_of(cells: list[NotebookNode]) -> NotebookNode:
    """A notebook of these cells, as a fresh kernel finds it."""
    from nbformat import v4

    node: NotebookNode = v4.new_notebook(
        cells=cells,
        metadata={
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
    )
    node.nbformat_minor = 5
    return node


def cell_of(kind: str, slug: str, source: str, tag: str | None = None) -> NotebookNode:
    """A cell, by its kind, its id and what stands in it."""
    from nbformat import v4

    make: Callable[..., NotebookNode] = v4.new_markdown_cell if kind == "markdown" else v4.new_code_cell
    return make(source, id=slug, metadata={"tags": [tag]} if tag else {})


def _cells(lesson: Lesson, block: Block, edition: Edition, shelf: Shelf) -> Iterator[NotebookNode]:
    student = edition == "student"
    match block:
        case Say(slug, text) if student and has_numbers(text):
            yield cell_of("code", slug, f'tell("{lesson.id}", "{slug}")')
        case Say(slug, text):
            yield cell_of("markdown", slug, filled(lesson, text))
        case Conventions(slug, without, folded):
            yield cell_of("markdown", slug, conventions(cell_named(lesson.cell or ""), without, given(lesson, folded)))
        case Forecast(slug, question, _, example):
            how = f"Write it between the quotes before you read on, for instance `{example}`."
            yield cell_of("markdown", f"{slug}-asked", f"### Forecast\n\n{filled(lesson, question)}\n\n{how}")
            yield cell_of("code", slug, f'forecast("{lesson.cell}", "")')
        case Reveal(slug):
            yield cell_of("code", slug, f'reveal("{lesson.cell}")', ANSWER)
        case Derive(slug, name):
            yield cell_of("code", slug, f'derive("{name}")')
        case Fact():
            return
        case Work():
            yield cell_of("code", block.slug, _work_code(lesson, block), ANSWER)
        case Plot(slug, picture):
            yield cell_of("code", slug, f'plot("{picture}")')
        case Measured(slug, group):
            yield cell_of("code", slug, f'measured("{group}")', ANSWER)
        case Ask(slug, question, answer):
            yield from _asked(lesson, slug, question, answer, student)
        case Matrix(slug):
            files = {x.cell: x.id + SUFFIX for x in shelf.lessons.values() if x.cell}
            yield cell_of("markdown", slug, matrix(files))
        case Notation(slug):
            yield cell_of("markdown", slug, notation(_letters_used(shelf.lessons)))
        case YourNumbers(slug, code):
            yield cell_of("markdown", f"{slug}-asked", "### Your numbers\n\nChange the numbers and run the cell again.")
            yield cell_of("code", slug, code)


def _asked(lesson: Lesson, slug: str, question: str, answer: str, student: bool) -> Iterator[NotebookNode]:
    asked = f"**Check yourself.** {filled(lesson, question)}"
    if student and has_numbers(answer):
        yield cell_of("markdown", f"{slug}-asked", f"{asked}\n\nRun the next cell for the worked answer.")
        yield cell_of("code", slug, f'tell("{lesson.id}", "{slug}")')
    else:
        yield cell_of("markdown", slug, f"{asked}\n\n<details><summary>Worked answer</summary>\n\n{filled(lesson, answer)}\n\n</details>")


def _work_code(lesson: Lesson, block: Work) -> str:
    call = _work_call(lesson, block)
    return f'print({call}.line(unit="{block.unit}"))' if block.unit else f"print({call})"


def _work_call(lesson: Lesson, block: Work, depth: int = 0) -> str:
    """The call that works a block; what another work has found is worked again inside it. A long call takes a line for each argument."""
    inner = depth + 1
    said = [f'"{block.cell or lesson.cell}", "{block.formula}"']
    for name, value in block.at.items():
        other = referred(lesson, value)
        said.append(f"{name}={_work_call(lesson, other, inner)}.value" if other else f"{name}={json.dumps(value, ensure_ascii=False)}")
    call = f"work({', '.join(said)})"
    if len(call) <= _LINE and "\n" not in call:
        return call
    indent = "    " * inner
    return "work(\n" + "".join(f"{indent}{x},\n" for x in said) + "    " * depth + ")"


def _letters_used(lessons: Mapping[str, Lesson]) -> dict[Symbol, list[str]]:
    """The letters of the cells' givens, of what is worked, and of every line of a derivation, each with the lessons that use it."""
    used: dict[Symbol, list[str]] = {}
    for lesson in lessons.values():
        mine = set(cell_named(lesson.cell).values) if lesson.cell else set()
        for block in lesson.blocks:
            if isinstance(block, Derive | Work):
                mine |= {formula(block.formula).defines, *formula(block.formula).letters}
            if isinstance(block, Derive):
                mine |= {s for state in formula(block.formula).states for s in state.atoms(Symbol)}
        for symbol in mine:
            used.setdefault(symbol, []).append(lesson.cell or lesson.title)
    return used


def _title(lesson: Lesson) -> str:
    if lesson.cell is None:
        return f"# {lesson.title}"
    return f"# {lesson.cell}. {lesson.title}\n\n*{cell_named(lesson.cell).question}*"


def _onward(lesson: Lesson, shelf: Shelf, edition: Edition) -> str:
    """Links to the start, to the practice that is handed out beside our lessons, and to the next lesson; nothing where there is none."""
    order = list(shelf.lessons)
    at = order.index(lesson.id) if lesson.id in order else len(order)
    links = [f"[Start here]({_START}{SUFFIX})"] if _START in order and lesson.id != _START else []
    if edition == "student" and not shelf.course and lesson.cell in practised():
        links.append(f"practise: [{practice_name(lesson.cell)}]({practice_name(lesson.cell)}{SUFFIX})")
    if at + 1 < len(order):
        following = shelf.lessons[order[at + 1]]
        name = f"{following.cell}. {following.title}" if following.cell else following.title
        links.append(f"next: [{name}]({following.id}{SUFFIX})")
    return "---\n" + " · ".join(links) if links else ""

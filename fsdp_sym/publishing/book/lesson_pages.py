"""The lessons: the committed notebooks as they were executed, their pictures as outlines, and where to read on."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ...algebra.errors import FsdpSymError
from ...figures.picture import draw
from ...teaching.exercises import practised
from ...teaching.lessons import OURS
from ...teaching.lessons.blocks import Lesson
from ...teaching.misconceptions import about
from ..exporters.notebook import SUFFIX, cell_of, to_bytes
from ..learn import NOTEBOOKS
from .inline import inline
from .places import lesson_page, to_formula, to_misconception, to_practice
from .uses import formulas_of

if TYPE_CHECKING:
    from nbformat import NotebookNode

_SENTENCES: Final = ("print(work(", "forecast(", "reveal(")
_PLOT: Final = re.compile(r'plot\("(\w+)"\)')


def lesson_notebooks(checkout: Path) -> dict[str, bytes]:
    """Every lesson's notebook, by its way from the root."""
    return {f"{lesson_page(lesson)}{SUFFIX}": lesson_notebook(checkout, lesson) for lesson in OURS.values()}


def lesson_notebook(checkout: Path, lesson: Lesson) -> bytes:
    """The notebook as the book shows it; nothing in it is run again.

    Raises
    ------
    FsdpSymError
        Where the checkout has no built notebook of the lesson.
    """
    import nbformat

    built = checkout / NOTEBOOKS / f"{lesson.id}{SUFFIX}"
    try:
        node = nbformat.reads(built.read_text(encoding="utf-8"), as_version=4)
    except (OSError, ValueError, nbformat.ValidationError):
        raise FsdpSymError(f"{built} is no notebook that the book could show: run fsdp-sym build first") from None
    for cell in node.cells:
        if cell.cell_type == "code":
            _outline(cell)
            _mark_sentence(cell)
    if onward := _onward(lesson):
        node.cells.append(cell_of("markdown", "in-this-book", onward))
    return to_bytes(node)


def _outline(cell: NotebookNode) -> None:
    """A picture of pixels becomes the same picture as outlines, with its alternative text."""
    named = _PLOT.search(cell.source)
    for out in cell.outputs:
        if named and "image/png" in out.get("data", {}):
            out.data = {"text/html": inline(draw(named[1]), named[1])}
            out.metadata = {}


def _mark_sentence(cell: NotebookNode) -> None:
    """What is no table may go on in the next line where the screen is narrow: else its end, the number, would be out of sight."""
    if cell.source.startswith(_SENTENCES):
        cell.metadata.tags = [*cell.metadata.get("tags", ()), "sentence"]


def _onward(lesson: Lesson) -> str:
    names = formulas_of(lesson)
    thoughts = dict.fromkeys(m.id for name in names for m in about(name))
    lines = [
        f"* Formulas: {', '.join(map(to_formula, names))}." if names else "",
        f"* Misconceptions about them: {', '.join(map(to_misconception, thoughts))}." if thoughts else "",
    ]
    if lesson.cell is not None and lesson.cell in practised():
        lines.append(f"* Questions to practise on, with numbers of their own: cell {to_practice(lesson.cell, lesson_page(lesson))}.")
    found = [line for line in lines if line]
    return "\n".join(["## Look up", "", *found]) if found else ""

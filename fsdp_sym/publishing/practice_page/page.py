"""The page's words, and where they stand: the practice itself, and what there is for those who cannot run it."""

from __future__ import annotations

import shutil
from html import escape
from pathlib import Path
from typing import Final

from ...scenarios.cells import CELLS
from ...teaching.exercises import practice_name, practised
from ..book.markdown import page
from ..book.places import PAPER, lesson_of, lesson_page
from ..build import STUDENT
from ..exporters.notebook import SUFFIX
from ..learn import EXERCISES
from .runtime import write_runtime

FOLDER: Final = "_practice"
_ASSETS: Final = Path(__file__).parent / "assets"
_SKELETON: Final = "practice.html"


def practice_text() -> str:
    """The page, with the cells to choose from."""
    skeleton = (_ASSETS / _SKELETON).read_text(encoding="utf-8").replace("{cells}", "\n".join(map(_option, practised())))
    notebooks = ", ".join(f'<a href="{FOLDER}/{practice_name(cell)}{SUFFIX}" download>{cell}</a>' for cell in practised())
    return page(
        "# Practice",
        "A question with numbers of its own, an answer in your words, and where it is wrong, the thought that leads there. "
        "Python judges it, the same as in the notebooks, and runs in this page: nothing that you type leaves your browser.",
        f"```{{raw}} html\n{skeleton}```",
        "## Without this page",
        f"* On paper: [a sheet of questions](/{PAPER}.md), a page for each cell, and their worked answers.",
        f"```{{raw}} html\n<ul><li>In Jupyter: the practice notebooks of the cells {notebooks}.</li></ul>\n```",
        "* In a terminal: `fsdp-sym drill`.",
    )


def _option(cell: str) -> str:
    lesson = lesson_page(lesson_of(cell))
    return f'<option id="{cell}" value="{cell}" data-lesson="{lesson}.html">{cell}. {escape(CELLS[cell].title)}</option>'


def add_practice(checkout: Path, packages: Path, site: Path) -> None:
    """Put what the page loads and offers beside it."""
    to = site / FOLDER
    write_runtime(checkout, packages, to)
    for path in sorted(_ASSETS.iterdir()):
        if path.name != _SKELETON:
            shutil.copy(path, to / path.name)
    for cell in practised():
        name = f"{practice_name(cell)}{SUFFIX}"
        shutil.copy(checkout / EXERCISES / STUDENT / name, to / name)

"""Where each page of the book stands, by its way from the root and without a suffix; and the links to it."""

from __future__ import annotations

from ...algebra.formula import Formula
from ...reasoning.catalogue import formula as formula_named
from ...scenarios.cells import CELLS
from ...teaching.lessons import OURS
from ...teaching.lessons.blocks import Lesson
from ...teaching.misconceptions import MISCONCEPTIONS
from ..exporters.notebook import SUFFIX
from .markdown import code, link, plain

HOME = "index"
FORMULAS, MISTAKES, NOTATION, NEW_CELL, COMMANDS = "formulas", "misconceptions", "notation", "a-new-cell", "command-line"
PRACTICE, PAPER, PAPER_ANSWERS = "practice", "practice-on-paper", "practice-on-paper-answers"


def lesson_page(lesson: Lesson) -> str:
    return f"lessons/{lesson.id}"


def lesson_of(cell: str) -> Lesson:
    return next(lesson for lesson in OURS.values() if lesson.cell == cell)


def topic_page(topic: str) -> str:
    return f"{FORMULAS}/{topic}"


def formula_page(formula: Formula) -> str:
    return f"{FORMULAS}/{formula.topic}/{formula.id}"


def mistakes_page(topic: str) -> str:
    return f"{MISTAKES}/{topic}"


def topic_of(misconception: str) -> str:
    """The topic that a misconception stands under: that of the first formula it is about."""
    return formula_named(MISCONCEPTIONS[misconception].about[0]).topic


def to_formula(name: str) -> str:
    return link(code(name), f"{formula_page(formula_named(name))}.md")


def to_misconception(name: str) -> str:
    return link(name, f"{mistakes_page(topic_of(name))}.md", name)


def to_lesson(lesson: Lesson) -> str:
    return link(f"{lesson.cell}. {plain(lesson.title)}" if lesson.cell else plain(lesson.title), f"{lesson_page(lesson)}{SUFFIX}")


def to_cell(cell: str) -> str:
    """A cell is met in its lesson."""
    return link(f"{cell}. {plain(CELLS[cell].title)}", f"{lesson_page(lesson_of(cell))}{SUFFIX}")


def to_practice(cell: str, page: str) -> str:
    """A link from a page to the practice of a cell, which opens with a question of it."""
    return f'<a href="{"../" * page.count("/")}{PRACTICE}.html#{cell}">{cell}</a>'

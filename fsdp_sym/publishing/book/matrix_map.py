"""The first page: what this is, and the scenario matrix as a map whose every place leads on."""

from __future__ import annotations

from html import escape
from typing import Final

from ...figures.picture import draw
from ...reasoning.catalogue import formula as formula_named
from ...scenarios.cells import CELLS, READING_PATH
from ...teaching.lessons import OURS
from ..build import COVER
from ..exporters.notebook import SUFFIX
from .inline import inline
from .markdown import contents, link, page, plain, table
from .places import COMMANDS, FORMULAS, MISTAKES, NEW_CELL, NOTATION, PAPER, PAPER_ANSWERS, PRACTICE, lesson_page, to_cell, topic_page
from .uses import formulas_of

_LOOK_UP: Final = (("Formulas", FORMULAS), ("Misconceptions", MISTAKES), ("Notation", NOTATION))
_PRACTISE: Final = (("Practice", PRACTICE), ("Practice on paper", PAPER), ("Worked answers", PAPER_ANSWERS))
_USE: Final = (("A new cell in five minutes", NEW_CELL), ("The command line", COMMANDS))


def home_text() -> str:
    """The page, with the contents of the whole book for the sidebar."""
    start = next(iter(OURS.values()))
    lessons = [(f"{lesson.cell}. {lesson.title}" if lesson.cell else lesson.title, f"/{lesson_page(lesson)}") for lesson in OURS.values()]
    return page(
        "# The arithmetic of sharded training",
        "How many bytes a GPU holds, how many it receives, how long that takes, and which plan fits: every formula derived step by "
        "step, every step checked by machine, and every number counted a second time.",
        f"{link('Start here', f'{lesson_page(start)}{SUFFIX}')} if this is new to you, or take any cell of the map. "
        f"Then {link('practise', f'{PRACTICE}.md')}: Python judges your answers in the page itself.",
        inline(draw(COVER), COVER),
        "## The map",
        "Each cell has one question and one edge to watch. They stand in the order in which we recommend to read them.",
        map_html(),
        "## Which formulas a cell uses",
        "How many formulas of each topic its lesson derives or works.",
        _matrix(),
        contents(lessons, "Lessons"),
        contents(((title, f"/{name}") for title, name in _PRACTISE), "Practise"),
        contents(((title, f"/{name}") for title, name in _LOOK_UP), "Look up"),
        contents(((title, f"/{name}") for title, name in _USE), "Use it"),
    )


def map_html() -> str:
    """The cells along the reading path, each a place that leads to its lesson."""
    lessons = {lesson.cell: lesson for lesson in OURS.values() if lesson.cell}
    places = []
    for name in READING_PATH:
        cell = CELLS[name]
        title = f'<a href="{lesson_page(lessons[name])}.html"><b>{name}</b> {escape(cell.title)}</a>'
        places.append(f"<li>{title}<p>{escape(cell.question)}</p><p class=\"edge\">Watch: {escape(cell.edge)}.</p></li>")
    return f'<ol class="map">{"".join(places)}</ol>'


def _matrix() -> str:
    taught = {lesson.cell: [formula_named(name).topic for name in formulas_of(lesson)] for lesson in OURS.values() if lesson.cell}
    topics = sorted({topic for found in taught.values() for topic in found})
    head = ["cell", *(link(plain(topic), f"{topic_page(topic)}.md") for topic in topics)]
    rows = [[to_cell(name), *(str(taught[name].count(topic) or "") for topic in topics)] for name in READING_PATH]
    return table(head, rows, numbers=len(topics))

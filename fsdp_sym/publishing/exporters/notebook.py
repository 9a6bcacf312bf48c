"""Lesson -> notebook. The worked edition says its numbers; the student edition keeps them until they are run.

Cell ids come from block slugs, so that two exports are byte-identical.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Literal

from sympy import Symbol

from ...reasoning.catalogue import formula
from ...scenarios.cells import CELLS
from ...teaching.lessons import LESSONS
from ...teaching.lessons.blocks import (
    Ask,
    Block,
    Conventions,
    Derive,
    Fact,
    Forecast,
    Lesson,
    Matrix,
    Notation,
    Plot,
    Reveal,
    Say,
    Work,
    YourNumbers,
)
from ...teaching.lessons.words import conventions, filled, has_numbers, matrix, notation, referred

if TYPE_CHECKING:
    from nbformat import NotebookNode

SUFFIX = ".ipynb"
Edition = Literal["worked", "student"]
ANSWER = "answer"  # the tag of a cell whose stored output comes from the counting route
_IMPORTS = "from fsdp_sym import derive, forecast, plot, reveal, solve, splits, tell, work"


def export(lesson: Lesson, edition: Edition) -> bytes:
    """The notebook's bytes, without outputs."""
    return to_bytes(notebook(lesson, edition))


def to_bytes(node: NotebookNode) -> bytes:
    """A notebook as it is written to disk: sorted, indented, one newline at the end."""
    import nbformat

    text: str = nbformat.writes(node, version=4)
    return (text.rstrip("\n") + "\n").encode()


def notebook(lesson: Lesson, edition: Edition) -> NotebookNode:
    """The lesson as an unexecuted notebook."""
    from nbformat import v4

    cells = [_cell("markdown", "title", _title(lesson)), _cell("code", "imports", _IMPORTS)]
    for block in lesson.blocks:
        cells += _cells(lesson, block, edition)
    cells.append(_cell("markdown", "onward", _onward(lesson)))
    node: NotebookNode = v4.new_notebook(
        cells=cells,
        metadata={
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
    )
    node.nbformat_minor = 5
    return node


def _cell(kind: str, slug: str, source: str, tag: str | None = None) -> NotebookNode:
    from nbformat import v4

    make: Callable[..., NotebookNode] = v4.new_markdown_cell if kind == "markdown" else v4.new_code_cell
    return make(source, id=slug, metadata={"tags": [tag]} if tag else {})


def _cells(lesson: Lesson, block: Block, edition: Edition) -> Iterator[NotebookNode]:
    student = edition == "student"
    match block:
        case Say(slug, text) if student and has_numbers(text):
            yield _cell("code", slug, f'tell("{lesson.id}", "{slug}")')
        case Say(slug, text):
            yield _cell("markdown", slug, filled(lesson, text))
        case Conventions(slug, without):
            yield _cell("markdown", slug, conventions(CELLS[lesson.cell or ""], without))
        case Forecast(slug, question, _, example):
            how = f"Write it between the quotes before you read on, for instance `{example}`."
            yield _cell("markdown", f"{slug}-asked", f"### Forecast\n\n{filled(lesson, question)}\n\n{how}")
            yield _cell("code", slug, f'forecast("{lesson.cell}", "")')
        case Reveal(slug):
            yield _cell("code", slug, f'reveal("{lesson.cell}")', ANSWER)
        case Derive(slug, name):
            yield _cell("code", slug, f'derive("{name}")')
        case Fact():
            return
        case Work():
            yield _cell("code", block.slug, _work_code(lesson, block), ANSWER)
        case Plot(slug, picture):
            yield _cell("code", slug, f'plot("{picture}")')
        case Ask(slug, question, answer):
            yield from _asked(lesson, slug, question, answer, student)
        case Matrix(slug):
            files = {x.cell: x.id + SUFFIX for x in LESSONS.values() if x.cell}
            yield _cell("markdown", slug, matrix(files))
        case Notation(slug):
            yield _cell("markdown", slug, notation(_letters_used()))
        case YourNumbers(slug, code):
            yield _cell("markdown", f"{slug}-asked", "### Your numbers\n\nChange the numbers and run the cell again.")
            yield _cell("code", slug, code)


def _asked(lesson: Lesson, slug: str, question: str, answer: str, student: bool) -> Iterator[NotebookNode]:
    asked = f"**Check yourself.** {filled(lesson, question)}"
    if student and has_numbers(answer):
        yield _cell("markdown", f"{slug}-asked", f"{asked}\n\nRun the next cell for the worked answer.")
        yield _cell("code", slug, f'tell("{lesson.id}", "{slug}")')
    else:
        yield _cell("markdown", slug, f"{asked}\n\n<details><summary>Worked answer</summary>\n\n{filled(lesson, answer)}\n\n</details>")


def _work_code(lesson: Lesson, block: Work) -> str:
    call = _work_call(lesson, block)
    return f'print({call}.line(unit="{block.unit}"))' if block.unit else f"print({call})"


def _work_call(lesson: Lesson, block: Work) -> str:
    """The call that works a block; what another work has found is worked again inside it."""
    at = ""
    for name, value in block.at.items():
        other = referred(lesson, value)
        at += f", {name}={_work_call(lesson, other)}.value" if other else f", {name}={json.dumps(value, ensure_ascii=False)}"
    return f'work("{block.cell or lesson.cell}", "{block.formula}"{at})'


def _letters_used() -> set[Symbol]:
    """The letters of the cells' givens, of what is worked, and of every line of a derivation."""
    used = {s for cell in CELLS.values() for s in cell.values}
    for lesson in LESSONS.values():
        for block in lesson.blocks:
            if isinstance(block, Derive | Work):
                used |= {formula(block.formula).defines, *formula(block.formula).letters}
            if isinstance(block, Derive):
                used |= {s for state in formula(block.formula).states for s in state.atoms(Symbol)}
    return used


def _title(lesson: Lesson) -> str:
    if lesson.cell is None:
        return f"# {lesson.title}"
    return f"# {lesson.cell}. {lesson.title}\n\n*{CELLS[lesson.cell].question}*"


def _onward(lesson: Lesson) -> str:
    """Links to the start, and to the next lesson of the reading path."""
    order = list(LESSONS)
    at = order.index(lesson.id) if lesson.id in order else len(order)
    links = [] if lesson.id == "start-here" else [f"[Start here](start-here{SUFFIX})"]
    if at + 1 < len(order):
        following = LESSONS[order[at + 1]]
        name = f"{following.cell}. {following.title}" if following.cell else following.title
        links.append(f"next: [{name}]({following.id}{SUFFIX})")
    return "---\n" + " · ".join(links)

"""Drills -> an nbgrader assignment: one sheet with the same numbers for the whole class, marked by `diagnose` in hidden tests.

The numbers are the same for everybody because autograding restores every locked cell from the one source. An answer cell is
an ordinary cell: nbgrader would replace a solution cell by a stub that raises, and there is no solution in it to hide. The cell below
it is locked and graded. Its hidden tests, which nbgrader takes out of what it releases, make the drill again from what was drawn and end
in the points earned, a number; what diagnosing says is printed above it, on standard output, for the feedback.

Where it is autograded the package must be installed; students need nothing. Autograding runs the students' notebooks, as nbgrader does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from ...teaching.drills import KINDS, Drill, Part
from .form import Bank, Exporter
from .notebook import to_bytes
from .sheet_text import plain

if TYPE_CHECKING:
    from nbformat import NotebookNode

_POINTS: Final = 1
_INTRO: Final = """\
# {title}

Write each answer between the quotes below its question, such as `"12.5 GB"`; leave the quotes empty where you have none. Numbers may be \
written as you like, `0.525 GB` or `525 MB`, with a point for decimals. Change nothing else."""

_TESTS: Final = """\
# The points of {label}; marked after it is handed in.
### BEGIN HIDDEN TESTS
from fsdp_sym.teaching.drills import Variant, diagnose, restore

judged = diagnose(restore(Variant({question!r}, {drawn!r})), {typed})
print("{label}:", judged.verdict, *judged.says, sep="\\n")
float({points} * judged.earned)
### END HIDDEN TESTS"""


def _files(bank: Bank) -> dict[str, bytes]:
    from nbformat import v4

    cells = [_locked("markdown", "intro", _INTRO.format(title=bank.title))]
    for number, variants in enumerate(bank.questions, 1):
        cells += _question(f"Q{number}", variants[0])
    node: NotebookNode = v4.new_notebook(
        cells=cells, metadata={"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    )
    node.nbformat_minor = 5
    return {"sheet.ipynb": to_bytes(node)}


def _question(label: str, drill: Drill) -> list[NotebookNode]:
    names = [_name(label, part) for part in drill.posed.parts]
    cells = [_locked("markdown", f"{label}-asked", _asked(label, drill))]
    cells += [_answer(name, part.ask) for name, part in zip(names, drill.posed.parts, strict=True)]
    # A cell that was deleted, or that failed, leaves no answer.
    typed = ", ".join(f"globals().get({name!r}, '')" for name in names)
    tests = _TESTS.format(label=label, question=drill.variant.question, drawn=drill.variant.drawn, typed=typed, points=_POINTS)
    return [*cells, _locked("code", f"{label}-points", tests, points=_POINTS)]


def _name(label: str, part: Part) -> str:
    """The variable an answer is written to: ``Q7``, or ``Q7_1`` for a part."""
    return f"{label}_{part.label}" if part.label else label


def _asked(label: str, drill: Drill) -> str:
    return "\n\n".join([f"**{label}.** {plain(drill.posed.prompt)}", *map(plain, drill.posed.lines)])


def _answer(name: str, ask: str) -> NotebookNode:
    from nbformat import v4

    source = f'# {ask}\n{name} = ""'
    node: NotebookNode = v4.new_code_cell(source, id=f"{name.replace('_', '-')}-answer", metadata={"deletable": False})
    return node


def _locked(kind: str, grade_id: str, source: str, points: int | None = None) -> NotebookNode:
    from nbformat import v4

    about: dict[str, object] = {"schema_version": 3, "grade_id": grade_id, "locked": True, "solution": False, "task": False}
    about |= {"grade": False} if points is None else {"grade": True, "points": points}
    make: Callable[..., NotebookNode] = v4.new_code_cell if kind == "code" else v4.new_markdown_cell
    return make(source, id=grade_id, metadata={"nbgrader": about})


NBGRADER: Final = Exporter(
    name="nbgrader",
    says="an nbgrader source notebook, one sheet for the class, marked by hidden tests",
    kinds=frozenset(KINDS),
    verdicts=frozenset({"right", "wrong", "close", "invalid", "not answered"}),
    self_study=False,
    files=_files,
)

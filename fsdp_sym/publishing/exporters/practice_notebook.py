"""Exercises -> practice notebook. The student edition asks; the worked edition answers, once wrongly, and keeps no progress.

Cell ids come from the questions' ids, so that two exports are byte-identical.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from ...algebra.errors import FsdpSymError
from ...algebra.formula import Bracket
from ...scenarios.cells import cell_named
from ...teaching.answers import Expects
from ...teaching.cards import KINDS_SAID
from ...teaching.drills import Drill, diagnose
from ...teaching.drills.counting import Counted, counted_keys
from ...teaching.drills.follow_up import follow_up
from ...teaching.exercises import Exercise
from ...teaching.misconceptions import MISCONCEPTIONS
from ...teaching.progress import FILE
from .answer_text import answer_text
from .notebook import ANSWER, IMPORTS, Edition, cell_of, notebook_of

if TYPE_CHECKING:
    from nbformat import NotebookNode

_IMPORTS: Final = "from fsdp_sym import practice"
_HOW: Final = f"""Run the first cell of a question and work it out. Write your answer between the quotes of the next cell and run that:
a number with its unit such as `12.5 GB`, a formula such as `(N-1)/N*S`, a split such as `2 x 3 x 5`, a letter, or `none`.

* A wrong answer is told which thought leads to it; one that cannot be read costs nothing.
* `hint()` has three hints, one a run. The third is the worked answer and waits for an answer of your own; so does `solution()`.
* What you tried is kept in `{FILE}` beside this notebook, each answer once, however often you run its cell.
  Delete the file to begin anew."""
_WORKED: Final = """The practice notebook of this cell with its answers: the same questions, each answered and worked. One is answered
wrongly first, to show what is said of that. Each number was confirmed by counting. `folder=None` keeps no progress, since these
answers are not yours."""
_MORE: Final = """## More of these

Once its question is answered, each run of the next cell draws another one with new numbers: what you missed comes back, then comes
what is new. `practice()` without a cell takes all cells in turn."""


def practice_notebook(cell: str, exercises: tuple[Exercise, ...], edition: Edition) -> NotebookNode:
    """The practice of a cell as an unexecuted notebook.

    Parameters
    ----------
    cell : str
    exercises : tuple of Exercise
    edition : str
        ``student`` or ``worked``.

    Raises
    ------
    FsdpSymError
        Where the count of an answer of the worked edition is too wide to write it.
    """
    title = f"# Practice {cell}. {cell_named(cell).title}\n\n*{cell_named(cell).question}*\n\n"
    cells = [
        cell_of("markdown", "title", title + (_HOW if edition == "student" else _WORKED)),
        cell_of("code", IMPORTS, _IMPORTS),
    ]
    for number, exercise in enumerate(exercises, 1):
        posed = exercise.drill.posed
        cells.append(cell_of("markdown", f"{posed.question}-kind", f"## {number}. {KINDS_SAID[posed.kind].capitalize()}"))
        cells += _left_open(exercise) if edition == "student" else _answered(exercise)
    if edition == "student":
        cells.append(cell_of("markdown", "more-asked", _MORE))
        cells.append(cell_of("code", "more", f"more = practice({json.dumps(cell)})\nmore"))
        cells.append(cell_of("code", "more-answer", 'more.answer("")'))
    return notebook_of(cells)


def _left_open(exercise: Exercise) -> Iterator[NotebookNode]:
    name, posed = exercise.name, exercise.drill.posed
    yield cell_of("code", posed.question, f'{name} = practice(question="{posed.question}", seed={exercise.seed})\n{name}')
    yield cell_of("code", f"{posed.question}-answer", f"{name}.answer({_quoted(*('' for _ in posed.parts))})")
    yield cell_of("code", f"{posed.question}-hint", f"{name}.hint()")
    yield cell_of("code", f"{posed.question}-solution", f"{name}.solution()")


def _answered(exercise: Exercise) -> Iterator[NotebookNode]:
    name, question = exercise.name, exercise.drill.posed.question
    yield cell_of("code", question, f'{name} = practice(question="{question}", seed={exercise.seed}, folder=None)\n{name}')
    if exercise.wrong:
        yield from _answered_wrongly(exercise, exercise.wrong)
    yield cell_of("code", f"{question}-answer", f"{name}.answer({_quoted(*counted_texts(exercise.drill))})", ANSWER)
    yield cell_of("code", f"{question}-solution", f"{name}.solution()", ANSWER)


def _answered_wrongly(exercise: Exercise, wrong: str) -> Iterator[NotebookNode]:
    """An answer that a misconception leads to; where another one leads to it too, which of them it was."""
    drill, name = exercise.drill, exercise.name
    text = _text(next(r.value for r in drill.rivals() if (r.misconception, r.slip) == (wrong, None)), drill.posed.parts[0].expects)
    yield cell_of("markdown", f"{drill.posed.question}-wrong-asked", "A wrong answer first, and what is said of it:")
    yield cell_of("code", f"{drill.posed.question}-wrong", f"{name}.answer({_quoted(text)})")
    if asked := follow_up(drill, diagnose(drill, text)):
        letter = next(line[0] for line in asked.posed.lines if line.endswith(MISCONCEPTIONS[wrong].thinks))
        yield cell_of("code", f"{drill.posed.question}-thought", f"{name}.follow_up().answer({_quoted(letter)})")


def counted_texts(drill: Drill) -> tuple[str, ...]:
    """The right answer to each part as a student types it; its numbers come from the count."""
    return tuple(_text(key, part.expects) for key, part in zip(counted_keys(drill), drill.posed.parts, strict=True))


def _text(key: Counted, expects: Expects) -> str:
    if not isinstance(key, Bracket):
        return answer_text(key, expects).replace("·", "*")
    low, high = answer_text(key.low, expects), answer_text(key.high, expects)
    if low != high:
        raise FsdpSymError(f"the count brackets an answer too loosely to write it: {low} and {high}")
    return low


def _quoted(*texts: str) -> str:
    return ", ".join(json.dumps(text, ensure_ascii=False) for text in texts)

"""Practice notebooks: a student edition, and one that is executed and whose answers come from the count.

As in a lesson, what is stored of an answer cell is not the kernel's: it is the card of the counted answer, and a build whose
kernel shows anything else is refused.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING

from ..algebra.errors import FsdpSymError
from ..algebra.formula import Bracket
from ..algebra.units import IRRATIONAL_DIGITS, Amount, show, to_exact
from ..algebra.vocabulary import letter
from ..reasoning.work import Worked, count, show_result, show_value
from ..teaching.answers import Read, read
from ..teaching.cards import Card, judgement_card, solution_card
from ..teaching.drills import Drill, Judgement
from ..teaching.drills.choose import Stage
from ..teaching.drills.counting import confirmed, works
from ..teaching.exercises import Exercise, practice_name
from .exporters.notebook import ANSWER, SUFFIX
from .exporters.practice_notebook import counted_texts, practice_notebook
from .kernel import BuildRefused, run

if TYPE_CHECKING:
    from nbformat import NotebookNode


def executed(cell: str, mine: tuple[Exercise, ...]) -> NotebookNode:
    """The worked practice of a cell, run in a fresh kernel, its answers confirmed and written by the counting route.

    Raises
    ------
    BuildRefused
        Naming the notebook and the cell.
    """
    from nbformat import v4

    file = practice_name(cell) + SUFFIX
    try:
        node = practice_notebook(cell, mine, "worked")
        counted = {name: card for exercise in mine for name, card in counted_cards(exercise.drill).items()}
    except FsdpSymError as error:
        raise BuildRefused(f"{file}: {error}") from None
    run(node, file, "mend the questions or the formulas they ask for")
    for found in node.cells:
        if ANSWER in found.metadata.get("tags", ()):
            card = counted[found.id]
            data = {"text/plain": card.text, "text/html": card._repr_html_()}
            if [out.get("data") for out in found.outputs] != [data]:
                said = " ".join(out.get("data", out).get("text/plain", "") for out in found.outputs)
                both = f"the kernel says {said!r} and the count {card.text!r}"
                raise BuildRefused(f"{file}, cell {found.id}: {both}: mend the formula, its count or the question")
            found.outputs = [v4.new_output("execute_result", data, execution_count=found.execution_count)]
    return node


def counted_cards(drill: Drill) -> dict[str, Card]:
    """What the answer and the solution cell of a worked edition must show, by the counting route.

    Raises
    ------
    FsdpSymError
        Where the drill's keys are not what is counted, or its worked answer does not state it.
    """
    name = drill.posed.question
    if not confirmed(drill):
        raise FsdpSymError(f"cell {name}-answer: the key is not what the count gives: mend the formula, its count or the question")
    lines = drill.question.solution(drill.variant)
    # The worked answer to a choice of stage stops at the first that fits.
    looked_at = works(drill)[: len(lines) - 1] if isinstance(drill.question, Stage) else works(drill)
    for work, unit in looked_at:
        texts = _shown(work, unit or None)
        if not any(_states(text, lines) for text in texts):
            raise FsdpSymError(f"cell {name}-solution: the worked answer does not come to the counted {texts[0]}: {' '.join(lines)}")
    return {f"{name}-answer": judgement_card(_right(drill)), f"{name}-solution": solution_card(lines)}


def _right(drill: Drill) -> Judgement:
    """What is to be said of the counted answers."""
    parts = []
    for text, part in zip(counted_texts(drill), drill.posed.parts, strict=True):
        found = read(text, part.expects)
        assert isinstance(found, Read), text
        parts.append(Judgement("right", found.echo, earned=Fraction(1)))
    return parts[0] if len(parts) == 1 else Judgement("right", "", earned=Fraction(1), parts=tuple(parts))


def _shown(work: Worked, unit: str | None) -> list[str]:
    """The counted result as a worked answer may show it: exact or rounded; a root as either of its bounds does."""
    value = count(work)
    if isinstance(value, bool):
        return [show_value(value)]
    if not isinstance(value, Bracket):
        return [show_result(value, unit), show(value, unit, IRRATIONAL_DIGITS)]
    dimension = letter(work.formula.defines).dimension
    return [show(Amount(to_exact(end), dimension), unit, IRRATIONAL_DIGITS) for end in (value.low, value.high)]


def _states(text: str, lines: tuple[str, ...]) -> bool:
    """Whether a number stands in the lines, as itself and not as part of another one."""
    return any(re.search(rf"(?<![\w.,/]){re.escape(text)}(?![\w/]|[.,]\d)", line) for line in lines)

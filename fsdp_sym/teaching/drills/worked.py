"""A drill's hints and its worked answer, from the formula and the printed givens."""

from __future__ import annotations

from ...algebra.printing import to_text
from ...algebra.units import Amount, show
from ...algebra.vocabulary import letter
from ...reasoning.catalogue import formula as formula_named
from ...reasoning.work import Worked, work
from ...scenarios.plans import PLANS
from .form import Posed, Question


def worked(question: Question, posed: Posed) -> Worked:
    """The formula at the givens as they are printed."""
    numbers: dict[str, object] = {}
    for name, text in posed.givens:
        if name == "plan":
            numbers |= {s.name: amount for s, amount in PLANS[text].values.items()}
        else:
            numbers[name] = text
    if question.kind == "limit":
        step = formula_named(question.formula).limit
        assert step is not None
        numbers[step.limit[0].name] = "oo"
    return work(numbers, question.formula)


def solution(question: Question, posed: Posed) -> str:
    """The worked line: formula, numbers, result in the unit that was asked for."""
    return worked(question, posed).line(unit=question.unit or None)


def hints(question: Question, posed: Posed) -> tuple[str, str, str]:
    """Three hints, each saying more: what is counted, the formula, the worked line."""
    formula = formula_named(question.formula)
    defined = letter(formula.defines)
    found = worked(question, posed)
    return (
        f"{formula.title}.",
        f"{defined.name} ({defined.says}) is {to_text(found.reading)}.",
        solution(question, posed),
    )


def shown_key(question: Question, posed: Posed) -> str:
    """The answer alone, with four digits where it is longer."""
    value = worked(question, posed).value
    assert isinstance(value, Amount)
    return show(value, question.unit or None, 4)

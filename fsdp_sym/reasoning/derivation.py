"""A formula's derivation as a reader meets it: each state, the reason, and the verdict, checked now."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from sympy import Piecewise
from sympy.core.basic import Basic
from sympy.core.relational import Relational

from ..algebra.agreement import Verdict
from ..algebra.formula import Formula
from ..algebra.printing import to_latex, to_text
from ..algebra.steps import Decision, Least, Near, Same, Step, Tends, Using
from ..algebra.vocabulary import letter
from .audit import verify_steps


class Derivation:
    """The lines of a derivation with their verdicts.

    Parameters
    ----------
    formula : Formula
        Its steps are verified when they are first shown, not when it is imported.
    """

    def __init__(self, formula: Formula) -> None:
        self.formula = formula

    @cached_property
    def verdicts(self) -> tuple[Verdict, ...]:
        return verify_steps(self.formula)

    @property
    def markdown(self) -> str:
        """A heading sentence, the table of the steps, the source."""
        f = self.formula
        return "\n".join([f"**{f.title}.**", "", self.table, "", f"Source: {f.source}."])

    @property
    def table(self) -> str:
        """The steps in Markdown: result, reason, verdict."""
        start, *states = _states(self.formula, to_latex)
        rows = [rf"| $\displaystyle {start}$ | {_start_reason(self.formula)} | |"]
        for state, step, verdict in zip(states, self.formula.steps, self.verdicts, strict=True):
            rows.append(rf"| $\displaystyle {state}$ | {_reason(step, '$', to_latex)} | {verdict.kind} |")
        return "\n".join(["| state | because | verdict |", "|:---|:---|:---|", *rows])

    @property
    def text(self) -> str:
        """The same in plain lines."""
        f = self.formula
        start, *states = _states(f, to_text)
        lines = [f"{f.title}.", f"  {start}", f"      {_start_reason(f)}"]
        for state, step, verdict in zip(states, f.steps, self.verdicts, strict=True):
            lines += [f"  {state}", f"      {_reason(step, '', to_text)}  [{verdict.kind}]"]
        return "\n".join([*lines, f"  Source: {f.source}."])

    def _repr_markdown_(self) -> str:
        return self.markdown

    def __repr__(self) -> str:
        return self.text


def _states(formula: Formula, write: Callable[[Basic], str]) -> list[str]:
    """The start and each state as an equation of what it equals.

    That is the defined letter; but up to a comparison or a minimum it is the start, which is what will be compared.
    """
    head, turn = write(formula.defines), _turn(formula)
    if turn is None:
        return [_equation(head, formula.start, write), *(_state(head, step, write) for step in formula.steps)]
    first = write(formula.start)
    return [first, *(_state(first if at < turn else head, step, write) for at, step in enumerate(formula.steps))]


def _turn(formula: Formula) -> int | None:
    """At which step a state that is not the defined letter's ends in a comparison or a minimum."""
    return next((at for at, step in enumerate(formula.steps) if isinstance(step, Decision | Least)), None)


def _equation(head: str, state: Basic, write: Callable[[Basic], str]) -> str:
    said = write(state) if isinstance(state, Relational) else f"{head} = {write(state)}"
    return said.replace("; ", ";\n" + " " * len(f"  {head} = ")) if isinstance(state, Piecewise) else said


def _start_reason(formula: Formula) -> str:
    says, turn = letter(formula.defines).says, _turn(formula)
    if isinstance(formula.start, Relational):
        return f"{says}: what is solved"
    if turn is None:
        return says
    return f"{says}: what is {'compared' if isinstance(formula.steps[turn], Decision) else 'made smallest'}"


def _state(head: str, step: Step, write: Callable[[Basic], str]) -> str:
    if isinstance(step, Near | Tends):
        name, to = (write(x) for x in step.limit)
        latex = write is to_latex
        return rf"{head} \to {write(step.to)} \quad ({name} \to {to})" if latex else f"{head} → {write(step.to)}  ({name} → {to})"
    return _equation(head, step.to, write)


def _reason(step: Step, dollar: str, write: Callable[[Basic], str]) -> str:
    reason = step.because
    if isinstance(step, Using):
        reason += f" (by {step.lemma.id})"
    given = step.given if isinstance(step, Same) else step.hypotheses if isinstance(step, Using) else ()
    if given:
        said = "; ".join(f"{dollar}{h.latex if dollar else h.text}{dollar}" for h in given)
        reason += f", where {said}"
    return reason

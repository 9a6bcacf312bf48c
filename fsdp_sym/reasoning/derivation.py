"""A formula's derivation as a reader meets it: each state, the reason, and the verdict, checked now."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from sympy.core.basic import Basic
from sympy.core.relational import Relational

from ..algebra.agreement import Verdict
from ..algebra.formula import Formula
from ..algebra.printing import to_latex, to_text
from ..algebra.steps import Decision, Near, Same, Step, Tends, Using
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
        """A heading sentence and a table: result, reason, verdict."""
        f = self.formula
        head = to_latex(f.defines)
        rows = [rf"| $\displaystyle {_start(head, f.start, to_latex)}$ | {_start_reason(f)} | |"]
        for step, verdict in zip(f.steps, self.verdicts, strict=True):
            rows.append(rf"| $\displaystyle {_state(head, step, to_latex)}$ | {_reason(step, '$', to_latex)} | {verdict.kind} |")
        return "\n".join([f"**{f.title}.**", "", "| state | because | verdict |", "|:---|:---|:---|", *rows, "", f"Source: {f.source}."])

    @property
    def text(self) -> str:
        """The same in plain lines."""
        f = self.formula
        head = to_text(f.defines)
        lines = [f"{f.title}.", f"  {_start(head, f.start, to_text)}", f"      {_start_reason(f)}"]
        for step, verdict in zip(f.steps, self.verdicts, strict=True):
            lines += [f"  {_state(head, step, to_text)}", f"      {_reason(step, '', to_text)}  [{verdict.kind}]"]
        return "\n".join([*lines, f"  Source: {f.source}."])

    def _repr_markdown_(self) -> str:
        return self.markdown

    def __repr__(self) -> str:
        return self.text


def _start(head: str, start: Basic, write: Callable[[Basic], str]) -> str:
    return write(start) if isinstance(start, Relational) else f"{head} = {write(start)}"


def _start_reason(formula: Formula) -> str:
    return f"{letter(formula.defines).says}: what is solved" if isinstance(formula.start, Relational) else letter(formula.defines).says


def _state(head: str, step: Step, write: Callable[[Basic], str]) -> str:
    latex = write is to_latex
    match step:
        case Near() | Tends():
            name, to = (write(x) for x in step.limit)
            return rf"{head} \to {write(step.to)} \quad ({name} \to {to})" if latex else f"{head} → {write(step.to)}  ({name} → {to})"
        case Decision():
            return write(step.to)
    return write(step.to) if isinstance(step.to, Relational) else f"{head} = {write(step.to)}"


def _reason(step: Step, dollar: str, write: Callable[[Basic], str]) -> str:
    reason = step.because
    if isinstance(step, Using):
        reason += f" (by {step.lemma.id})"
    given = step.given if isinstance(step, Same) else step.hypotheses if isinstance(step, Using) else ()
    if given:
        said = "; ".join(f"{dollar}{h.latex if dollar else h.text}{dollar}" for h in given)
        reason += f", where {said}"
    return reason

"""A formula's derivation as a reader meets it: each state, the reason, and the verdict, checked now."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Final

from sympy import Piecewise
from sympy.core.basic import Basic
from sympy.core.relational import Relational

from .agreement import Verdict, refuted
from .markup import element, mathematics, notebook_table, text
from .printing import to_latex, to_text
from .steps import Decision, Least, Near, Same, Step, Tends, Using
from .vocabulary import letter

if TYPE_CHECKING:
    from .formula import Formula

_SIGNS: Final = {"proved": "✓", "sampled": "≈", "refuted": "✗"}


def verify_steps(formula: Formula) -> tuple[Verdict, ...]:
    """The verdict of each step, in order."""
    found = []
    for before, step in zip(formula.states, formula.steps, strict=False):
        try:
            found.append(step.verify(before, formula.defines, formula.where))
        except Exception as error:
            found.append(refuted(f"the step cannot be checked: {type(error).__name__} {error}"))
    return tuple(found)


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
    def html(self) -> str:
        """The statement, the table of the steps, what is assumed, the letters and the source, for a notebook."""
        f = self.formula
        start, *states = (mathematics(state) for state in _states(f, to_latex))
        rows = [(start, text(_start_reason(f)), "")]
        for state, step, verdict in zip(states, f.steps, self.verdicts, strict=True):
            rows.append((state, text(_reason(step, "$", to_latex)), text(f"{_SIGNS[verdict.kind]}\N{NO-BREAK SPACE}{verdict}")))
        letters = ((mathematics(to_latex(s)), element("code", text(s.name)), text(letter(s).says)) for s in (f.defines, *f.letters))
        said = [
            element("p", element("strong", text(f"{f.title}.")), " ", element("code", text(f.id))),
            element("p", mathematics(f.latex)),
            notebook_table(("state", "because", "verdict"), rows, "Derivation, every step checked now"),
            *(element("p", text(f"{name}: {'; '.join(f'${h.latex}$' for h in held)}.")) for name, held in f.conditions if held),
            element("details", element("summary", "Letters"), notebook_table(("letter", "typed", "what it is"), letters, "Letters")),
            element("p", text(f"Source: {f.source}.")),
        ]
        return element("div", *said)

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

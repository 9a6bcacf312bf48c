"""What a formula is: what it defines, where it starts, how it is derived, how it is counted, who says so.

A formula has two readings. ``full`` is the start with every lemma unfolded and no hypothesis (``ceiling``,
``Sum``); the count must equal it everywhere. ``exact`` is the last state before any approximation, true under
its hypotheses.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from sympy import Dummy, Expr, Symbol
from sympy.core.basic import Basic
from sympy.core.relational import Relational

from .agreement import carried_out
from .derivation import Derivation
from .hypotheses import Hypothesis
from .printing import to_latex, to_text
from .steps import APPROXIMATIONS, Decision, Least, Near, Same, Solved, Step, Tends, Using
from .vocabulary import LETTERS, letter


@dataclass(frozen=True)
class Source:
    """Where a formula or a value is written: a title, and where in it."""

    title: str
    where: str = ""

    def __str__(self) -> str:
        return f"{self.title}, {self.where}" if self.where else self.title


@dataclass(frozen=True)
class Published:
    """A value known beforehand, printed by somebody or worked by hand: the inputs, what they give, the source.

    ``digits`` is set where the source printed a rounded figure: so many significant digits must agree.
    """

    at: Mapping[Symbol, int | Fraction | Expr]
    value: int | Fraction | bool | Expr
    source: Source
    digits: int | None = None


@dataclass(frozen=True)
class Bracket:
    """What a count can say of an irrational value: exact bounds it must lie between."""

    low: int | Fraction
    high: int | Fraction


# The one float is math.inf: nothing will do.
Counted = int | Fraction | float | bool | Bracket


@dataclass(frozen=True, eq=False)
class Formula:
    """One proposition, with its proof and its second route.

    Parameters
    ----------
    module : str
        ``__name__`` of the file that holds it; the last part is the formula's id, the one before its topic,
        and the file's docstring is its story.
    defines : sympy.Symbol
        The letter it gives a value to.
    start : sympy.Basic
        What is summed or counted, or the equation that is solved.
    steps : tuple of Step
    source : Source
    counted : callable
        The same quantity by plain counting, in ints and Fractions, without SymPy. Its parameters are named as
        the letters it covers, which must be all of them.
    where : tuple of Hypothesis
        Ranges outside which the quantity means nothing.
    published : tuple of Published
    """

    module: str
    defines: Symbol
    start: Basic
    steps: tuple[Step, ...]
    source: Source
    counted: Callable[..., Counted] | None = None
    where: tuple[Hypothesis, ...] = ()
    published: tuple[Published, ...] = ()

    @property
    def id(self) -> str:
        return self.module.rpartition(".")[2]

    @property
    def topic(self) -> str:
        return self.module.split(".")[-2]

    @cached_property
    def story(self) -> str:
        """The docstring of the file."""
        return inspect.cleandoc(sys.modules[self.module].__doc__ or "")

    @property
    def title(self) -> str:
        """Its first sentence, the proposition."""
        return self.story.partition("\n")[0].rstrip(".")

    @cached_property
    def states(self) -> tuple[Basic, ...]:
        """The start and what each step leads to."""
        return (self.start, *(step.to for step in self.steps))

    @cached_property
    def exact(self) -> Basic:
        """The last state before an approximation; true under `hypotheses`."""
        return self.states[-2] if self.limit else self.states[-1]

    @property
    def limit(self) -> Near | Tends | None:
        """The closing approximation, if there is one."""
        last = self.steps[-1] if self.steps else None
        return last if isinstance(last, APPROXIMATIONS) else None

    @cached_property
    def full(self) -> Basic:
        """The start with every lemma unfolded and no hypothesis put in."""
        full = self.start
        for step in self.steps:
            match step:
                case Using():
                    full = step.unfold(full, step.lemma.full)
                case Solved() | Least():
                    full = step.to
                case Decision():
                    full = step.to.func(full, step.to.rhs)
        return full

    @cached_property
    def hypotheses(self) -> tuple[Hypothesis, ...]:
        """What `exact` assumes: of its own steps and, instantiated, of its lemmas."""
        found: list[Hypothesis] = []
        for step in self.steps:
            match step:
                case Same():
                    found += step.given
                case Using():
                    found += step.hypotheses
                case Solved() | Least():
                    # The unknown is a bound variable from here on, taken as a real number.
                    bound = self.defines if isinstance(step, Solved) else step.over
                    found = [h for h in found if bound not in h.symbols]
        return tuple(dict.fromkeys(found))

    @cached_property
    def letters(self) -> tuple[Symbol, ...]:
        """The letters its value depends on, in vocabulary order."""
        return _in_order(self.closed.free_symbols)

    @cached_property
    def counted_letters(self) -> tuple[Symbol, ...]:
        """The letters its count covers, from the signature: all that the value depends on, perhaps some that cancel."""
        if self.counted is None:
            return ()
        named = {s.name: s for s in self.full.free_symbols}
        return _in_order({named.get(name, Dummy(name)) for name in inspect.signature(self.counted).parameters})

    @property
    def lemmas(self) -> tuple[Formula, ...]:
        return tuple(dict.fromkeys(step.lemma for step in self.steps if isinstance(step, Using)))

    @cached_property
    def closed(self) -> Basic:
        """The reading that is computed with: `exact` where nothing is assumed, else `full` with its sums carried out."""
        return carried_out(self.full) if self.hypotheses else self.exact

    @property
    def conditions(self) -> tuple[tuple[str, tuple[Hypothesis, ...]], ...]:
        """What the statement assumes, and where the quantity means anything at all, each under its name."""
        return (("Assumed", self.hypotheses), ("Only where", self.where))

    def _stated(self, write: Callable[[Basic], str]) -> str:
        said = write(self.exact)
        return said if isinstance(self.exact, Relational) else f"{write(self.defines)} = {said}"

    @property
    def latex(self) -> str:
        """The statement in LaTeX."""
        return self._stated(to_latex)

    @cached_property
    def derivation(self) -> Derivation:
        """Its steps as a reader meets them; they are checked when they are first shown."""
        return Derivation(self)

    def _repr_latex_(self) -> str:
        return rf"$\displaystyle {self.latex}$"

    def _repr_html_(self) -> str:
        return self.derivation.html

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        # In a list or a dictionary it is a name: a hundred derivations are not what was asked for.
        printer.text(self.derivation.text if len(printer.stack) == 1 else repr(self))

    def __str__(self) -> str:
        assumed = "; ".join(h.text for h in self.hypotheses)
        return self._stated(to_text) + (f", where {assumed}" if assumed else "")

    def __repr__(self) -> str:
        return f"<Formula {self.topic}/{self.id}>"


def _in_order(symbols: set[Symbol]) -> tuple[Symbol, ...]:
    return tuple(sorted(symbols, key=lambda s: (letter(s).order if s in LETTERS else -1, s.name)))

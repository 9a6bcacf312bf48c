"""Questions that are decided by an inequality: which stage, whether it fits or hides, and which inequality says so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final, Literal

from sympy import Expr, oo
from sympy.core.relational import Relational

from ...algebra.printing import to_text
from ...algebra.steps import Decision
from ...algebra.vocabulary import STAGES as NAMED
from ...algebra.vocabulary import M_max
from ...reasoning.catalogue import formula as formula_named
from ...reasoning.work import work
from ..answers import Choice
from ..misconceptions import about
from .form import Key, Part, Posed, Question, Rival, Variant
from .givens import (
    PLAN,
    Draws,
    Givens,
    Numbers,
    as_given,
    drawn,
    filled,
    given_texts,
    legend,
    numbers,
    numbers_of,
    one_of,
    shuffled,
    with_answer,
)
from .lettered import LETTERED, letter_choice, lettered
from .values import worth

_MOST_LINES: Final = 5
_ORDER: Final = "order"
STATES: Final = ("replicated_state", "zero_1_state", "zero_2_state", "sharded_state")
STAGES: Final = ("ZeRO-0", *NAMED[1:], "none")
_STAGE_WORDS: Final = (
    *((f"{word}{stage}", f"ZeRO-{stage}") for stage in range(4) for word in ("", "stage ", "zero ")),
    ("plain data parallel", "ZeRO-0"), (NAMED[0], "ZeRO-0"), ("DDP", "ZeRO-0"), ("FSDP", "ZeRO-3"), ("no stage", "none"),
)  # fmt: skip
_YES_NO: Final = (("y", "yes"), ("n", "no"), ("true", "yes"), ("false", "no"))


@dataclass(frozen=True, eq=False)
class Decide(Question):
    """Whether something fits, hides or costs more, and the inequality that decides.

    Parameters
    ----------
    id, cell : str
    formula : str
        A formula that ends in a comparison, by id.
    about : str
        The formula that its left side is, or itself: whose misconceptions make the wrong comparisons.
    ask : str
        A question to answer with yes or no.
    draws : mapping
    plans : tuple of str
    """

    id: str
    cell: str
    formula: str
    about: str
    ask: str
    draws: Draws
    plans: tuple[str, ...] = ()
    kind: Literal["choose"] = "choose"

    def draw(self, uniform: Callable[[], float]) -> Variant | None:
        def once() -> Variant | None:
            variant = Variant(self.id, drawn(self.draws, self.plans, uniform))
            known = numbers(variant, self.draws)
            return variant if all(h.holds(known) is not False for h in formula_named(self.formula).where) else None

        variant = with_answer(one_of(_answers(self.formula), uniform), once, lambda v: self.keys(v)[0])
        order = (_ORDER, "".join(shuffled(LETTERED[: len(_lines(self))], uniform)))
        return variant and Variant(self.id, (*variant.drawn, order))

    def posed(self, variant: Variant) -> Posed:
        lines, letters = _printed(tuple(line for _, line in _lines(self)))
        said = _lettered(lines, variant.texts[_ORDER])
        prompt = f"{filled(self.ask, variant)} And which of these lines decides it? ({letters})"
        return Posed(
            self.id,
            self.cell,
            self.kind,
            prompt,
            said,
            given_texts(variant, self.draws),
            _parts(("yes", "no"), _YES_NO, "yes or no", len(lines)),
        )

    def keys(self, variant: Variant) -> tuple[Key, ...]:
        known = numbers(variant, self.draws)
        relation = formula_named(self.formula).exact
        return ("yes" if worth(relation)(known) else "no", _letter_of(variant, 0))

    def rivals(self, variant: Variant, part: int) -> tuple[Rival, ...]:
        if part == 0:
            return ()
        return tuple(Rival(name, None, _letter_of(variant, at)) for at, (name, _) in enumerate(_lines(self)) if at)

    def solution(self, variant: Variant) -> tuple[str, ...]:
        key = self.keys(variant)
        return (*_worked_line(self, variant, self.formula), f"So {key[0]}, by line {key[1]}.")

    def hints(self, variant: Variant) -> tuple[str, str, str]:
        formula = formula_named(self.formula)
        return (f"{formula.title}.", f"What is compared is {to_text(formula.start)}.", "\n".join(self.solution(variant)))

    def differs(self, variant: Variant, part: int, value: Key) -> str:
        line = " ".join(_worked_line(self, variant, self.formula))
        return f"The first step is the comparison itself: {line.rpartition(': ')[0]}."


@dataclass(frozen=True, eq=False)
class Stage(Question):
    """The smallest ZeRO stage whose state fits, and the inequality that decides it."""

    id: str
    cell: str
    ask: str
    draws: Draws
    plans: tuple[str, ...]
    kind: Literal["choose"] = "choose"

    def draw(self, uniform: Callable[[], float]) -> Variant | None:
        def once() -> Variant:
            return Variant(self.id, drawn(self.draws, self.plans, uniform))

        variant = with_answer(one_of(STAGES, uniform), once, lambda v: _stage(self, v))
        order = (_ORDER, "".join(shuffled(LETTERED[: len(STAGES)], uniform)))
        return variant and Variant(self.id, (*variant.drawn, order))

    def posed(self, variant: Variant) -> Posed:
        lines, letters = _printed(_stage_lines())
        said = _lettered(lines, variant.texts[_ORDER])
        prompt = f"{filled(self.ask, variant)} And which inequality, with the stage below it failing, decides it? ({letters})"
        return Posed(
            self.id,
            self.cell,
            self.kind,
            prompt,
            said,
            given_texts(variant, self.draws),
            _parts(STAGES, _STAGE_WORDS, "ZeRO-0 (plain data parallel) to ZeRO-3, or none", len(lines)),
        )

    def keys(self, variant: Variant) -> tuple[Key, ...]:
        stage = _stage(self, variant)
        return (stage, _letter_of(variant, STAGES.index(stage)))

    def rivals(self, variant: Variant, part: int) -> tuple[Rival, ...]:
        if part:
            return ()
        return tuple(Rival(name, None, stage) for name, stage in _mistaken_stages(given_texts(variant, self.draws)))

    def carried(self, variant: Variant, part: int, earlier: tuple[Key, ...]) -> Key | None:
        """The inequality that would decide the stage which the student named."""
        return _letter_of(variant, STAGES.index(str(earlier[0]))) if part and earlier[0] in STAGES else None

    def solution(self, variant: Variant) -> tuple[str, ...]:
        stage, letter = self.keys(variant)
        at = STAGES.index(str(stage))
        looked = [line for state in STATES[: min(at, 3) + 1] for line in _worked_line(self, variant, state)]
        budget = dict(variant.drawn).get("M_max", "the budget")
        return (
            *looked,
            f"The first that is at most {budget} is {stage}: inequality {letter}."
            if at < 4
            else f"None is at most {budget}: inequality {letter}.",
        )

    def hints(self, variant: Variant) -> tuple[str, str, str]:
        return (
            "Each stage shards one thing more; take them in order and stop at the first that fits.",
            "The states are "
            + "; ".join(f"{name}: {to_text(formula_named(state).exact)}" for name, state in zip(STAGES, STATES, strict=False))
            + ".",
            "\n".join(self.solution(variant)),
        )

    def differs(self, variant: Variant, part: int, value: Key) -> str:
        right = _stage(self, variant)
        if part == 0 and STAGES.index(right) < STAGES.index(str(value)) < len(STATES):
            return f"{value} fits, but it shards more than is needed: {' '.join(_worked_line(self, variant, STATES[STAGES.index(right)]))}."
        return f"The first step is the state without sharding: {' '.join(_worked_line(self, variant, STATES[0]))}; then stage by stage."


def _parts(options: tuple[str, ...], words: tuple[tuple[str, str], ...], how: str, lines: int) -> tuple[Part, ...]:
    return (
        Part("1", f"Answer {how}.", Choice(options, words)),
        Part("2", f"Give the letter of the line, a to {LETTERED[lines - 1]}.", letter_choice(lines, ("line", "inequality"))),
    )


@cache
def _lines(question: Decide) -> tuple[tuple[str, Relational], ...]:
    """The right comparison first, without a name, then one for each misconception about its left side or about itself."""
    right = formula_named(question.formula).exact
    assert isinstance(right, Relational)
    inner = formula_named(question.about).exact
    found: dict[Relational, str] = {right: ""}
    for thought in about(question.about):
        wrong = thought.rival(inner)
        if not isinstance(wrong, Relational):
            wrong = right.func(right.lhs.xreplace({inner: wrong}), right.rhs, evaluate=False)
        if wrong.lhs.free_symbols:
            found.setdefault(wrong, thought.id)
        if len(found) == _MOST_LINES:
            break
    assert len(found) > 2, f"{question.id}: too few wrong comparisons"
    return tuple((name, line) for line, name in found.items())


@cache
def _answers(formula: str) -> tuple[str, ...]:
    """What a comparison can come out as."""
    decision = formula_named(formula).steps[-1]
    return ("yes",) if isinstance(decision, Decision) and decision.always else ("yes", "no")


@cache
def _printed(lines: tuple[Relational, ...]) -> tuple[tuple[str, ...], str]:
    """Lines as text, and what their letters stand for."""
    return tuple(map(to_text, lines)), legend(frozenset().union(*(line.free_symbols for line in lines)))


def _lettered(lines: tuple[str, ...], order: str) -> tuple[str, ...]:
    return lettered([lines[LETTERED.index(which)] for which in order])


@cache
def _stage_lines() -> tuple[Relational, ...]:
    states = [formula_named(state).exact <= M_max for state in STATES]
    return (*states, formula_named(STATES[-1]).exact > M_max)


def _letter_of(variant: Variant, line: int) -> str:
    order = variant.texts.get(_ORDER)
    return LETTERED[order.index(LETTERED[line])] if order else ""


def _stage(question: Stage, variant: Variant) -> str:
    return _stage_at(given_texts(variant, question.draws))


# What follows from the givens is kept by them alone: a class is asked the same few in hundreds of orders of the choices.
@lru_cache(maxsize=1 << 12)
def _stage_at(givens: Givens) -> str:
    return _first_fitting(numbers_of(givens), [formula_named(state).exact for state in STATES])


def _first_fitting(known: Numbers, states: list[Expr]) -> str:
    budget = known[M_max]
    for name, state in zip(STAGES, states, strict=False):
        if worth(state)(known) <= budget:
            return name
    return "none"


@lru_cache(maxsize=1 << 12)
def _mistaken_stages(givens: Givens) -> tuple[tuple[str, str], ...]:
    """The stage that each misconception about the states leads to, where it is another one."""
    known, right = numbers_of(givens), _stage_at(givens)
    found = [(name, _first_fitting(known, states)) for name, states in _mistaken_states()]
    return tuple((name, stage) for name, stage in found if stage != right)


@cache
def _mistaken_states() -> tuple[tuple[str, list[Expr]], ...]:
    """What each misconception about a stage's state makes of all of them, where that is finite."""
    thoughts = {m.id: m for state in STATES for m in about(state)}
    right = {state: formula_named(state).exact for state in STATES}
    found = [(name, [thought.rival(right[s]) if s in thought.about else right[s] for s in STATES]) for name, thought in thoughts.items()]
    return tuple((name, states) for name, states in found if not any(state.has(oo) for state in states))


def _worked_line(question: Decide | Stage, variant: Variant, formula: str) -> tuple[str, ...]:
    used = {s.name for s in formula_named(formula).letters} | {PLAN}
    return _line_at(tuple(given for given in given_texts(variant, question.draws) if given[0] in used), formula)


@lru_cache(maxsize=1 << 12)
def _line_at(givens: Givens, formula: str) -> tuple[str, ...]:
    return tuple(work(as_given(givens), formula).line().split("\n"))

"""Questions that are decided by an inequality: which stage, whether it fits or hides, and which inequality says so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final, Literal

from sympy import Expr, oo
from sympy.core.relational import Relational

from ...algebra.printing import to_text
from ...algebra.vocabulary import M_max
from ...reasoning.catalogue import formula as formula_named
from ...reasoning.work import work
from ...scenarios.plans import PLANS
from ..answers import Choice
from ..misconceptions import about
from .form import Key, Part, Posed, Question, Rival, Variant
from .givens import PLAN, Draws, Numbers, drawn, filled, given_texts, numbers, shuffled
from .values import worth

LETTERED: Final = "abcdefgh"
_ORDER: Final = "order"
_STATES: Final = ("replicated_state", "zero_1_state", "zero_2_state", "sharded_state")
_STAGES: Final = ("ZeRO-0", "ZeRO-1", "ZeRO-2", "ZeRO-3", "none")
_STAGE_WORDS: Final = (
    *((f"{word}{stage}", f"ZeRO-{stage}") for stage in range(4) for word in ("", "stage ", "zero ")),
    ("plain data parallel", "ZeRO-0"), ("data parallel", "ZeRO-0"), ("DDP", "ZeRO-0"), ("FSDP", "ZeRO-3"), ("no stage", "none"),
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
        The formula that its left side is, whose misconceptions make the wrong inequalities.
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
        givens = drawn(self.draws, self.plans, uniform)
        variant = Variant(self.id, givens)
        known = numbers(variant, self.draws)
        if any(h.holds(known) is False for h in formula_named(self.formula).where):
            return None
        # As many yes as no: the draw, not the givens, decides which of them is asked.
        if self.keys(variant)[0] != ("yes" if uniform() < 0.5 else "no"):
            return None
        return Variant(self.id, (*givens, (_ORDER, "".join(shuffled(LETTERED[: len(_lines(self))], uniform)))))

    def posed(self, variant: Variant) -> Posed:
        lines = _lines(self)
        order = variant.texts[_ORDER]
        said = tuple(f"{LETTERED[at]}) {lines[LETTERED.index(which)][1]}" for at, which in enumerate(order))
        prompt = f"{filled(self.ask, variant)} And which of these inequalities decides it?"
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
        return (*_worked_line(self, variant, self.formula), f"So {key[0]}, by inequality {key[1]}.")

    def hints(self, variant: Variant) -> tuple[str, str, str]:
        formula = formula_named(self.formula)
        return (f"{formula.title}.", f"What is compared is {to_text(formula.start)}.", "\n".join(self.solution(variant)))

    def differs(self, variant: Variant, part: int, value: Key) -> str:
        line = " ".join(_worked_line(self, variant, self.formula))
        return f"The first step is the inequality itself: {line}."


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
        variant = Variant(self.id, drawn(self.draws, self.plans, uniform))
        wanted = _STAGES[int(uniform() * len(_STAGES))]
        order = ((_ORDER, "".join(shuffled(LETTERED[: len(_STAGES)], uniform))),)
        return Variant(self.id, (*variant.drawn, *order)) if _stage(self, variant) == wanted else None

    def posed(self, variant: Variant) -> Posed:
        lines = _stage_lines()
        said = tuple(f"{LETTERED[at]}) {lines[LETTERED.index(which)]}" for at, which in enumerate(variant.texts[_ORDER]))
        prompt = f"{filled(self.ask, variant)} And which inequality, with the stage below it failing, decides it?"
        return Posed(
            self.id,
            self.cell,
            self.kind,
            prompt,
            said,
            given_texts(variant, self.draws),
            _parts(_STAGES, _STAGE_WORDS, "ZeRO-0 (plain data parallel) to ZeRO-3, or none", len(lines)),
        )

    def keys(self, variant: Variant) -> tuple[Key, ...]:
        stage = _stage(self, variant)
        return (stage, _letter_of(variant, _STAGES.index(stage)))

    def rivals(self, variant: Variant, part: int) -> tuple[Rival, ...]:
        if part:
            return ()
        return tuple(Rival(name, None, stage) for name, stage in _mistaken_stages(self, variant))

    def carried(self, variant: Variant, part: int, earlier: tuple[Key, ...]) -> Key | None:
        """The inequality that would decide the stage which the student named."""
        return _letter_of(variant, _STAGES.index(str(earlier[0]))) if part and earlier[0] in _STAGES else None

    def solution(self, variant: Variant) -> tuple[str, ...]:
        stage, letter = self.keys(variant)
        at = _STAGES.index(str(stage))
        looked = [line for state in _STATES[: min(at, 3) + 1] for line in _worked_line(self, variant, state)]
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
            + "; ".join(f"{name}: {to_text(formula_named(state).exact)}" for name, state in zip(_STAGES, _STATES, strict=False))
            + ".",
            "\n".join(self.solution(variant)),
        )

    def differs(self, variant: Variant, part: int, value: Key) -> str:
        right = _stage(self, variant)
        if part == 0 and _STAGES.index(right) < _STAGES.index(str(value)) < len(_STATES):
            return (
                f"{value} fits, but it shards more than is needed: {' '.join(_worked_line(self, variant, _STATES[_STAGES.index(right)]))}."
            )
        return f"The first step is the state without sharding: {' '.join(_worked_line(self, variant, _STATES[0]))}; then stage by stage."


def _parts(options: tuple[str, ...], words: tuple[tuple[str, str], ...], how: str, lines: int) -> tuple[Part, ...]:
    letters = tuple(LETTERED[:lines])
    named = (
        tuple((f"{word}{x}", x) for x in letters for word in ("inequality ", "("))
        + tuple((f"{x})", x) for x in letters)
        + tuple((f"({x})", x) for x in letters)
    )
    return (
        Part("1", f"Answer {how}.", Choice(options, words)),
        Part("2", f"Give the letter of the inequality, {letters[0]} to {letters[-1]}.", Choice(letters, named)),
    )


@cache
def _lines(question: Decide) -> tuple[tuple[str, str], ...]:
    """The right inequality first, without a name, then one for each misconception about its left side and its reverse."""
    formula = formula_named(question.formula)
    right = formula.exact
    assert isinstance(right, Relational)
    inner = formula_named(question.about).exact
    found: dict[str, str] = {to_text(right): ""}
    for thought in about(question.about):
        wrong = right.func(right.lhs.xreplace({inner: thought.rival(inner)}), right.rhs)
        found.setdefault(to_text(wrong), thought.id)
        if len(found) == 5:
            break
    assert len(found) > 2, f"{question.id}: too few wrong inequalities"
    return tuple((name, text) for text, name in found.items())


@cache
def _stage_lines() -> tuple[str, ...]:
    states = [to_text(formula_named(state).exact <= M_max) for state in _STATES]
    return (*states, to_text(formula_named(_STATES[-1]).exact > M_max))


def _letter_of(variant: Variant, line: int) -> str:
    order = variant.texts.get(_ORDER)
    return LETTERED[order.index(LETTERED[line])] if order else ""


@lru_cache(maxsize=1 << 12)
def _stage(question: Stage, variant: Variant) -> str:
    known = numbers(variant, question.draws)
    return _first_fitting(known, [formula_named(state).exact for state in _STATES])


def _first_fitting(known: Numbers, states: list[Expr]) -> str:
    budget = known[M_max]
    for name, state in zip(_STAGES, states, strict=False):
        if worth(state)(known) <= budget:
            return name
    return "none"


@lru_cache(maxsize=1 << 12)
def _mistaken_stages(question: Stage, variant: Variant) -> tuple[tuple[str, str], ...]:
    """The stage that each misconception about the states leads to, where it is another one."""
    known, right = numbers(variant, question.draws), _stage(question, variant)
    thoughts = {m.id: m for state in _STATES for m in about(state)}
    found = []
    for name, thought in thoughts.items():
        states = [thought.rival(formula_named(s).exact) if s in thought.about else formula_named(s).exact for s in _STATES]
        if any(state.has(oo) for state in states):
            continue
        stage = _first_fitting(known, states)
        if stage != right:
            found.append((name, stage))
    return tuple(found)


def _worked_line(question: Decide | Stage, variant: Variant, formula: str) -> tuple[str, ...]:
    given: dict[str, object] = {}
    for name, text in given_texts(variant, question.draws):
        given |= {s.name: amount for s, amount in PLANS[text].values.items()} if name == PLAN else {name: text}
    return tuple(work(given, formula).line().split("\n"))

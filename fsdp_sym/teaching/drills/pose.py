"""Drawing a variant: pure, seeded, and accepted only where its wrong answers can be told apart.

The numbers are drawn as they are printed, and the key is computed from what is printed.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations
from typing import Final

from sympy import Symbol

from ...algebra.errors import FsdpSymError
from ...algebra.units import UNITS, byte, unit_size
from ...algebra.vocabulary import letter, n_bit, read_value
from ...reasoning.catalogue import formula as formula_named
from ...reasoning.work import plain
from ...scenarios.plans import PLANS, WIDTHS
from ..misconceptions import SLIPS, Slip
from .form import Drill, Posed, Question, Rival
from .values import letters_of, rivals_of, truth_of

APART: Final = Fraction(3, 1000)  # three times the tolerance of a right answer
_TRIES: Final = 400
_SEPARATED_SLIPS: Final = ("gib-for-gb", "gb-for-gib", "bits-for-bytes", "bytes-for-bits")
_PLACE = re.compile(r"\[\[(\w+)\]\]")
_PARTS: Final = {"b_w": "parameter", "b_g": "gradient", "b_c": "master copy", "b_m": "momentum", "b_v": "variance", "b_x": "other"}

Given = tuple[Symbol, str]


def pose(question: Question, seed: int) -> Drill:
    """The variant of a question that belongs to a seed.

    Deterministic from the question's id and the seed: nothing but ``random.Random(text).random()`` is drawn, which is the
    same in every process and every version of Python.

    Raises
    ------
    FsdpSymError
        Where no acceptable variant turns up in 400 tries: the question's values are too few.
    """
    uniform = random.Random(f"{question.id}:{seed}").random
    for _ in range(_TRIES):
        givens, plan = _drawn(question, uniform)
        variant = _variant(question, givens, plan)
        if variant is not None:
            return Drill(_posed(question, seed, givens, plan), *variant)
    raise FsdpSymError(f"{question.id} has no variant that tells its wrong answers apart: give its letters more values")


def _drawn(question: Question, uniform: Callable[[], float]) -> tuple[tuple[Given, ...], str]:
    givens = tuple((s, values[int(uniform() * len(values))]) for s, values in question.draws.items())
    plan = question.plans[int(uniform() * len(question.plans))] if question.plans else ""
    return givens, plan


@cache
def _number(symbol: Symbol, text: str) -> int | Fraction:
    return plain(read_value(symbol, text).value)


@cache
def _widths(plan: str) -> dict[Symbol, int | Fraction]:
    values = PLANS[plan].values
    return {s: plain(values[s].value) for s in WIDTHS}


Known = tuple[Fraction, tuple[Rival, ...], tuple[frozenset[str], ...]]


@lru_cache(maxsize=1 << 16)
def _variant(question: Question, givens: tuple[Given, ...], plan: str) -> Known | None:
    """Key, rivals and what is never told apart; None where the formula means nothing, or its rivals lie too close."""
    numbers = _numbers(givens, plan)
    if not _meaningful(question, numbers):
        return None
    arguments = [numbers[s] for s in letters_of(question.formula, question.kind)]
    key = Fraction(truth_of(question.formula, question.kind)(*arguments))
    rivals = tuple(sorted(_rivals(question, arguments, key), key=lambda x: (x.value, x.misconception or "", x.slip or "")))
    classes = never_apart(question, plan)
    return (key, rivals, classes) if separated(key, rivals, classes) else None


def _numbers(givens: Sequence[Given], plan: str) -> dict[Symbol, int | Fraction]:
    return {n_bit: 8} | {s: _number(s, text) for s, text in givens} | (_widths(plan) if plan else {})


def _meaningful(question: Question, numbers: dict[Symbol, int | Fraction]) -> bool:
    return all(h.holds(numbers) is not False for h in formula_named(question.formula).where)


def _rivals(question: Question, arguments: list[int | Fraction], key: Fraction) -> Iterator[Rival]:
    """Every misconception, with and without a slip, and every slip alone; none that happens to be right here."""
    slips = slips_of(question.unit)
    values: list[tuple[str | None, Fraction]] = [(None, key)]
    for name, rival in rivals_of(question.formula, question.kind):
        try:
            value = Fraction(rival(*arguments))
        except ZeroDivisionError:
            continue
        if value > 0 and value != key:
            values.append((name, value))
    for thought, value in values:
        if thought is not None:
            yield Rival(thought, None, value)
        # A slip can undo a misconception: then the answer is right, and nobody can tell.
        yield from (Rival(thought, slip, value * factor) for slip, factor in slips if value * factor != key)


@cache
def slips_of(unit: str) -> tuple[tuple[str, Fraction], ...]:
    """The slips of unit that an answer in this unit can have, with their factors; none for a count or a ratio."""
    head = unit.partition("/")[0]
    # Widths of a few bytes are not mistaken for bits or for prefixes.
    if head not in UNITS or UNITS[head][1] != byte or unit == "B/param":
        return _thousands(unit)
    steps = (len(str(unit_size(head)[0])) - 1) // 3
    return tuple((slip.id, slip.of(steps)) for slip in SLIPS if not (slip.per_prefix and steps == 0))


def _thousands(unit: str) -> tuple[tuple[str, Fraction], ...]:
    powers: tuple[Slip, ...] = tuple(s for s in SLIPS if s.id.startswith("a-"))
    return tuple((s.id, s.factor) for s in powers) if unit in ("s", "ms") else ()


def separated(key: Fraction, rivals: tuple[Rival, ...], classes: tuple[frozenset[str], ...]) -> bool:
    """Whether all values that mean different things lie more than three tolerances apart."""
    meant = [(float(key), None), *((float(r.value), r) for r in rivals if r.slip is None or r.slip in _SEPARATED_SLIPS)]
    meant.sort(key=lambda pair: pair[0])
    near = float(APART)
    for at, (value, one) in enumerate(meant):
        for other_value, other in meant[at + 1 :]:
            if other_value > value * (1 + near):
                break
            if not _same_class(one, other, classes):
                return False
    return True


def _same_class(one: Rival | None, other: Rival | None, classes: tuple[frozenset[str], ...]) -> bool:
    if one is None or other is None:
        return False
    names = {label(one), label(other)}
    return any(names <= known for known in classes)


def label(rival: Rival) -> str:
    """What a rival is called in a class: its misconception and its slip."""
    return "+".join(part for part in (rival.misconception, rival.slip) if part)


@cache
def never_apart(question: Question, plan: str) -> tuple[frozenset[str], ...]:
    """Sets of wrong thoughts that lead to the same value in every variant with this plan: no number can tell them apart."""
    together: dict[frozenset[str], int] = {}
    present: dict[str, int] = {}
    uniform = random.Random(f"classes:{question.id}").random
    for _ in range(_TRIES // 4):
        givens, _ = _drawn(question, uniform)
        numbers = _numbers(givens, plan)
        if not _meaningful(question, numbers):
            continue
        arguments = [numbers[s] for s in letters_of(question.formula, question.kind)]
        key = Fraction(truth_of(question.formula, question.kind)(*arguments))
        rivals = [r for r in _rivals(question, arguments, key) if r.slip is None or r.slip in _SEPARATED_SLIPS]
        for rival in rivals:
            present[label(rival)] = present.get(label(rival), 0) + 1
        for one, other in combinations(rivals, 2):
            if abs(one.value - other.value) <= APART * max(one.value, other.value):
                pair = frozenset((label(one), label(other)))
                together[pair] = together.get(pair, 0) + 1
    pairs = [pair for pair, times in together.items() if times == min(present[name] for name in pair)]
    return _merged(pairs)


def _merged(pairs: list[frozenset[str]]) -> tuple[frozenset[str], ...]:
    classes: list[frozenset[str]] = []
    for pair in pairs:
        touching = [c for c in classes if c & pair]
        classes = [c for c in classes if not c & pair] + [pair.union(*touching)]
    return tuple(sorted(classes, key=sorted))


def _posed(question: Question, seed: int, givens: Sequence[Given], plan: str) -> Posed:
    texts = {s.name: text for s, text in givens}

    def put(found: re.Match[str]) -> str:
        name = found[1]
        return plan_text(plan) if name == "plan" else _printed(name, texts[name])

    how = f"Give four significant digits{f' and a unit, such as {question.unit}' if question.unit else ''}."
    whole = not question.unit and letter(formula_named(question.formula).defines).whole
    prompt = f"{_PLACE.sub(put, question.ask)} {'Give a whole number.' if whole else how}"
    shown = tuple((s.name, text) for s, text in givens) + ((("plan", plan),) if plan else ())
    return Posed(question.id, seed, question.cell, question.kind, prompt, shown, question.unit)


def _printed(name: str, text: str) -> str:
    return f"{int(text):,}" if text.isdigit() and len(text) > 4 else text


def plan_text(plan: str) -> str:
    """``2 B (parameter) + 2 B (gradient) + ...``: what a plan keeps, part by part."""
    kept = [(s.name, w) for s, w in _widths(plan).items() if w]
    return " + ".join(f"{w} B ({_PARTS[name]})" for name, w in kept)

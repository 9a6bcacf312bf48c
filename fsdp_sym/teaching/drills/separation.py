"""Telling wrong answers apart: slips of unit, and whether all that means something different lies three tolerances apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from typing import Final, NamedTuple

from ...algebra.units import UNITS, byte, unit_size
from ..misconceptions import SLIPS
from .form import Rival

TOLERANCE: Final = Fraction(1, 1000)  # of a right answer, and of a diagnosed one
APART: Final = 3 * TOLERANCE
_NEAR: Final = 1 + float(APART)
_EQUAL: Final = 1e-12  # of floats whose exact values are equal
SEPARATED_SLIPS: Final = ("gib-for-gb", "gb-for-gib", "bits-for-bytes", "bytes-for-bits")

Thought = tuple[str, Fraction]  # a misconception and the value that it leads to
Classes = tuple[frozenset[str], ...]


class Slipped(NamedTuple):
    """A slip as it applies to answers in one unit."""

    id: str
    factor: Fraction
    nearly: float


@cache
def slips_of(unit: str) -> tuple[Slipped, ...]:
    """The slips of unit that an answer in this unit can have, with their factors; none for a count or a ratio."""
    head = unit.partition("/")[0]
    # Widths of a few bytes are not mistaken for bits or for prefixes.
    if head not in UNITS or UNITS[head][1] != byte or unit == "B/param":
        found = [(s.id, s.factor) for s in SLIPS if s.id.startswith("a-")] if unit in ("s", "ms") else []
    else:
        steps = (len(str(unit_size(head)[0])) - 1) // 3
        found = [(slip.id, slip.of(steps)) for slip in SLIPS if not (slip.per_prefix and steps == 0)]
    return tuple(Slipped(name, factor, float(factor)) for name, factor in found)


def with_slips(key: Fraction, thoughts: Sequence[Thought], unit: str) -> tuple[Rival, ...]:
    """Every misconception with and without a slip, and every slip alone, in ascending order."""
    # Rounding to a float keeps the order, and compares far faster than fractions do.
    return tuple(sorted(_slipped(key, thoughts, unit), key=lambda r: (float(r.value), r.misconception or "", r.slip or "")))  # type: ignore[arg-type]


def _slipped(key: Fraction, thoughts: Sequence[Thought], unit: str) -> Iterator[Rival]:
    slips = slips_of(unit)
    for name, value in ((None, key), *thoughts):
        if name is not None:
            yield Rival(name, None, value)
        # A slip can undo a misconception: then the answer is right, and nobody can tell.
        yield from (Rival(name, slip.id, found) for slip in slips if (found := value * slip.factor) != key)


@cache
def label(misconception: str | None, slip: str | None) -> str:
    """What a rival is called in a class: its misconception and its slip."""
    return "+".join(part for part in (misconception, slip) if part)


def meanings(key: Fraction, thoughts: Sequence[Thought], unit: str) -> list[tuple[float, str]]:
    """Every value that must be told apart, with its label, ascending; the truth's label is empty."""
    slips = [s for s in slips_of(unit) if s.id in SEPARATED_SLIPS]
    right = float(key)
    found = [(right, "")]
    for name, value in (("", key), *thoughts):
        near = float(value)
        if name:
            found.append((near, name))
        # A slip can undo a misconception: then the answer is right, and nobody can tell.
        found += [(x, label(name, s.id)) for s in slips if abs((x := near * s.nearly) - right) > _EQUAL * right]
    found.sort()
    return found


def close_pairs(found: Sequence[tuple[float, str]]) -> Iterator[tuple[str, str]]:
    """The labels of values that lie within three tolerances of each other."""
    for at, (value, one) in enumerate(found):
        for other_value, other in found[at + 1 :]:
            if other_value > value * _NEAR:
                break
            yield one, other


def separated(key: Fraction, thoughts: Sequence[Thought], unit: str, classes: Classes) -> bool:
    """Whether all values that mean different things lie more than three tolerances apart."""
    return all(any(one in known and other in known for known in classes) for one, other in close_pairs(meanings(key, thoughts, unit)))


def never_apart(variants: Iterable[tuple[Fraction, Sequence[Thought]]], thoughts: Iterable[str], unit: str) -> Classes:
    """Sets of labels whose values lie together in every one of these variants: no number can tell them apart.

    Parameters
    ----------
    variants : iterable of (Fraction, sequence of Thought)
        The right answer, and what each misconception leads to; taken one by one, for as long as something may lie together.
    thoughts : iterable of str
        The misconceptions that can occur in them.
    unit : str
    """
    waiting = set(_labels(thoughts, unit))
    near: dict[str, set[str]] = {}  # of each label, those that lay near it wherever it occurred
    for key, found in variants:
        here = meanings(key, found, unit)
        beside: dict[str, set[str]] = {name: set() for _, name in here if name in waiting}
        for pair in close_pairs(here):
            for one, other in (pair, reversed(pair)):
                if one in beside and other:
                    beside[one].add(other)
        for name, others in beside.items():
            near[name] = near.get(name, others) & others
            if not near[name]:
                waiting.remove(name)
        if not waiting:
            return ()
    classes: list[frozenset[str]] = []
    for together in (frozenset((one, other)) for one, others in near.items() for other in others):
        touching = [c for c in classes if c & together]
        classes = [c for c in classes if not c & together] + [together.union(*touching)]
    return tuple(sorted(classes, key=sorted))


def _labels(thoughts: Iterable[str], unit: str) -> Iterator[str]:
    """All that can mean something: each misconception with and without a slip, and each slip alone."""
    slips = [s.id for s in slips_of(unit) if s.id in SEPARATED_SLIPS]
    for name in ("", *thoughts):
        yield from (label(name, slip) for slip in (None, *slips) if name or slip)

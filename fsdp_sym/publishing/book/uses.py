"""Who uses what: a formula's cells and lessons, the questions that a misconception is met in."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final, NamedTuple

from ...reasoning.catalogue import formula as formula_named
from ...teaching.drills import QUESTIONS, Drill, pose
from ...teaching.drills.counting import works
from ...teaching.lessons import OURS
from ...teaching.lessons.blocks import Derive, Lesson, Work

_SEEDS: Final = range(8)
"""Variants looked at: a wrong thought has no answer of its own in every variant, and each is met in one of these."""


def formulas_of(lesson: Lesson) -> list[str]:
    """The formulas that a lesson derives or works, in its order."""
    return list(dict.fromkeys(block.formula for block in lesson.blocks if isinstance(block, Derive | Work)))


def lessons_with(formula: str) -> list[Lesson]:
    """The lessons that derive or work a formula."""
    return [lesson for lesson in OURS.values() if formula in formulas_of(lesson)]


class Uses(NamedTuple):
    """Who asks.

    Attributes
    ----------
    asking : mapping
        The questions whose numbers a formula gives, by formula.
    meeting : mapping
        The questions in which a wrong answer is diagnosed as a misconception, by misconception.
    """

    asking: Mapping[str, list[str]]
    meeting: Mapping[str, list[str]]


@cache
def uses() -> Uses:
    """Who asks, as some variants of every question show it."""
    asking: dict[str, dict[str, None]] = {}
    meeting: dict[str, dict[str, None]] = {}
    for drill in (pose(question, seed) for question in QUESTIONS.values() for seed in _SEEDS):
        for name in _formulas_in(drill):
            asking.setdefault(name, {})[drill.question.id] = None
        for name in _thoughts_in(drill):
            meeting.setdefault(name, {})[drill.question.id] = None
    return Uses(*({name: list(questions) for name, questions in found.items()} for found in (asking, meeting)))


def _formulas_in(drill: Drill) -> set[str]:
    asked = getattr(drill.question, "formula", None)
    return {worked.formula.id for worked, _ in works(drill)} | ({formula_named(asked).id} if asked else set())


def _thoughts_in(drill: Drill) -> set[str]:
    return {rival.misconception for part in range(len(drill.keys)) for rival in drill.rivals(part) if rival.misconception}

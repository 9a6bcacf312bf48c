"""Who uses what: a formula's cells and lessons, the questions that a misconception is met in."""

from __future__ import annotations

from functools import cache
from typing import Final

from ...reasoning.catalogue import formula as formula_named
from ...teaching.drills import QUESTIONS, Drill, pose
from ...teaching.drills.counting import works
from ...teaching.lessons import OURS
from ...teaching.lessons.blocks import Derive, Lesson, Work

_SEEDS: Final = (1, 2, 3)
"""Variants looked at: a wrong thought has no answer of its own in every variant, and each is met in one of these."""


def formulas_of(lesson: Lesson) -> list[str]:
    """The formulas that a lesson derives or works, in its order."""
    return list(dict.fromkeys(block.formula for block in lesson.blocks if isinstance(block, Derive | Work)))


def lessons_with(formula: str) -> list[Lesson]:
    """The lessons that derive or work a formula."""
    return [lesson for lesson in OURS.values() if formula in formulas_of(lesson)]


@cache
def _drills() -> tuple[Drill, ...]:
    return tuple(pose(question, seed) for question in QUESTIONS.values() for seed in _SEEDS)


@cache
def questions_with() -> dict[str, list[str]]:
    """The questions whose numbers a formula gives, by formula."""
    found: dict[str, dict[str, None]] = {}
    for drill in _drills():
        named = {worked.formula.id for worked, _ in works(drill)}
        if asked := getattr(drill.question, "formula", None):
            named.add(formula_named(asked).id)
        for name in named:
            found.setdefault(name, {})[drill.question.id] = None
    return {name: list(questions) for name, questions in found.items()}


@cache
def questions_meeting() -> dict[str, list[str]]:
    """The questions in which a wrong answer is diagnosed as a misconception, by misconception."""
    found: dict[str, dict[str, None]] = {}
    for drill in _drills():
        for part in range(len(drill.keys)):
            for rival in drill.rivals(part):
                if rival.misconception:
                    found.setdefault(rival.misconception, {})[drill.question.id] = None
    return {name: list(questions) for name, questions in found.items()}

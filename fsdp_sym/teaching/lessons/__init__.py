"""The lessons, found by walking this package, in the order they are read."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from itertools import combinations
from types import MappingProxyType
from typing import Final

from ...reasoning.catalogue import find
from ...scenarios.cells import READING_PATH
from .blocks import Lesson


def _place(lesson: Lesson) -> tuple[int, str]:
    """Start here, then the cells along the reading path, then what belongs to no cell."""
    if lesson.id == "start-here":
        return (0, "")
    return (1 + READING_PATH.index(lesson.cell), "") if lesson.cell in READING_PATH else (99, lesson.id)


def in_order(found: Iterable[Lesson]) -> dict[str, Lesson]:
    """Lessons by id, in the order they are read.

    Raises
    ------
    ValueError
        Naming two lessons that teach one cell or have one id: the map and the forecasts know one lesson for each.
    """
    lessons = sorted(found, key=_place)
    for one, other in combinations(lessons, 2):
        if one.id == other.id or (one.cell and one.cell == other.cell):
            what = f"teach cell {one.cell}" if one.cell else "have one id"
            raise ValueError(f"lessons {one.id} ({one.title}) and {other.id} ({other.title}) both {what}: keep one")
    return {lesson.id: lesson for lesson in lessons}


LESSONS: Final[dict[str, Lesson]] = in_order(find(sys.modules[__name__], Lesson))
OURS: Final[Mapping[str, Lesson]] = MappingProxyType(dict(LESSONS))
"""The lessons of this package; a course that is opened adds its own to `LESSONS` alone."""

"""The lessons, found by walking this package, in the order they are read."""

from __future__ import annotations

import sys
from typing import Final

from ...reasoning.catalogue import find
from ...scenarios.cells import READING_PATH
from .blocks import Lesson


def _place(lesson: Lesson) -> tuple[int, str]:
    """Start here, then the cells along the reading path, then what belongs to no cell."""
    if lesson.id == "start-here":
        return (0, "")
    return (1 + READING_PATH.index(lesson.cell), "") if lesson.cell in READING_PATH else (99, lesson.id)


LESSONS: Final[dict[str, Lesson]] = {lesson.id: lesson for lesson in sorted(find(sys.modules[__name__], Lesson), key=_place)}

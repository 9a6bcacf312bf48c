"""The questions, found by walking this package: a file or two a cell.

Values look real: models, device sizes, links and rank counts that people use.
"""

from __future__ import annotations

import sys
from typing import Final

from ....algebra.errors import UnknownName
from ....reasoning.catalogue import find
from ..form import Question

QUESTIONS: Final[dict[str, Question]] = {q.id: q for q in find(sys.modules[__name__], Question)}  # type: ignore[type-abstract]


def question_named(name: str) -> Question:
    """The question with this id.

    Raises
    ------
    UnknownName
        With the nearest ids.
    """
    if name not in QUESTIONS:
        raise UnknownName("question", name, QUESTIONS, "fsdp-sym list questions shows them all")
    return QUESTIONS[name]

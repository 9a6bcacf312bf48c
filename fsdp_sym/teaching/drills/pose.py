"""Drawing a variant: pure, seeded, and accepted only where its wrong answers can be told apart."""

from __future__ import annotations

import random
from typing import Final

from ...algebra.errors import FsdpSymError
from .form import Drill, Question, Variant
from .questions import question_named

_TRIES: Final = 2000


def pose(question: Question, seed: int) -> Drill:
    """The variant of a question that belongs to a seed.

    Deterministic from the question's id and the seed: nothing but ``random.Random(text).random()`` is drawn, which is the
    same in every process and every version of Python.

    Raises
    ------
    FsdpSymError
        Where no acceptable variant turns up in 2,000 tries: the question's values are too few.
    """
    uniform = random.Random(f"{question.id}:{seed}").random
    for _ in range(_TRIES):
        variant = question.draw(uniform)
        if variant is not None:
            return _drill(question, variant)
    raise FsdpSymError(f"{question.id} has no variant that tells its wrong answers apart: give its letters more values")


def restore(variant: Variant) -> Drill:
    """The drill of a variant that was drawn before; nothing is drawn again, and nothing about rivals is asked.

    Raises
    ------
    FsdpSymError
        Where the variant's question is not known here, or its values are not ones that the question can have.
    """
    question = question_named(variant.question)
    try:
        return _drill(question, variant)
    except (KeyError, ValueError, IndexError, ArithmeticError) as error:
        raise FsdpSymError(f"{variant.question} cannot be made again from {dict(variant.drawn)}: {error!r}") from None


def _drill(question: Question, variant: Variant) -> Drill:
    return Drill(question, variant, question.posed(variant), question.keys(variant))

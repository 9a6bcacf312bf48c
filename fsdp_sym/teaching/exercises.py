"""What a practice notebook holds: the questions of a cell at fixed numbers, and one answer that goes wrong in a known way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ..scenarios.cells import READING_PATH
from .drills import QUESTIONS, Drill, Question, pose
from .drills.counting import works
from .practice import interleaved

MOST: Final = 12
_TRIED: Final = 20


@dataclass(frozen=True)
class Wrong:
    """A misconception that the worked edition has once, in the answer to a question of one part."""

    question: str
    misconception: str


WRONG: Final = {
    "A": Wrong("A-shard", "nothing-sharded"),
    "B": Wrong("B-shard-mixed", "forgot-the-master-copy"),
    "C": Wrong("C-all-layers", "activations-sharded-too"),
    "D": Wrong("D-layer", "forgot-the-second-gather"),
    "E": Wrong("E-slowdown", "share-of-the-step"),
    "F": Wrong("F-all-gather-time", "bits-taken-for-bytes"),
    "G": Wrong("G-stage-2", "next-lower-stage"),
    "H": Wrong("H-shard-group", "world-for-shard-group"),
    "I": Wrong("I-distributed", "all-of-it-divided"),
}


@dataclass(frozen=True)
class Exercise:
    """One question of a practice notebook.

    Attributes
    ----------
    name : str
        What the notebook calls it, such as ``q3``.
    seed : int
    drill : Drill
    wrong : str or None
        The misconception of a wrong answer that the worked edition shows first.
    """

    name: str
    seed: int
    drill: Drill
    wrong: str | None


def practised() -> tuple[str, ...]:
    """The cells that have questions, in reading order."""
    return tuple(cell for cell in READING_PATH if any(question.cell == cell for question in QUESTIONS.values()))


def practice_name(cell: str) -> str:
    """What a cell's practice notebook is called."""
    return f"{cell}-practice"


def exercises(cell: str) -> tuple[Exercise, ...]:
    """Questions of a cell, at most twelve, every kind among them and taking turns."""
    names = interleaved(cell)[:MOST]
    wrong = WRONG.get(cell)
    if wrong and wrong.question not in names:
        names[-1] = wrong.question  # the last of twelve is not the only one of its kind
    found = []
    for at, name in enumerate(names, 1):
        seed = _seed(QUESTIONS[name])
        shown = wrong.misconception if wrong and wrong.question == name else None
        found.append(Exercise(f"q{at}", seed, pose(QUESTIONS[name], seed), shown))
    return tuple(found)


def _seed(question: Question) -> int:
    """The first at which the formulas' assumptions hold: where a shard is padded, say, the worked line is longer than what it teaches."""
    fitting = (seed for seed in range(1, _TRIED + 1) if not any(work.violated for work, _ in works(pose(question, seed))))
    return next(fitting, 1)

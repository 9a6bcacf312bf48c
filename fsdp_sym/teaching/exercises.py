"""What a practice notebook holds: the questions of a cell at fixed numbers, and one answer that goes wrong in a known way."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Final

from ..algebra.errors import FsdpSymError
from ..algebra.units import Amount, to_exact
from ..scenarios.cells import READING_PATH
from .drills import QUESTIONS, Drill, Question, pose
from .drills.counting import works
from .drills.faded import Faded
from .drills.wrong_line import WrongLine
from .practice import interleaved

MOST: Final = 12
_TRIED: Final = 12


@dataclass(frozen=True)
class Wrong:
    """A misconception that a worked edition has once, in the answer to a question of one part."""

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
    "J": Wrong("J-gathers", "root-group-gathered-twice"),
    "K": Wrong("K-step", "temporaries-not-counted"),
    "L": Wrong("L-scores", "scores-of-a-single-head"),
    "M": Wrong("M-carried", "padding-stays-at-home"),
    "N": Wrong("N-mesh", "all-degrees-divide-everything"),
    "O": Wrong("O-estimate-3", "largest-layer-left-out"),
    "P": Wrong("P-ring-reduce", "latency-forgotten"),
    "Q": Wrong("Q-mfu", "the-sparse-peak"),
    "R": Wrong("R-bubble-total", "ideal-time-for-the-total"),
    "S": Wrong("S-step", "no-bubble-in-the-plan"),
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
    """Questions of a cell, at most twelve, every kind among them and taking turns.

    Raises
    ------
    FsdpSymError
        Where the wrong answer to be shown is not a wrong answer there.
    """
    names = interleaved(cell)[:MOST]
    wrong = WRONG.get(cell)
    if wrong and wrong.question not in names:
        names[-1] = wrong.question  # the last of twelve is not the only one of its kind
    found = []
    for at, name in enumerate(names, 1):
        seed = _seed(QUESTIONS[name])
        drill = pose(QUESTIONS[name], seed)
        shown = wrong.misconception if wrong and wrong.question == name else None
        if shown and not any((rival.misconception, rival.slip) == (shown, None) for rival in drill.rivals()):
            raise FsdpSymError(f"{shown} leads to no wrong answer to {name}, number {seed}: name another in WRONG")
        found.append(Exercise(f"q{at}", seed, drill, shown))
    return tuple(found)


@cache
def _seed(question: Question) -> int:
    """Where most wrong thoughts lead to a wrong answer, and then where the formulas' assumptions hold and the worked line is short."""

    def worth(seed: int) -> tuple[bool, int, bool, int]:
        drill = pose(question, seed)
        thoughts = {rival.misconception for at in range(len(drill.keys)) for rival in drill.rivals(at) if not rival.slip}
        return _is_whole(drill), len(thoughts), not any(work.violated for work, _ in works(drill)), -seed

    return max(range(1, _TRIED + 1), key=worth)


def _is_whole(drill: Drill) -> bool:
    """Whether nothing is padded where a worked example, whose lines leave padding out, comes to its results."""
    if not isinstance(drill.question, Faded | WrongLine):
        return True
    shown = [to_exact(key) for key in drill.keys if isinstance(key, Fraction)]
    held = [work.value.value for work, _ in works(drill) if isinstance(work.value, Amount)]
    return shown == held[: len(shown)]

"""Which of several thoughts was it? A question after an answer that more than one of them leads to.

Where a question can never tell two thoughts apart, no number can; the student can. `follow_up` asks, key-free like any
posed question, and `resolve` reads what was said.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import Final

from ..answers import Invalid, NotAnswered, Read, read
from ..misconceptions import MISCONCEPTIONS
from .diagnose import told
from .form import Drill, Judgement, Part, Posed, Rival
from .givens import shuffled
from .lettered import LETTERED, letter_choice, lettered

_SLIPPED: Final = "My thought was right, and I slipped in the unit."
_NONE: Final = "None of these."


@dataclass(frozen=True)
class FollowUp:
    """A question about a wrong answer.

    Attributes
    ----------
    posed : Posed
        Lettered thoughts, the last of them "none of these".
    part : int
        Which part of the answer it is about.
    """

    posed: Posed
    part: int
    _judged: Judgement
    _thoughts: tuple[Rival, ...]
    _none: str

    def resolve(self, text: object) -> Judgement:
        """The judgement again, once it is said which thought was behind it.

        Parameters
        ----------
        text : object
            A letter, as it was typed.

        Returns
        -------
        Judgement
            Wrong as before, with the one thought as its diagnosis and what is to be said of it; ``invalid`` or
            ``not answered`` where the text names none of the letters.
        """
        match read(text, self.posed.parts[0].expects):
            case NotAnswered():
                return Judgement("not answered", "", says=("Nothing was typed.",))
            case Invalid(message, _, _):
                return Judgement("invalid", "", says=(message,))
            case Read(letter, _):
                at = LETTERED.index(str(letter))
        elsewhere = frozenset().union(*(j.diagnosis for n, j in enumerate(self._judged.parts) if n != self.part))
        if at == len(self._thoughts):
            return replace(self._judged, diagnosis=elsewhere, says=(self._none,))
        thought = self._thoughts[at]
        named = {name for name in (thought.misconception, thought.slip) if name}
        return replace(self._judged, diagnosis=elsewhere | named, says=(told(thought),))


def follow_up(drill: Drill, judged: Judgement) -> FollowUp | None:
    """The question that tells apart the thoughts which lead to a wrong answer, where there is more than one.

    Parameters
    ----------
    drill : Drill
    judged : Judgement
        Of an answer to it. Of several parts, the first that more than one thought leads to is asked about.

    Returns
    -------
    FollowUp or None
        None where one thought alone leads to the answer, or none that is known.
    """
    for at, part in enumerate(judged.parts or (judged,)):
        if len(thoughts := _thoughts(drill, at, part)) > 1:
            none = f"Then compare yours with this: {drill.question.hints(drill.variant)[1]}"
            return FollowUp(_posed(drill, at, thoughts), at, judged, thoughts, none)
    return None


def _thoughts(drill: Drill, part: int, judged: Judgement) -> tuple[Rival, ...]:
    """The thoughts that a judgement tells of, in a drawn order that is the same for the same variant."""
    said = {told(rival): rival for rival in drill.rivals(part)}
    found = sorted((said[line] for line in judged.says if line in said), key=lambda r: (r.misconception or "", r.slip or ""))
    return tuple(shuffled(found, random.Random(f"follow-up:{drill.variant}").random))


def _posed(drill: Drill, part: int, thoughts: tuple[Rival, ...]) -> Posed:
    said = [MISCONCEPTIONS[r.misconception].thinks if r.misconception else _SLIPPED for r in thoughts]
    letters = tuple(LETTERED[: len(said) + 1])
    label = drill.posed.parts[part].label
    prompt = f"More than one thought leads to your answer{f' to part {label}' if label else ''}. Which of these was yours?"
    asked = Part("", f"Give its letter, {letters[0]} to {letters[-1]}.", letter_choice(len(letters)))
    lines = lettered((*said, _NONE))
    return Posed(drill.posed.question, drill.posed.cell, drill.posed.kind, prompt, lines, (), (asked,))

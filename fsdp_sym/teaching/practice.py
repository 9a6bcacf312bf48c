"""Practice: a question, an answer that is judged, hints, the worked answer; in a notebook or at a terminal."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from ..algebra.errors import FsdpSymError, UnknownName
from ..scenarios.cells import CELLS, READING_PATH
from .cards import KINDS_SAID, Block, Card, judgement_card, question_card, solution_card
from .drills import QUESTIONS, Judgement, Posed, Question, diagnose, pose, question_named
from .drills.follow_up import FollowUp, follow_up
from .progress import Attempt, Kept, Progress

_FIRST: Final = "Try an answer of your own first: a wrong one is the best start."
_COUNTS: Final = ("right", "wrong", "close")


class Practice:
    """One posed question in a student's hands, shown as what is asked.

    ``answer`` judges, ``hint`` helps, ``solution`` shows the worked answer, and ``follow_up`` asks which of several
    thoughts was behind an answer.
    """

    def __init__(self, question: Question, seed: int, folder: Path | None) -> None:
        self.question = question.id
        self.cell = question.cell
        self.seed = seed
        self._drill = pose(question, seed)
        self._kept = Kept(folder)
        self._hints = 0
        self._answered = ""

    @property
    def posed(self) -> Posed:
        """What is asked, without its key."""
        return self._drill.posed

    @property
    def tried(self) -> bool:
        """Whether an answer was given: it opens the worked answer."""
        return bool(self._attempts)

    @property
    def name(self) -> str:
        return f"{self.question}, number {self.seed}"

    @property
    def card(self) -> Card:
        """The question as it is shown."""
        return question_card(self.posed, self._headline)

    def answer(self, *texts: object) -> Card:
        """What is said of an answer, which is kept: a text for each part, or one text with semicolons."""
        return self.told(self.judge(*texts))

    def judge(self, *texts: object) -> Judgement:
        """Judge an answer and keep it; the same text twice counts once, and what cannot be read costs nothing."""
        judged = diagnose(self._drill, *texts)
        verdicts = [part.verdict for part in judged.parts or (judged,)]
        if "invalid" not in verdicts and any(verdict in _COUNTS for verdict in verdicts):
            self._answered = "; ".join(str(text) for text in texts)
            attempt = Attempt(self.question, self.seed, self._answered, judged.verdict, tuple(sorted(judged.diagnosis)))
            self._kept.keep(self._kept.progress.with_attempt(attempt))
        return judged

    def told(self, judged: Judgement, say: str = '.follow_up().answer("a")') -> Card:
        """A judgement as it is shown. Where several thoughts lead to the answer, it is asked which was there, before any is spoken to.

        `say` is how the student says which.
        """
        if judged.verdict == "not answered" and not judged.earned:
            return judgement_card(Judgement("not answered", "", says=(_how(self.posed),)))
        asked = follow_up(self._drill, judged)
        if asked is None:
            return judgement_card(judged)
        choices: list[Block] = [("choices", line) for line in asked.posed.lines]
        which: Block = ("say", asked.posed.prompt)
        return judgement_card(_without_what_it_says(judged, asked), (which, *choices, ("quiet", f"Say it with {say}")))

    def hint(self, number: int | None = None) -> Card:
        """The next hint, or one by its number; the third, which is the worked answer, comes after a first attempt."""
        if number not in (None, 1, 2, 3):
            raise FsdpSymError(f"there are three hints, and {number!r} is none of them: ask for 1, 2 or 3")
        at = number or min(self._hints + 1, 3)
        if at == 3 and not self.tried:
            return Card("Hint 3 of 3 is the worked answer", (("say", _FIRST),))
        self._hints = at
        return Card(f"Hint {at} of 3", (("say", self._drill.question.hints(self._drill.variant)[at - 1]),))

    def solution(self) -> Card:
        """The worked answer, after a first attempt."""
        if not self.tried:
            return Card("The worked answer comes after your own", (("say", _FIRST),))
        return solution_card(self._drill.question.solution(self._drill.variant))

    def follow_up(self) -> Thought | NothingToAsk:
        """Ask which of several thoughts was behind the last answer; a card that says so where there is nothing to ask."""
        if not self.tried:
            return NothingToAsk("Nothing to ask yet", (("say", _FIRST),))
        attempt = next((a for a in self._attempts if a.text == self._answered), self._attempts[-1])
        asked = follow_up(self._drill, diagnose(self._drill, attempt.text))
        if asked is None:
            return NothingToAsk("Nothing to ask", (("say", "No two known thoughts lead to your last answer."),))
        return Thought(asked, attempt, self._kept)

    @property
    def _attempts(self) -> list[Attempt]:
        return self._kept.progress.of(self.question, self.seed)

    @property
    def _headline(self) -> str:
        return f"{self.name}: {KINDS_SAID[self.posed.kind]}"

    def __repr__(self) -> str:
        return self.card.text

    def _repr_html_(self) -> str:
        return self.card._repr_html_()


class NothingToAsk(Card):
    """What stands in a follow-up's place where there is none; whatever is answered, it says so again."""

    def answer(self, text: object) -> NothingToAsk:
        return self


@dataclass(frozen=True)
class Thought:
    """A follow-up question in a student's hands: which of these thoughts was yours? The answer is kept as the diagnosis."""

    asked: FollowUp
    attempt: Attempt
    kept: Kept

    def answer(self, text: object) -> Card:
        """What is to be said of the thought that was named."""
        judged = self.asked.resolve(text)
        if judged.verdict in ("invalid", "not answered"):
            return judgement_card(judged)
        answered = self.attempt
        self.kept.keep(self.kept.progress.resolved(answered.question, answered.seed, answered.text, judged.diagnosis))
        return Card("Then this is the point", tuple(("say", line) for line in judged.says), judged.verdict)

    @property
    def card(self) -> Card:
        return question_card(self.asked.posed, "Which thought was it?")

    def __repr__(self) -> str:
        return self.card.text

    def _repr_html_(self) -> str:
        return self.card._repr_html_()


def _how(posed: Posed) -> str:
    """How to answer, for somebody who ran the cell as it was."""
    if len(posed.parts) == 1:
        return f"Put your answer between the quotes. {posed.parts[0].ask}"
    return f"Put your answers between the quotes, one for each of the {len(posed.parts)} parts."


def _without_what_it_says(judged: Judgement, asked: FollowUp) -> Judgement:
    """A judgement whose one part, which is asked about, says nothing yet."""
    if not judged.parts:
        return replace(judged, says=())
    return replace(judged, parts=tuple(replace(j, says=()) if at == asked.part else j for at, j in enumerate(judged.parts)))


def practice(cell: str | None = None, seed: int | None = None, *, question: str | None = None, folder: str | Path | None = ".") -> Practice:
    """Draw a question.

    Parameters
    ----------
    cell : str, optional
        A cell's letter; by default questions of all cells are interleaved along the reading path.
    seed : int, optional
        The variant. Without one, a missed question that has rested comes back with new numbers, else the least tried is drawn.
    question : str, optional
        A question's id, for one in particular.
    folder : path or None
        Where the progress file lives; None keeps nothing.

    Raises
    ------
    FsdpSymError
        For an unknown cell or question, a seed that is no whole number, or a progress file that cannot be read.
    """
    if cell is not None and cell not in CELLS:
        raise UnknownName("cell", str(cell), CELLS, f"the cells are {', '.join(CELLS)}")
    if seed is not None and type(seed) is not int:
        raise FsdpSymError(f"a seed is a whole number, and {seed!r} is not: write practice('D', seed=3)")
    home = None if folder is None else Path(folder)
    ids = [question_named(question).id] if question is not None else interleaved(cell)
    if not ids:
        raise FsdpSymError(f"cell {cell} has no questions yet: choose another cell")
    if seed is not None:
        return Practice(QUESTIONS[ids[seed % len(ids)]], seed, home)
    chosen, number = next_of(ids, Kept(home).progress)
    return Practice(QUESTIONS[chosen], number, home)


def next_of(ids: list[str], progress: Progress) -> tuple[str, int]:
    """Of these questions the one to put next, and its seed: what was missed and has rested, else the least tried."""
    due = progress.due()
    chosen = due if due in ids else progress.least_tried(ids)
    return chosen, progress.next_seed(chosen)


def interleaved(cell: str | None = None) -> list[str]:
    """The questions' ids, of one cell or of a cell after the other along the reading path, and as far as possible no kind twice running."""
    cells = [cell] if cell is not None else list(dict.fromkeys((*READING_PATH, *(q.cell for q in QUESTIONS.values()))))
    waiting = {c: [q for q in QUESTIONS.values() if q.cell == c] for c in cells}
    found: list[Question] = []
    while any(waiting.values()):
        for mine in filter(None, waiting.values()):
            recent = [q.kind for q in reversed(found)]
            # The kind that was met longest ago, or never.
            chosen = max(mine, key=lambda q: recent.index(q.kind) if q.kind in recent else len(recent))
            mine.remove(chosen)
            found.append(chosen)
    return [q.id for q in found]

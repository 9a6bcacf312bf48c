"""Practice in a notebook: draw a question, answer it, be told what went wrong, take a hint, see it worked."""

from __future__ import annotations

from html import escape
from pathlib import Path

from ..algebra.errors import FsdpSymError, UnknownName
from ..scenarios.cells import CELLS, READING_PATH
from . import progress as kept
from .drills import QUESTIONS, Drill, Judgement, Question, diagnose, pose
from .drills.worked import hints, solution

_BY_ID = {question.id: question for question in QUESTIONS}


class Practice:
    """One posed question in a student's hands.

    Shown in a notebook as the question; ``answer``, ``hint`` and ``solution`` do what they say.
    """

    def __init__(self, question: Question, seed: int, folder: Path) -> None:
        self._question = question
        self._drill: Drill = pose(question, seed)
        self._folder = folder
        self._hints = 0

    @property
    def question(self) -> str:
        return self._question.id

    @property
    def cell(self) -> str:
        return self._question.cell

    @property
    def seed(self) -> int:
        return self._drill.posed.seed

    @property
    def prompt(self) -> str:
        return self._drill.posed.prompt

    @property
    def givens(self) -> tuple[tuple[str, str], ...]:
        return self._drill.posed.givens

    @property
    def name(self) -> str:
        return f"{self.question}, number {self.seed}"

    def answer(self, text: object) -> Said:
        """What is said of an answer, which is kept: see `judge`."""
        return self.told(self.judge(text))

    def told(self, judged: Judgement) -> Said:
        """A judgement in words."""
        return Said(_lines(judged))

    def judge(self, text: object) -> Judgement:
        """Judge an answer and keep it in the progress file; the same text twice counts once, and an invalid one not at all."""
        judged = diagnose(self._drill, text)
        if judged.verdict not in ("invalid", "not answered"):
            thoughts = tuple(sorted(judged.diagnosis))
            attempt = kept.Attempt(self._question.id, self._drill.posed.seed, str(text)[:200], judged.verdict, thoughts)
            before = kept.load(self._folder)
            after = before.with_attempt(attempt)
            if after is not before:
                kept.save(self._folder, after)
        return judged

    def hint(self) -> Said:
        """The next hint; the last of the three, the worked line, comes after a first attempt."""
        if self._hints == 2 and not kept.load(self._folder).tries(self._question.id, self._drill.posed.seed):
            return Said(("The last hint is the worked answer: try one of your own first.",))
        self._hints = min(self._hints + 1, 3)
        return Said((f"Hint {self._hints} of 3: {hints(self._question, self._drill.posed)[self._hints - 1]}",))

    def solution(self) -> Said:
        """The worked answer, after a first attempt."""
        if not kept.load(self._folder).tries(self._question.id, self._drill.posed.seed):
            return Said(("Try an answer of your own first; a wrong one is the best start.",))
        return Said((solution(self._question, self._drill.posed),))

    def __repr__(self) -> str:
        return f"{self.name}\n{self._drill.posed.prompt}"

    def _repr_html_(self) -> str:
        return f"<p><b>{escape(self.name)}</b></p><p>{escape(self._drill.posed.prompt)}</p>"


class Said:
    """Lines of feedback: plain in a terminal, escaped in a notebook."""

    def __init__(self, lines: tuple[str, ...]) -> None:
        self.lines = lines

    def __repr__(self) -> str:
        return "\n".join(self.lines)

    def _repr_html_(self) -> str:
        return "".join(f"<pre>{escape(line)}</pre>" if "\n" in line else f"<p>{escape(line)}</p>" for line in self.lines)


def _lines(judged: Judgement) -> tuple[str, ...]:
    read = (f"Read as: {judged.echo}.",) if judged.echo else ()
    more = ("This number comes from more than one thought; which was yours?",) if judged.verdict == "wrong" and len(judged.says) > 1 else ()
    return read + judged.says + more


def practice(cell: str | None = None, seed: int | None = None, *, question: str | None = None, folder: str | Path = ".") -> Practice:
    """Draw a question.

    Parameters
    ----------
    cell : str, optional
        A cell's letter; by default questions of all cells are interleaved along the reading path.
    seed : int, optional
        The variant. Without one, a missed question that has rested comes back with new numbers, else the least tried is drawn.
    question : str, optional
        A question's id, for one in particular.
    folder : path
        Where the progress file lives.

    Raises
    ------
    FsdpSymError
        For an unknown cell or question, a seed that is no whole number, or a progress file that cannot be read.
    """
    if cell is not None and cell not in CELLS:
        raise UnknownName("cell", str(cell), CELLS, f"the cells are {', '.join(CELLS)}")
    if question is not None and question not in _BY_ID:
        raise UnknownName("question", str(question), _BY_ID)
    if seed is not None and type(seed) is not int:
        raise FsdpSymError(f"a seed is a whole number, and {seed!r} is not: write practice('D', seed=3)")
    home = Path(folder)
    ids = [question] if question else _interleaved(cell)
    if seed is not None:
        return Practice(_BY_ID[ids[seed % len(ids)]], seed, home)
    progress = kept.load(home)
    due = progress.due()
    chosen = due if due in ids else progress.least_tried(ids)
    return Practice(_BY_ID[chosen], progress.next_seed(chosen), home)


def _interleaved(cell: str | None) -> list[str]:
    """The questions' ids: of one cell, or a question of each cell in turn along the reading path."""
    if cell is not None:
        return [q.id for q in QUESTIONS if q.cell == cell]
    columns = [[q.id for q in QUESTIONS if q.cell == c] for c in READING_PATH]
    longest = max(map(len, columns))
    return [column[row] for row in range(longest) for column in columns if row < len(column)]

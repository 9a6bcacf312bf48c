"""What the practice page asks of Python, and the answers as plain data.

It runs in the browser, and does what `practice` does in a notebook: the same drills, the same cards, the same progress. A
text in a card is a text; it is the page that shows it, and never as anything else.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from ...algebra.errors import FsdpSymError
from ...algebra.printing import to_text
from ...algebra.vocabulary import letter, symbol_named
from ...teaching.answers import Choice
from ...teaching.cards import KINDS_SAID, VERDICTS_SAID, Block, Card
from ...teaching.drills import QUESTIONS, Judgement, Part
from ...teaching.forecast import keep, reveal_text, truth
from ...teaching.lessons import OURS
from ...teaching.lessons.words import filled
from ...teaching.practice import Practice, Thought, interleaved, next_of
from ...teaching.progress import FILE, Kept, Progress, save

Data = dict[str, Any]
_PLAN: Final = "plan"  # a name, which the question spells out


class Desk:
    """One reader at the page.

    Parameters
    ----------
    folder : Path
        Where progress is kept. In a browser it ends with the page, which therefore keeps the text of the file itself.
    """

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._practice: Practice | None = None
        self._thought: Thought | None = None
        self.asks: Final[dict[str, Callable[..., Data]]] = {
            ask.__name__: ask
            for ask in (
                self.restore, self.forget, self.draw, self.another, self.numbered,
                self.answer, self.thought, self.hint, self.solution, self.forecast, self.guess,
            )
        }  # fmt: skip

    def run(self, name: str, arguments: str) -> str:
        """Do what is asked, its arguments and its answer in JSON; whatever fails comes back as one line."""
        try:
            return json.dumps(self.asks[name](*map(_well_formed, json.loads(arguments))), ensure_ascii=False)
        except FsdpSymError as error:
            return json.dumps({"refused": str(error)}, ensure_ascii=False)
        except Exception as error:  # the page's only door: a fault of ours comes back as a line that names it, like any other
            fault = " ".join(f"{type(error).__name__}: {error}".split())[:120]
            return json.dumps({"refused": f"{name[:40]!r} failed ({fault}): load the page again"})

    def restore(self, text: str) -> Data:
        """Take up the progress of an earlier visit; what cannot be read is left out of this one and said."""
        if text:
            (self._folder / FILE).write_text(text, encoding="utf-8")
        try:
            save(self._folder, self._kept)  # as this program writes it
            return self._progress()
        except (FsdpSymError, UnicodeError):
            (self._folder / FILE).unlink()
            return self._progress() | {"lost": True}

    def forget(self) -> Data:
        """Begin anew."""
        save(self._folder, Progress())
        return self._progress()

    def draw(self, cell: str | None) -> Data:
        """A question of a cell, or of all cells in turn; another one than the last where there is another."""
        names = interleaved(cell)
        at = names.index(self._practice.question) if self._practice and self._practice.question in names else -1
        others = [*names[at + 1 :], *names[: max(at, 0)]] or names
        return self.numbered(*next_of(others, self._kept))

    def another(self) -> Data:
        """The same question with other numbers."""
        practice = self._current
        return self.numbered(practice.question, practice.seed + 1)

    def numbered(self, question: str, seed: int) -> Data:
        """One variant of a question."""
        self._practice, self._thought = Practice(QUESTIONS[question], seed, self._folder), None
        posed = self._practice.posed
        parts = [{"label": part.label, "ask": part.ask, "options": list(_options(part))} for part in posed.parts]
        return {
            "name": self._practice.name, "question": posed.question, "cell": posed.cell, "kind": KINDS_SAID[posed.kind],
            "prompt": posed.prompt, "lines": list(posed.lines), "parts": parts,
            "givens": [_given(name, value) for name, value in posed.givens if name != _PLAN],
        }  # fmt: skip

    def answer(self, *texts: str) -> Data:
        """Judge an answer: its card, whether the worked answer is open now, and the letters of the thoughts that are asked about."""
        practice = self._current
        judged = practice.judge(*texts)
        unread = any(part.verdict == "invalid" for part in judged.parts or (judged,))
        asked = None if unread or judged.verdict == "not answered" else practice.follow_up()
        self._thought = asked if isinstance(asked, Thought) else None
        letters = list(_options(self._thought.asked.posed.parts[0])) if self._thought else []
        which = "a letter below." if letters else "a letter, once all is read."
        card = _nothing(practice) if _is_empty(judged) else practice.told(judged, which)
        return {"verdict": judged.verdict, "card": card_data(card), "letters": letters, "tried": practice.tried} | self._progress()

    def thought(self, letter: str) -> Data:
        """What is to be said of the thought that was named."""
        if self._thought is None:
            raise FsdpSymError("no thought is asked about: answer the question first")
        return {"card": card_data(self._thought.answer(letter))} | self._progress()

    def hint(self, number: int) -> Data:
        """One of the three hints."""
        return {"card": card_data(self._current.hint(number))}

    def solution(self) -> Data:
        """The worked answer, after an attempt."""
        return {"card": card_data(self._current.solution())}

    def forecast(self, cell: str) -> Data:
        """What is to be forecast in a cell; nothing where it has no forecast."""
        lesson = next(lesson for lesson in OURS.values() if lesson.cell == cell)
        if (ask := lesson.forecast) is None:
            return {}
        return {"prompt": _in_plain_text(filled(lesson, ask.question)), "example": ask.example, "options": list(ask.options)}

    def guess(self, cell: str, text: str) -> Data:
        """Keep a guess and show it beside the truth; one that cannot be read is explained."""
        if not text.strip():
            return {"kept": False, "said": "Nothing was typed: make a guess, or go on without one.", "truth": ""}
        kept, said = keep(cell, text)
        return {"kept": kept, "said": said, "truth": reveal_text(cell, truth(cell).value) if kept else ""}

    @property
    def _current(self) -> Practice:
        if self._practice is None:
            raise FsdpSymError("no question is drawn yet: draw one first")
        return self._practice

    @property
    def _kept(self) -> Progress:
        return Kept(self._folder).progress

    def _progress(self) -> Data:
        """The table of what was tried, and the text of the file for the page to keep."""
        kept, file = self._kept, self._folder / FILE
        if not file.exists():
            save(self._folder, kept)
        return {"table": kept.table(), "due": kept.due() or "", "file": file.read_text(encoding="utf-8")}


def _well_formed(given: Any) -> Any:
    """A browser's text may hold half of a character, which no file can keep."""
    return given.encode("utf-8", "replace").decode("utf-8") if isinstance(given, str) else given


def card_data(card: Card) -> Data:
    """A card as plain data."""
    blocks = [{"style": style, "text": text} for style, text in card.blocks]
    return {"head": card.head, "verdict": card.verdict, "blocks": blocks, "parts": [card_data(part) for part in card.parts]}


def _is_empty(judged: Judgement) -> bool:
    return judged.verdict == "not answered" and not judged.earned


def _nothing(practice: Practice) -> Card:
    asks: tuple[Block, ...] = tuple(("say", f"({part.label}) {part.ask}" if part.label else part.ask) for part in practice.posed.parts)
    return Card(VERDICTS_SAID["not answered"], asks, "not answered")


def _given(name: str, value: str) -> list[str]:
    """A letter as the question writes it, its value, and what it is."""
    symbol = symbol_named(name)
    return [to_text(symbol), value, letter(symbol).says]


def _options(part: Part) -> tuple[str, ...]:
    return part.expects.options if isinstance(part.expects, Choice) else ()


def _in_plain_text(markdown: str) -> str:
    """A lesson's sentence without its stars, its letters as they are."""
    return re.sub(r"\\times\b", "×", re.sub(r"[*$]", "", markdown))

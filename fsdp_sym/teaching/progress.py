"""What a student has tried, in one small file of their own: readable, deletable, never half-written."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Final

from ..algebra.errors import FsdpSymError
from .safely import write_whole

FILE: Final = "fsdp_sym-progress.json"
_MOST_BYTES: Final = 8 * 2**20
_GAP: Final = 3  # other answers before a missed question comes back


@dataclass(frozen=True)
class Attempt:
    """One answer to one variant, the texts of several parts with a semicolon between them."""

    question: str
    seed: int
    text: str
    verdict: str
    diagnosis: tuple[str, ...] = ()


@dataclass(frozen=True)
class Progress:
    """The attempts in the order in which they were made."""

    attempts: tuple[Attempt, ...] = ()

    def of(self, question: str, seed: int) -> list[Attempt]:
        """The attempts at one variant."""
        return [a for a in self.attempts if (a.question, a.seed) == (question, seed)]

    def with_attempt(self, attempt: Attempt) -> Progress:
        """The progress after an attempt; a text that this variant had before is no new attempt."""
        known = attempt.text in [a.text for a in self.of(attempt.question, attempt.seed)]
        return self if known else Progress((*self.attempts, attempt))

    def resolved(self, question: str, seed: int, text: str, diagnosis: Iterable[str]) -> Progress:
        """The progress once it is known which thought was behind an answer."""
        named, found = (question, seed, text), tuple(sorted(diagnosis))
        return Progress(tuple(replace(a, diagnosis=found) if (a.question, a.seed, a.text) == named else a for a in self.attempts))

    def due(self) -> str | None:
        """The question missed longest ago that has rested for three other answers."""
        last: dict[str, tuple[int, str]] = {a.question: (at, a.verdict) for at, a in enumerate(self.attempts)}
        missed = [(at, q) for q, (at, verdict) in last.items() if verdict != "right" and len(self.attempts) - 1 - at >= _GAP]
        return min(missed)[1] if missed else None

    def least_tried(self, questions: Iterable[str]) -> str:
        """Of these questions, in their order, the first with the fewest attempts."""
        counts = {q: sum(a.question == q for a in self.attempts) for q in questions}
        return min(counts, key=lambda q: counts[q])

    def table(self) -> list[dict[str, str]]:
        """A row a question, in the order first met: answers, right ones, and what the last one was taken for."""
        found = {}
        for name in dict.fromkeys(a.question for a in self.attempts):
            mine = [a for a in self.attempts if a.question == name]
            right = sum(a.verdict == "right" for a in mine)
            last = ", ".join(mine[-1].diagnosis) or mine[-1].verdict
            found[name] = {"question": name, "answers": str(len(mine)), "right": str(right), "last": last}
        return list(found.values())

    def next_seed(self, question: str) -> int:
        """A seed that this question has not had."""
        return 1 + max((a.seed for a in self.attempts if a.question == question), default=0)


class Kept:
    """Where progress is kept: a file in a folder, or without a folder this value alone, which ends with the kernel."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._own = Progress()

    @property
    def progress(self) -> Progress:
        return self._own if self._folder is None else load(self._folder)

    def keep(self, progress: Progress) -> None:
        if self._folder is None:
            self._own = progress
        elif progress != load(self._folder):
            save(self._folder, progress)


def load(folder: Path) -> Progress:
    """The progress kept in a folder; none where there is no file.

    Raises
    ------
    FsdpSymError
        Where the file is not what this program wrote: it is left alone.
    """
    path = folder / FILE
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise FsdpSymError(f"{path} is too large to be a progress file: move it away to begin anew")
        return _read(path.read_bytes())
    except FileNotFoundError:
        return Progress()
    except (ValueError, OverflowError, KeyError, TypeError, RecursionError):
        raise FsdpSymError(f"{path} cannot be read: move it away to begin anew, or put it right") from None


# One answer looks into the file several times, and finds the same in it.
@lru_cache(maxsize=1)
def _read(content: bytes) -> Progress:
    rows = json.loads(content)["attempts"]
    return Progress(tuple(Attempt(r["question"], int(r["seed"]), r["text"], r["verdict"], tuple(r["diagnosis"])) for r in rows))


def save(folder: Path, progress: Progress) -> None:
    """Keep the progress, beside its place first and then renamed."""
    rows = [vars(attempt) for attempt in progress.attempts]
    write_whole(folder / FILE, (json.dumps({"attempts": rows}, indent=1, ensure_ascii=False) + "\n").encode())

"""The typed blocks a lesson is made of. They hold words, references and the numbers to work at, never a result.

``[[slug]]`` in a text stands for the value of the `Work` or `Fact` with that slug, ``[[slug|GB]]`` in that unit and
``[[slug|GB|4]]`` rounded to so many digits; ``[[slug.N]]`` stands for the number of ranks that work took, and ``[[@N]]``
for what the cell gives for a letter.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

_SLUG: Final = re.compile(r"[A-Za-z0-9_-]{1,50}")  # a notebook's own limit is 64, and some cells get a word behind it
_TAKEN: Final = ("title", "imports", "onward")
At = Mapping[str, int | str]


@dataclass(frozen=True)
class Say:
    """Prose in Markdown."""

    slug: str
    text: str


@dataclass(frozen=True)
class Conventions:
    """The cell's givens and conventions, printed from its row, `without` the letters the lesson is about to derive.

    Letters that matter in a part of the lesson only can be `folded` away: the cell's own, or those that a work is given.
    """

    slug: str
    without: tuple[str, ...] = ()
    folded: tuple[str, ...] = ()


@dataclass(frozen=True)
class Forecast:
    """A guess the student commits before the number appears; `of` is the slug of the work that will show it.

    Where one of several is asked, they are the `options`, and any of the words in `called` may stand before one.
    """

    slug: str
    question: str
    of: str
    example: str
    options: tuple[str, ...] = ()
    called: tuple[str, ...] = ()


@dataclass(frozen=True)
class Reveal:
    """Guess and truth side by side."""

    slug: str


@dataclass(frozen=True)
class Derive:
    """A formula's derivation, every step with its verdict."""

    slug: str
    formula: str


@dataclass(frozen=True)
class Work:
    """A formula worked at the cell's numbers, some of them changed: an answer cell.

    `at` changes numbers; ``"[[slug]]"`` in it is the exact value of another work. `cell` names another cell whose
    numbers are used (by default the lesson's own).
    """

    slug: str
    formula: str
    at: At = field(default_factory=dict)
    unit: str | None = None
    cell: str | None = None


@dataclass(frozen=True)
class Fact(Work):
    """A value that prose refers to and no cell shows."""


@dataclass(frozen=True)
class Plot:
    """A picture and its table."""

    slug: str
    picture: str


@dataclass(frozen=True)
class Measured:
    """What real runs found, or others printed, each beside what its formula says: the records of one group."""

    slug: str
    group: str


@dataclass(frozen=True)
class Ask:
    """A question with the worked answer behind a fold."""

    slug: str
    question: str
    answer: str


@dataclass(frozen=True)
class Matrix:
    """The scenario matrix as a table that links each cell's notebook, in the order of the reading path."""

    slug: str


@dataclass(frozen=True)
class Notation:
    """The letters that the cells use, from the vocabulary."""

    slug: str


@dataclass(frozen=True)
class YourNumbers:
    """Code to play with: the student changes the numbers."""

    slug: str
    code: str


Block = Say | Conventions | Forecast | Reveal | Derive | Work | Fact | Plot | Measured | Ask | Matrix | Notation | YourNumbers


@dataclass(frozen=True)
class Lesson:
    """A tuple of blocks under a title.

    Parameters
    ----------
    id : str
        The notebook's file name without its suffix.
    title : str
    blocks : tuple of Block
    cell : str or None
        The letter of the cell it teaches.
    """

    id: str
    title: str
    blocks: tuple[Block, ...]
    cell: str | None = None

    def __post_init__(self) -> None:
        slugs = [b.slug for b in self.blocks]
        twice = {s for s in slugs if slugs.count(s) > 1}
        if twice:
            raise ValueError(f"lesson {self.id} uses the slug {', '.join(sorted(twice))} twice: slugs name cells")
        if unfit := [s for s in slugs if not _SLUG.fullmatch(s) or s in _TAKEN]:
            raise ValueError(f"lesson {self.id} uses the slug {unfit[0]!r}: take letters, digits and hyphens, and none of {', '.join(_TAKEN)}")

    @property
    def works(self) -> dict[str, Work]:
        return {b.slug: b for b in self.blocks if isinstance(b, Work)}

    @property
    def forecast(self) -> Forecast | None:
        return next((b for b in self.blocks if isinstance(b, Forecast)), None)

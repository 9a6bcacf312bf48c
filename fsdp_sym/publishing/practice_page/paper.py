"""Practice on paper: questions of each cell, and their worked answers on a page of their own.

A question has the name and the numbers that it has in the page, at a terminal and in `practice`: number 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from ...scenarios.cells import CELLS
from ...teaching.drills import QUESTIONS, Drill, pose
from ...teaching.exercises import MOST, practised
from ...teaching.practice import interleaved
from ..book.markdown import page, plain
from ..book.places import PAPER, PAPER_ANSWERS

_SEED: Final = 1


def paper_sources() -> Iterator[tuple[str, str]]:
    """Both pages, by their way from the root."""
    drills = {cell: [pose(QUESTIONS[name], _SEED) for name in interleaved(cell)[:MOST]] for cell in practised()}
    answers = f"Print this page. The worked answers are [on another](/{PAPER_ANSWERS}.md)."
    yield PAPER, page("# Practice on paper", answers, *_by_cell(drills, _question))
    yield PAPER_ANSWERS, page("# Worked answers", f"To the questions of [Practice on paper](/{PAPER}.md).", *_by_cell(drills, _answer))


def _by_cell(drills: dict[str, list[Drill]], written: Callable[[Drill], Iterator[str]]) -> Iterator[str]:
    for cell, mine in drills.items():
        yield f"## {cell}. {plain(CELLS[cell].title)}"
        for drill in mine:
            yield f"### {drill.variant.question}, number {_SEED}"
            yield from written(drill)


def _question(drill: Drill) -> Iterator[str]:
    posed = drill.posed
    yield plain(posed.prompt)
    yield from map(plain, posed.lines)
    yield from (f"**({part.label})** {plain(part.ask)}" if part.label else plain(part.ask) for part in posed.parts)


def _answer(drill: Drill) -> Iterator[str]:
    yield from map(plain, drill.question.solution(drill.variant))

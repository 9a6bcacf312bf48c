"""A formula's place in the lemma graph: what it rests on above it, what rests on it below, an arc for each use.

The picture is part of the page, so that it takes the page's colours, light and dark, and its names are links.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from html import escape
from typing import Final

from ...algebra.formula import Formula
from ...reasoning.catalogue import formulas
from .places import formula_page

_ROW: Final = 34
_LETTER: Final = 8.2  # width of a character of a name
_BULGE: Final = 12  # by how much an arc bends for each row it passes


@cache
def _users() -> Mapping[str, tuple[Formula, ...]]:
    every = formulas().values()
    return {f.id: tuple(user for user in every if f in user.lemmas) for f in every}


@dataclass(frozen=True)
class Place:
    """A formula among those it rests on and those that use it.

    Attributes
    ----------
    direct : tuple of Formula
        The lemmas that its own steps use.
    through : tuple of Formula
        What these rest on in turn.
    users : tuple of Formula
        The formulas whose steps use it.
    """

    formula: Formula
    direct: tuple[Formula, ...]
    through: tuple[Formula, ...]
    users: tuple[Formula, ...]

    @property
    def rows(self) -> tuple[Formula, ...]:
        """From the deepest lemma down to the users; every lemma stands above what uses it."""
        below = {self.formula.id, *(f.id for f in self.users)}
        found: dict[str, Formula] = {}

        def put(formula: Formula) -> None:
            for lemma in formula.lemmas:
                put(lemma)
            if formula.id not in below:
                found.setdefault(formula.id, formula)

        put(self.formula)
        return (*found.values(), self.formula, *_in_order(self.users))

    @property
    def arcs(self) -> tuple[tuple[int, int], ...]:
        """Every use among the rows, as the row of the lemma and the row of what uses it."""
        at = {f.id: row for row, f in enumerate(self.rows)}
        return tuple((at[lemma.id], row) for row, f in enumerate(self.rows) for lemma in f.lemmas if lemma.id in at)


def place(formula: Formula) -> Place:
    """Where a formula stands."""
    through: dict[str, Formula] = {}

    def below(one: Formula) -> None:
        for lemma in one.lemmas:
            through.setdefault(lemma.id, lemma)
            below(lemma)

    below(formula)
    rest = tuple(f for f in through.values() if f not in formula.lemmas)
    return Place(formula, formula.lemmas, rest, _users()[formula.id])


def _in_order(users: tuple[Formula, ...]) -> tuple[Formula, ...]:
    """Users that use each other, the used one first."""
    found: dict[str, Formula] = {}

    def put(formula: Formula) -> None:
        for lemma in formula.lemmas:
            if lemma in users:
                put(lemma)
        found.setdefault(formula.id, formula)

    for user in users:
        put(user)
    return tuple(found.values())


def picture(shown: Place) -> str:
    """The place as SVG; each name but the formula's own is a link from its page to the other's."""
    here, rows = os.path.dirname(formula_page(shown.formula)), shown.rows
    widest = max((below - above for above, below in shown.arcs), default=0)
    left = 16 + _BULGE * widest * 3 // 4
    width, height = round(left + 22 + _LETTER * max(len(f.id) for f in rows)), _ROW * len(rows)
    own = rows.index(shown.formula)
    drawn = [_arc(left, above, below, own in (above, below)) for above, below in shown.arcs]
    for at, formula in enumerate(rows):
        y = _ROW * at + _ROW // 2
        kind = "own" if at == own else "other"
        mark = f'<circle class="{kind}" cx="{left}" cy="{y}" r="5"/>'
        name = f'<text class="{kind}" x="{left + 16}" y="{y + 5}">{escape(formula.id)}</text>'
        if at != own:
            name = f'<a href="{os.path.relpath(formula_page(formula), here)}.html">{name}</a>'
        drawn += [mark, name]
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    said = (
        f"Lemma graph of {shown.formula.id}: {len(shown.direct)} above it that it uses, {len(shown.through)} more that these rest on, "
        f"{len(shown.users)} below that use it; the text below names them"
    )
    return f'<svg class="lemma-graph" role="group" aria-label="{escape(said)}" {size}>{"".join(drawn)}</svg>'


def _arc(left: int, above: int, below: int, own: bool) -> str:
    start, end, bend = _ROW * above + _ROW // 2, _ROW * below + _ROW // 2, left - _BULGE * (below - above)
    kind = "own" if own else "other"
    curve = f"M{left},{start} C{bend},{start} {bend},{end} {left - 12},{end}"
    head = f"M{left - 14},{end - 4.5} L{left - 5},{end} L{left - 14},{end + 4.5} z"
    return f'<path class="arc {kind}" d="{curve}"/><path class="head {kind}" d="{head}"/>'

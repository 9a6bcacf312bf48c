"""The figures of the class report, as SVG in the page: every number in them stands beside them in text too."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Final

from ..algebra.markup import element, text
from ..figures.style import BLUE, INK, PAPER, QUIET, RULE
from ..teaching.classroom.results import points_text
from ..teaching.drills.form import Verdict
from .page import LIGHT, VERDICTS

_MOST_COLUMNS: Final = 21
_WIDTH, _HEIGHT = 720, 240
_LEFT, _TOP, _BOTTOM = 10, 24, 46
_BAR: Final = 560


def columns_of(marks: Counter[Fraction], out_of: Fraction) -> list[tuple[str, int]]:
    """How many students have marks from one whole number of points to the next; of many points, several together."""
    step = 1
    while out_of / step + 1 > _MOST_COLUMNS:
        step = next(s for s in (2, 5, 10, 20, 25, 50, 100, 10 * step) if s > step)
    last = int(max([out_of, *marks]) // step)
    counts = Counter(int(mark // step) for mark in marks.elements())
    return [(str(at * step) if step == 1 else f"{at * step}+", counts[at]) for at in range(last + 1)]


def marks_figure(marks: Counter[Fraction], out_of: Fraction) -> str:
    """How the marks are spread."""
    if not marks:
        return element("p", "No sheet was marked.")
    columns = columns_of(marks, out_of)
    most = max(count for _, count in columns)
    wide = (_WIDTH - 2 * _LEFT) / len(columns)
    high = _HEIGHT - _TOP - _BOTTOM
    floor = _HEIGHT - _BOTTOM
    drawn = [_line(_LEFT, floor, _WIDTH - _LEFT, floor, QUIET)]
    for at, (name, count) in enumerate(columns):
        tall = high * count / most
        middle = _LEFT + (at + 0.5) * wide
        if count:
            drawn.append(_rect(_LEFT + at * wide + 2, floor - tall, wide - 4, tall, BLUE))
            drawn.append(_word(middle, floor - tall - 6, f"{count:,}"))
        drawn.append(_word(middle, floor + 18, name))
    under = "points, rounded down" if columns[0][0] == "0" else "points"
    drawn.append(_word(_WIDTH / 2, _HEIGHT - 6, f"{under}, of {points_text(out_of)}; above each column the number of students"))
    told = ", ".join(f"{name} points: {count:,}" for name, count in columns if count)
    return element("div", _svg(_WIDTH, _HEIGHT, f"Students by points, of {points_text(out_of)}. {told}.", *drawn), class_="marks scroll")


def share_bar(label: str, verdicts: Counter[Verdict]) -> str:
    """The verdicts of a question as one bar that is split."""
    total = verdicts.total() or 1
    drawn = []
    left = 0.0
    for verdict, (_, _, colour) in VERDICTS.items():
        wide = _BAR * verdicts[verdict] / total
        if wide:
            drawn.append(_rect(left, 0, wide, 24, colour))
            if wide > 34:
                dark = verdict in ("right", "wrong")
                drawn.append(_word(left + wide / 2, 17, _percent(verdicts[verdict], total), PAPER if dark else INK))
            left += wide
    told = ", ".join(f"{VERDICTS[verdict][0]} {_percent(verdicts[verdict], total)}" for verdict in VERDICTS if verdicts[verdict])
    return _svg(_BAR, 24, f"{label}: {told}.", *drawn)


def thought_bar(name: str, sure: int, perhaps: int, most: int) -> str:
    """How often a thought was met: for sure, and behind it in a light colour where it may have been another."""
    wide = _BAR / max(most, 1)
    drawn = [_rect(0, 0, sure * wide, 14, BLUE), _rect(sure * wide, 0, perhaps * wide, 14, LIGHT), _line(0, 14, _BAR, 14, RULE)]
    return _svg(_BAR, 15, f"{name}: {sure:,} for sure, {perhaps:,} this or another.", *drawn)


def _percent(count: int, total: int) -> str:
    return f"{points_text(Fraction(round(100 * count / total)))} %"


def _svg(width: int, height: int, alt: str, *drawn: str) -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img"'
    return f'{head} aria-label="{text(alt)}"><title>{text(alt)}</title>{"".join(drawn)}</svg>'


def _rect(left: float, top: float, width: float, height: float, colour: str) -> str:
    return f'<rect x="{left:.2f}" y="{top:.2f}" width="{width:.2f}" height="{height:.2f}" fill="{colour}"/>'


def _line(x1: float, y1: float, x2: float, y2: float, colour: str) -> str:
    return f'<line x1="{x1:.2f}" y1="{y1:.2f}" x2="{x2:.2f}" y2="{y2:.2f}" stroke="{colour}"/>'


def _word(x: float, y: float, said: str, colour: str = INK) -> str:
    return f'<text x="{x:.2f}" y="{y:.2f}" text-anchor="middle" font-size="13" style="fill: {colour}">{text(said)}</text>'

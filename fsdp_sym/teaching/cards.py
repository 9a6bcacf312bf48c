"""What practice shows, as cards: plain text for a terminal, HTML for a notebook. All of it is escaped; nothing in it is typeset.

Colours are a frame alone and never the only sign: a verdict has an icon and its word. Text and background are the
notebook's own, so that a card fits a light and a dark theme.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import Final, Literal

from .drills import Judgement, Posed
from .drills.form import Kind, Verdict

KINDS_SAID: Final[dict[Kind, str]] = {
    "compute": "compute a value",
    "limit": "take the limit",
    "backwards": "run it backwards",
    "missing": "find it, or say that there is none",
    "formula": "write the formula",
    "choose": "choose, and say what decides",
    "wrong line": "find the wrong line",
    "faded": "finish the worked example",
    "principle": "pick the principle",
}
VERDICTS_SAID: Final[dict[Verdict, str]] = {
    "right": "✓ Right",
    "wrong": "✗ Not right",
    "close": "≈ Close",
    "invalid": "? Not understood",
    "not answered": "○ Not answered yet",
}
# Told apart by every kind of colour vision, and seen on white and on black.
_FRAMES: Final[dict[str, str]] = {"right": "#009e73", "wrong": "#d55e00", "close": "#e69f00", "invalid": "#56b4e9"}
_QUIET_FRAME: Final = "#8c8c8c"

Style = Literal["say", "quiet", "lines", "choices"]
Block = tuple[Style, str]

_CARD: Final = (
    "border:1px solid {0};border-left-width:5px;border-radius:4px;padding:0.5em 0.9em;margin:0.4em 0;max-width:52em;line-height:1.5"
)
_PART: Final = "border-left:3px solid {0};padding-left:0.8em;margin:0.5em 0"
_STYLES: Final[dict[Style, str]] = {
    "say": "margin:0.35em 0",
    "quiet": "margin:0.35em 0;opacity:0.75",
    "lines": "margin:0.5em 0;padding:0.5em 0.8em;border-radius:3px;background:rgba(128,128,128,0.13);"
    "white-space:pre-wrap;word-break:normal;line-height:1.6",
    "choices": "margin:0.2em 0 0.2em 1em;padding-left:1.6em;text-indent:-1.6em",
}
_HANGING: Final = "padding-left:2em;text-indent:-2em"
_HEAD: Final = "font-weight:600;margin-bottom:0.2em"


@dataclass(frozen=True)
class Card:
    """A headline and blocks of text below it, cards within it last.

    Parameters
    ----------
    head : str
    blocks : tuple of (str, str)
        A style and its text: ``say``, ``quiet``, ``lines`` in one width, or one of the ``choices``.
    verdict : str
        What colours the frame.
    parts : tuple of Card
    """

    head: str
    blocks: tuple[Block, ...] = ()
    verdict: str = ""
    parts: tuple[Card, ...] = ()

    @property
    def text(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        yield self.head
        for _, said in self.blocks:
            yield said
        for part in self.parts:
            yield from (f"  {line}" for line in part.text.split("\n"))

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        # The classes keep a dollar in somebody's text from being typeset.
        return f'<div class="mathjax_ignore tex2jax_ignore" style="{_CARD.format(self._frame)}">{self._inner}</div>'

    @property
    def _inner(self) -> str:
        blocks = "".join(_html(style, said) for style, said in self.blocks)
        parts = "".join(f'<div style="{_PART.format(part._frame)}">{part._inner}</div>' for part in self.parts)
        return f'<div style="{_HEAD}">{escape(self.head)}</div>{blocks}{parts}'

    @property
    def _frame(self) -> str:
        return _FRAMES.get(self.verdict, _QUIET_FRAME)


def _html(style: Style, said: str) -> str:
    if style != "lines":
        return f'<div style="{_STYLES[style]}">{escape(said)}</div>'
    lines = "".join(f'<div style="{_HANGING}">{escape(line)}</div>' for line in said.split("\n"))
    return f'<pre style="{_STYLES[style]}">{lines}</pre>'


def question_card(posed: Posed, name: str) -> Card:
    """A posed question: what is asked, the lines below it, what to give."""
    if posed.lines and posed.lines[0].startswith("a)"):
        lines: tuple[Block, ...] = tuple(("choices", line) for line in posed.lines)
    else:
        lines = (("lines", "\n".join(posed.lines)),) if posed.lines else ()
    asks: tuple[Block, ...] = tuple(("say", f"({part.label}) {part.ask}" if part.label else part.ask) for part in posed.parts)
    return Card(name, (("say", posed.prompt), *lines, *asks))


def solution_card(lines: tuple[str, ...]) -> Card:
    """The worked answer."""
    return Card("Worked answer", (("lines", "\n".join(lines)),))


def judgement_card(judged: Judgement, more: tuple[Block, ...] = ()) -> Card:
    """A verdict in a word, how the answer was read, what is said of it; of several parts each, and the share earned."""
    if not judged.parts:
        return Card(VERDICTS_SAID[judged.verdict], (*_said(judged), *more), judged.verdict)
    parts = tuple(
        Card(f"({at}) {VERDICTS_SAID[part.verdict]}", tuple(_said(part)), part.verdict) for at, part in enumerate(judged.parts, 1)
    )
    return Card(f"{VERDICTS_SAID[judged.verdict]}: {_share(judged)}", more, judged.verdict, parts)


def _share(judged: Judgement) -> str:
    """How many parts are right, and what share of the marks they earn."""
    right = sum(part.verdict == "right" for part in judged.parts)
    earned = f", which earns {judged.earned} of the marks" if 0 < judged.earned < 1 else ""
    return f"{right} of {len(judged.parts)} parts right{earned}"


def _said(judged: Judgement) -> Iterator[Block]:
    if judged.echo:
        yield "quiet", f"Read as: {judged.echo}"
    for at, line in enumerate(judged.says):
        if line != "Right.":  # the headline has said so
            yield ("lines" if judged.verdict == "invalid" and at else "say"), line  # a caret stands below its place
    if judged.verdict == "invalid":
        yield "quiet", "That costs nothing: write it again."

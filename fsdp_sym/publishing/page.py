"""A page of HTML that is whole in one file: it loads nothing, runs nothing, and holds texts from outside as texts."""

from __future__ import annotations

from html import escape
from typing import Final

from ..algebra.markup import element, text
from ..figures.style import BLUE, INK, ORANGE, PAPER, QUIET, RED, RULE, SKY, WASH, YELLOW
from ..teaching.drills.form import Verdict

VERDICTS: Final[dict[Verdict, tuple[str, str, str]]] = {
    "right": ("right", "✓", BLUE),
    "wrong": ("not right", "✗", RED),
    "close": ("close, too few digits", "≈", ORANGE),
    "invalid": ("could not be read", "?", YELLOW),
    "not answered": ("not answered", "–", RULE),
}
"""What each verdict is called, its sign and its colour."""

# A browser that honours it runs and loads nothing, even if a text could get out of its place.
_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"
_STYLE: Final = f"""
:root {{ color: {INK}; background: {PAPER}; font: 16px/1.5 system-ui, "DejaVu Sans", sans-serif; }}
body {{ max-width: 54rem; margin: 0 auto; padding: 1rem 1.2rem 4rem; overflow-wrap: break-word; }}
h1 {{ font-size: 1.7rem; line-height: 1.2; margin: 1rem 0 .3rem; }}
h2 {{ font-size: 1.25rem; margin: 2.4rem 0 .4rem; border-bottom: 1px solid {RULE}; padding-bottom: .2rem; }}
h3 {{ font-size: 1.05rem; margin: 1.2rem 0 .2rem; }}
p {{ margin: .4rem 0; max-width: 46rem; }}
ol.lines, ul.lines {{ list-style: none; margin: .4rem 0; padding-left: 1rem; }}
.quiet {{ color: {QUIET}; font-size: .9rem; }}
.facts {{ display: flex; flex-wrap: wrap; gap: .4rem 1.7rem; margin: .8rem 0; padding: 0; list-style: none; }}
.facts b {{ display: block; font-size: 1.5rem; line-height: 1.2; }}
.typed {{ font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: .92em; background: {WASH}; padding: 0 .25em; }}
.typed {{ overflow-wrap: anywhere; }}
.typed, .caret {{ white-space: pre-wrap; unicode-bidi: isolate; }}
.caret {{ font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: .85rem; margin: .3rem 0; }}
.badge {{ display: inline-block; border: 2px solid; border-radius: 1rem; padding: 0 .6rem; font-size: .9rem; }}
table {{ border-collapse: collapse; width: 100%; font-size: .92rem; }}
th, td {{ text-align: left; vertical-align: top; padding: .3rem .7rem .3rem 0; border-bottom: 1px solid {RULE}; }}
th {{ font-weight: 600; }}
td.n, th.n {{ text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }}
.scroll {{ overflow-x: auto; }}
.key {{ display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; font-size: .9rem; list-style: none; padding: 0; margin: .5rem 0; }}
.key i {{ display: inline-block; width: .9rem; height: .9rem; margin-right: .35rem; vertical-align: -.12rem; border: 1px solid {QUIET}; }}
.marks svg {{ min-width: 32rem; }}
h3 .quiet {{ font-weight: 400; }}
svg {{ display: block; max-width: 100%; height: auto; }}
svg text {{ font-family: system-ui, "DejaVu Sans", sans-serif; fill: {INK}; }}
section.card {{ border: 1px solid {RULE}; border-left-width: .4rem; border-radius: .3rem; padding: .6rem 1rem; margin: 1rem 0; }}
section.card h2 {{ border: 0; margin: 0; font-size: 1.1rem; }}
summary {{ cursor: pointer; }}
a {{ color: {BLUE}; }}
.question {{ display: grid; grid-template-columns: 13rem 1fr; gap: .2rem 1.2rem; padding: .6rem 0; border-bottom: 1px solid {RULE}; }}
.question p {{ margin: .15rem 0; }}
@media (max-width: 40rem) {{ .question {{ grid-template-columns: 1fr; }} h1 {{ font-size: 1.4rem; }} }}
@media print {{ body {{ max-width: none; font-size: 11px; }} details > * {{ display: block; }} }}
"""

LIGHT: Final = SKY


def document(title: str, *body: str) -> str:
    """The page."""
    head = "\n".join(
        (
            '<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{escape(_POLICY)}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="referrer" content="no-referrer">',
            element("title", text(title)),
            f"<style>{_STYLE}</style>",
        )
    )
    whole = "\n".join(part for part in body if part)
    return f'<!DOCTYPE html>\n<html lang="en">\n<head>\n{head}\n</head>\n<body>\n{whole}\n</body>\n</html>\n'


def paragraph(said: str, class_: str = "") -> str:
    return element("p", text(said), class_=class_) if class_ else element("p", text(said))


def typed(said: str) -> str:
    """What a student typed."""
    return element("span", text(said), class_="typed") if said else element("span", "nothing", class_="quiet")


def badge(verdict: Verdict) -> str:
    """A verdict, in words, with its sign and its colour."""
    words, sign, colour = VERDICTS[verdict]
    return element("span", f"{sign} {words}", class_="badge", style=f"border-color: {colour}")

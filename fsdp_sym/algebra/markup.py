"""HTML as text: elements and tables, in which a text from outside stays a text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

# Control characters but for tabs and ends of lines, halves of characters, and what joins, hides or turns text around.
_UNSEEN: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff]")


def text(said: str) -> str:
    """A text from outside, as itself: nothing in it is HTML, and what cannot be seen is shown as such."""
    return escape(_UNSEEN.sub("\N{REPLACEMENT CHARACTER}", said))


def element(name: str, *content: str, **attributes: str) -> str:
    """An element; its content is HTML already, its attributes are texts, ``class_`` among them."""
    told = "".join(f' {key.rstrip("_").replace("_", "-")}="{text(value)}"' for key, value in attributes.items())
    return f"<{name}{told}>{''.join(content)}</{name}>"


def table(head: Sequence[str], rows: Iterable[Sequence[str]], numbers: int = 0) -> str:
    """A table whose cells are HTML already; the last `numbers` columns are numbers."""
    first = len(head) - numbers

    def row(cells: Sequence[str], name: str) -> str:
        return element("tr", *(element(name, cell, class_="n") if at >= first else element(name, cell) for at, cell in enumerate(cells)))

    return element("div", element("table", row(head, "th"), *(row(cells, "td") for cells in rows)), class_="scroll")


# A notebook sets tables in its own colours, light or dark, but turns every column to the right and breaks no line.
_IN_A_NOTEBOOK: Final = "text-align:left;vertical-align:top;white-space:normal;padding:.35em .8em"


def notebook_table(head: Sequence[str], rows: Iterable[Sequence[str]], caption: str) -> str:
    """A table as a notebook shows it, by itself; its cells are HTML already, and the first of a row is its header."""
    heads = (element("th", cell, scope="col", style=_IN_A_NOTEBOOK) for cell in head)
    body = (
        element(
            "tr",
            element("th", first, scope="row", style=f"{_IN_A_NOTEBOOK};font-weight:normal"),
            *(element("td", c, style=_IN_A_NOTEBOOK) for c in cells),
        )
        for first, *cells in rows
    )
    named = element("caption", text(caption), style="text-align:left;font-weight:bold;padding:.3em 0")
    whole = element("table", named, element("thead", element("tr", *heads)), element("tbody", *body), style="margin:.3em 0")
    return element("div", whole, style="overflow-x:auto")


def mathematics(latex: str) -> str:
    """A formula in LaTeX, which the page it stands in sets."""
    return text(rf"$\displaystyle {latex}$")

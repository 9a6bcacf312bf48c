"""The little Markdown that the pages are written in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def table(head: Sequence[str], rows: Iterable[Sequence[str]], numbers: int = 0) -> str:
    """A table whose cells are Markdown already; the last `numbers` columns are numbers. Empty without rows."""
    lines = [_row(cells) for cells in rows]
    if not lines:
        return ""
    first = len(head) - numbers
    return "\n".join([_row(head), _row([":---" if at < first else "---:" for at in range(len(head))]), *lines])


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def plain(text: str) -> str:
    """A text in which nothing is Markdown, so that ``2^e`` or ``b_w`` is printed as it stands."""
    return "".join(f"\\{c}" if c in "\\`*_{}[]<>#|$~" else c for c in " ".join(text.split()))


def link(text: str, file: str, anchor: str = "") -> str:
    """A link to a file of the book's sources, by its way from their root; Sphinx knows where its page will be."""
    return f"[{text}](/{file}{f'#{anchor}' if anchor else ''})"


def code(text: str) -> str:
    """A name as it is typed."""
    return f"`{text}`"


def page(*parts: str) -> str:
    """Paragraphs, tables and headings, those that are empty left out."""
    return "\n\n".join(part for part in parts if part) + "\n"


def contents(entries: Iterable[tuple[str, str]], caption: str = "") -> str:
    """What the sidebar lists below this page: a title and a page for each entry."""
    options = [f":caption: {caption}"] if caption else []
    return "\n".join(["```{toctree}", ":hidden:", *options, "", *(f"{title} <{name}>" for title, name in entries), "```"])

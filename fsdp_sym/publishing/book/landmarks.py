"""What the theme leaves out for those who hear a page: landmarks and their names, ranks of headings, a heading of the search."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from ..kernel import BuildRefused

_NAVIGATION: Final = '<input type="checkbox" class="sidebar-toggle" name="__navigation"'
_BEHIND: Final = '<label class="overlay sidebar-overlay"'
_EVERYWHERE: Final = (
    (_NAVIGATION, f'<nav aria-label="Sidebars" class="drawers">{_NAVIGATION}'),
    (_BEHIND, f"</nav>{_BEHIND}"),
    ('<aside class="sidebar-drawer"', '<aside aria-label="The book" class="sidebar-drawer"'),
    ('<aside class="toc-drawer', '<aside aria-label="This page" class="toc-drawer'),
    ('<p class="caption" role="heading">', '<p class="caption" role="heading" aria-level="2">'),
)
_SEARCH: Final = ('<div id="search-results"></div>', '<h1>Search</h1>\n<div id="search-results"></div>')


def name_landmarks(site: Path) -> None:
    """Put them into every page.

    Raises
    ------
    BuildRefused
        Where a page is not built as the theme builds it: another version of it needs another look.
    """
    for path in sorted(site.rglob("*.html")):
        text = path.read_text(encoding="utf-8")
        for found, named in (*_EVERYWHERE, *([_SEARCH] if path.name == "search.html" else [])):
            if found not in text:
                raise BuildRefused(f"{path.name} has no {found} to put a name to: look at the theme and mend publishing/book/landmarks.py")
            text = text.replace(found, named)
        path.write_text(text, encoding="utf-8")

"""Every link of a built site leads somewhere inside it, and nothing is loaded from outside."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

_LOADING: Final = ("src", "poster", "data", "srcset")
_IN_CSS: Final = re.compile(r"""url\(\s*['"]?([^'")]+)|@import\s+['"]([^'"]+)""")


class _Page(HTMLParser):
    """The anchors of a page and what it links and loads."""

    def __init__(self) -> None:
        super().__init__()
        self.anchors: set[str] = {"", "top"}
        self.links: dict[str, None] = {}
        self.loads: dict[str, None] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if value is None:
                continue
            if name == "id" or (name == "name" and tag == "a"):
                self.anchors.add(value)
            elif name in _LOADING or (name.endswith("href") and tag != "a"):
                self.loads[value] = None
            elif name.endswith("href") or name == "action":
                self.links[value] = None


def broken_links(site: Path) -> list[str]:
    """What leads nowhere, or outside where it must not, one line each; empty where all is well.

    An outside address is allowed in a link that a reader may follow, and nowhere else: no picture, script, style or form.
    """
    pages = {path.relative_to(site).as_posix(): _read(path) for path in sorted(site.rglob("*.html"))}
    return [problem for name, page in pages.items() for problem in _of_page(site, name, page, pages)] + list(_of_styles(site))


def _read(path: Path) -> _Page:
    page = _Page()
    page.feed(path.read_text(encoding="utf-8"))
    page.close()
    return page


def _of_page(site: Path, name: str, page: _Page, pages: dict[str, _Page]) -> Iterator[str]:
    for target in page.loads:
        if _outside(target):
            yield f"{name} loads {target} from outside"
    for target in {**page.links, **page.loads}:
        if not _outside(target) and (problem := _inside(site, name, target, pages)):
            yield f"{name}: {problem}"


def _outside(target: str) -> bool:
    parts = urlsplit(target)
    return bool(parts.netloc) or parts.scheme not in ("", "data")


def _inside(site: Path, name: str, target: str, pages: dict[str, _Page]) -> str | None:
    parts = urlsplit(target)
    if parts.scheme == "data":
        return None
    if parts.path.startswith("/"):
        return f"{target} stands only at the root of a server: write it from the page"
    path = (site / name).parent / unquote(parts.path) if parts.path else site / name
    if not path.is_file() or not path.resolve().is_relative_to(site.resolve()):
        return f"{target} leads to no file of the site"
    anchors = pages.get(path.resolve().relative_to(site.resolve()).as_posix())
    if parts.fragment and (anchors is None or unquote(parts.fragment) not in anchors.anchors):
        return f"{target} leads to no place on that page"
    return None


def _of_styles(site: Path) -> Iterator[str]:
    for path in sorted(site.rglob("*.css")):
        for found in _IN_CSS.finditer(path.read_text(encoding="utf-8")):
            target, name = found[1] or found[2], path.relative_to(site).as_posix()
            if _outside(target):
                yield f"{name} loads {target} from outside"
            elif urlsplit(target).scheme != "data" and not (path.parent / unquote(urlsplit(target).path)).is_file():
                yield f"{name}: {target} leads to no file of the site"

"""Every link of a built site leads somewhere inside it, and nothing is loaded from outside."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Set
from html.parser import HTMLParser
from pathlib import Path
from posixpath import dirname, join, normpath
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
    files = {path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file()}
    pages = {name: _read(site / name) for name in sorted(files) if name.endswith(".html")}
    found = [problem for name, page in pages.items() for problem in _of_page(name, page, files, pages)]
    return found + [problem for name in sorted(files) if name.endswith(".css") for problem in _of_style(site, name, files)]


def _read(path: Path) -> _Page:
    page = _Page()
    page.feed(path.read_text(encoding="utf-8"))
    page.close()
    return page


def _of_page(name: str, page: _Page, files: Set[str], pages: Mapping[str, _Page]) -> Iterator[str]:
    for target in page.loads:
        if _outside(target):
            yield f"{name} loads {target} from outside"
    for target in {**page.links, **page.loads}:
        if not _outside(target) and (problem := _inside(name, target, files, pages)):
            yield f"{name}: {problem}"


def _outside(target: str) -> bool:
    parts = urlsplit(target)
    return bool(parts.netloc) or parts.scheme not in ("", "data")


def _inside(name: str, target: str, files: Set[str], pages: Mapping[str, _Page]) -> str | None:
    parts = urlsplit(target)
    if parts.scheme == "data":
        return None
    if parts.path.startswith("/"):
        return f"{target} stands only at the root of a server: write it from the page"
    file = _beside(name, parts.path) if parts.path else name
    if file not in files:
        return f"{target} leads to no file of the site"
    if parts.fragment and (file not in pages or unquote(parts.fragment) not in pages[file].anchors):
        return f"{target} leads to no place on that page"
    return None


def _beside(name: str, way: str) -> str:
    """The file that a way from another file leads to."""
    return normpath(join(dirname(name), unquote(way)))


def _of_style(site: Path, name: str, files: Set[str]) -> Iterator[str]:
    for found in _IN_CSS.finditer((site / name).read_text(encoding="utf-8")):
        target = found[1] or found[2]
        if _outside(target):
            yield f"{name} loads {target} from outside"
        elif urlsplit(target).scheme != "data" and _beside(name, urlsplit(target).path) not in files:
            yield f"{name}: {target} leads to no file of the site"

"""How to add a cell, from CONTRIBUTING.md, which says it once."""

from __future__ import annotations

import re
from typing import Final

from ..kernel import BuildRefused
from .markdown import page

_TITLE: Final = "A new cell in five minutes"
_FILE_LINK: Final = re.compile(r"\[([^\]]+)\]\((?!https?:)[^)]+\)")


def new_cell_text(contributing: str) -> str:
    """The page: a section of that file; what it links is in the checkout and not in the book, and is named instead.

    Raises
    ------
    BuildRefused
        Where the file has no such section.
    """
    _, found, rest = contributing.partition(f"\n## {_TITLE}\n")
    if not found:
        raise BuildRefused(f"CONTRIBUTING.md has no section {_TITLE!r} to make a page of: name it so, or mend publishing/book")
    section = re.split(r"^## ", rest, maxsplit=1, flags=re.MULTILINE)[0]
    return page(f"# {_TITLE}", _FILE_LINK.sub(r"`\1`", section).strip())

"""A sheet as one Markdown text. It is made from the sheet alone, which holds no key."""

from __future__ import annotations

from ...teaching.classroom.sheet import Sheet
from .sheet_text import pieces

SUFFIX = ".md"


def export(sheet: Sheet) -> bytes:
    """The text's bytes."""
    return ("\n\n".join(text.rstrip("\n") for _, text in pieces(sheet)) + "\n").encode()

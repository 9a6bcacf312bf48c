"""The one way in which reading stops; it never leaves this room."""

from __future__ import annotations


class Unreadable(Exception):
    """A message with its remedy, and the place in the text."""

    def __init__(self, message: str, at: int | None) -> None:
        super().__init__(message)
        self.message = message
        self.at = at


def quoted(name: str) -> str:
    """A name of letters, digits and underscores, cut short, for a message."""
    return repr(name if len(name) <= 24 else name[:24] + "...")

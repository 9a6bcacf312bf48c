"""The few ways to be wrong. Each message is one line: the object, the part, the remedy."""

from __future__ import annotations

import errno
from collections.abc import Iterable
from difflib import get_close_matches


class FsdpSymError(Exception):
    """Anything a user can cause; printed as one line, never as a traceback."""

    def _render_traceback_(self) -> list[str]:
        """What a notebook shows in place of a traceback."""
        return [f"{type(self).__name__}: {self}"]


class UnreadableAmount(FsdpSymError):
    """A text that is not a number with a unit."""


class DimensionError(FsdpSymError):
    """Bytes where seconds were meant, or a sum of both."""


class OutOfRange(FsdpSymError):
    """A value outside the range its letter has."""


class MissingValue(FsdpSymError):
    """A formula needs a letter that was not given."""


class UnknownName(FsdpSymError):
    """A name that nothing carries; the nearest ones are offered."""

    def __init__(self, kind: str, name: str, known: Iterable[str], remedy: str = "") -> None:
        known = sorted(known)
        near = get_close_matches(name[:80], known, n=3, cutoff=0.5)
        folded = [k for k in known if k.lower() == name.lower() and k not in near]
        offer = f"did you mean {', '.join(folded + near)}?" if folded + near else remedy
        super().__init__(f"no {kind} is called {name[:80]!r}" + (f": {offer}" if offer else ""))

    def __reduce__(self) -> tuple[type[FsdpSymError], tuple[str, ...]]:
        """From another process it comes back as its message."""
        return FsdpSymError, self.args


def disk_remedy(error: OSError) -> str:
    """What to do where a file or the output cannot be written."""
    if isinstance(error, PermissionError):
        return "choose a place you may write to"
    return "free some space or choose another place" if error.errno == errno.ENOSPC else "choose another place"

"""File names for students' ids, which come from outside and may be anything.

An id of letters, digits and ``. _ @ + -`` that begins with a letter or a digit and has at most 60 characters is its own
file name. Of any other one every other character becomes ``_``, the rest is cut off, and ten digits of the id's SHA-256
follow. So do they where Windows has a device of that name. A name depends on the id alone, never on who else is in class.
"""

from __future__ import annotations

import re
from hashlib import sha256
from typing import Final

_PLAIN: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@+-]{0,59}")
_ELSE: Final = re.compile(r"[^A-Za-z0-9_@+-]")
DEVICE: Final = re.compile(r"(con|prn|aux|nul|conin|conout|clock|com[0-9]|lpt[0-9])", re.IGNORECASE)
_KEPT: Final = 40
_DIGITS: Final = 10


def file_stem(student: str) -> str:
    """What a student's files are called, without the ending."""
    if _PLAIN.fullmatch(student) and not student.endswith(".") and not DEVICE.fullmatch(student.partition(".")[0]):
        return student
    kept = _ELSE.sub("_", student[:_KEPT]).lstrip("@+-") or "_"
    return f"{kept}-{sha256(student.encode()).hexdigest()[:_DIGITS]}"

"""The course's key, and all that is drawn from it: seeds and sheet ids that nobody without it can predict.

Everything is an HMAC-SHA256 under the key, of a text that says what it is for, so that no two uses ever meet.
"""

from __future__ import annotations

import hmac
import json
import os
import re
import secrets
from pathlib import Path
from typing import Final

from ...algebra.errors import FsdpSymError, disk_remedy

_BYTES: Final = 32
_WRITTEN: Final = re.compile(rb"[0-9a-f]{64}")
_LONGEST: Final = 1000
_SHEET_DIGITS: Final = 10


def new_key(path: Path) -> None:
    """Write 32 random bytes as a line of hexadecimal digits that only its owner may read; never over a file that exists.

    Raises
    ------
    FsdpSymError
        Where something is there already, or where the file cannot be written.
    """
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise FsdpSymError(f"{path} exists, and a key is never written over: keep it, or name another file") from None
    except OSError as error:
        raise FsdpSymError(f"{path} cannot be written: {error.strerror}: {disk_remedy(error)}") from None
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(secrets.token_bytes(_BYTES).hex().encode() + b"\n")
    except BaseException:
        path.unlink()
        raise


def read_key(path: Path) -> bytes:
    """The key that a file holds.

    Raises
    ------
    FsdpSymError
        Where there is no such file, or what it holds is no key. The message never quotes it.
    """
    try:
        with path.open("rb") as file:
            found = file.read(_LONGEST).strip()
    except FileNotFoundError:
        raise FsdpSymError(f"no key file is at {path}: write one with fsdp-sym assign --new-key {path}") from None
    except OSError as error:
        raise FsdpSymError(f"{path} cannot be read: {error.strerror}: name the course's key file") from None
    if not _WRITTEN.fullmatch(found):
        raise FsdpSymError(f"{path} is no key file, which is a line of 64 digits 0-9 and a-f: name the one that --new-key wrote")
    return bytes.fromhex(found.decode())


def seed(key: bytes, assignment: str, student: str, question: str, sheet: int, again: int) -> int:
    """The 64-bit seed of a student's variant.

    Parameters
    ----------
    key : bytes
    assignment, student, question : str
    sheet : int
        How many sheets of this student were drawn before, as they were another's too.
    again : int
        How many variants of the question were drawn before for this sheet, as their givens were on it already.
    """
    return int(_digest(key, "seed", assignment, student, question, sheet, again)[:16], 16)


def sheet_id(key: bytes, assignment: str, student: str, again: int) -> str:
    """The id of a student's sheet, such as ``hw1-7f3a9c2e01``; `again` counts the ids that another sheet had already."""
    return f"{assignment}-{_digest(key, 'sheet', assignment, student, again)[:_SHEET_DIGITS]}"


def _digest(key: bytes, *parts: str | int) -> str:
    # JSON keeps the parts apart, whatever characters are in them.
    return hmac.digest(key, json.dumps(parts).encode(), "sha256").hex()

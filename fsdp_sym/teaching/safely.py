"""Files written beside their place and renamed, so that nothing is ever left half-written."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def whole(path: Path, mode: int = 0o644, beside: Path | None = None) -> Iterator[BinaryIO]:
    """A file to write to, which takes its place when all of it is written; an interruption at any moment leaves the old one whole.

    Parameters
    ----------
    path : Path
    mode : int
        Who may read and write it.
    beside : Path, optional
        A folder of the same file system for what is being written; its own folder without it.
    """
    descriptor, name = tempfile.mkstemp(dir=beside or path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
        os.chmod(name, mode)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def write_whole(path: Path, content: bytes) -> None:
    """Write a file; an interruption at any moment leaves the old one whole."""
    with whole(path) as file:
        file.write(content)

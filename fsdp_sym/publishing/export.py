"""Exporting: a bank of drills is drawn, made into files by an exporter, and written without touching what is there already."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from ..algebra.errors import FsdpSymError
from ..teaching.drills import Drill, Question, Variant, pose
from ..teaching.safely import write_whole
from .exporters.form import Bank

_SEEDS: Final = 1_000_000  # banks of different seeds share no variant's seed
_TRIES: Final = 20


def drawn(title: str, questions: Sequence[Question], variants: int, seed: int) -> Bank:
    """So many different variants of each question, or all there are where these are fewer; the same seed draws the same."""
    return Bank(title, tuple(_variants(question, variants, seed) for question in questions))


def _variants(question: Question, wanted: int, seed: int) -> tuple[Drill, ...]:
    found: dict[Variant, Drill] = {}
    for at in range(wanted * _TRIES):
        drill = pose(question, seed * _SEEDS + at)
        found.setdefault(drill.variant, drill)
        if len(found) == wanted:
            break
    return tuple(found.values())


def write(out: Path, files: Mapping[str, bytes]) -> None:
    """Write files into a folder, which is made if it is missing.

    Raises
    ------
    FsdpSymError
        Before anything is written: where a file with other content is there already, or would lie outside the folder.
    """
    inside = out.resolve()
    for name, content in files.items():
        path = out / name
        if not path.resolve().is_relative_to(inside):
            raise FsdpSymError(f"{name} would lie outside {out}: remove the link there, or choose another folder")
        if path.is_dir() or (path.exists() and path.read_bytes() != content):
            raise FsdpSymError(f"{path} is there already, with other content: move it away, or choose another folder")
    for name, content in files.items():
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            write_whole(path, content)

"""What of this package travels to the page: the wings that teaching stands on, teaching without the classroom, and the bridge."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

_PACKAGE: Final = Path(__file__).parents[2]
_WINGS: Final = ("algebra", "formulas", "scenarios", "evidence", "reasoning", "teaching")
_STAYS: Final = _PACKAGE / "teaching" / "classroom"
_ALONE: Final = ("__init__.py", "publishing/__init__.py", "publishing/practice_page/__init__.py", "publishing/practice_page/bridge.py")
_KINDS: Final = (".py", ".json")


def shipped() -> Iterator[Path]:
    """The files, by their way from the package's folder, in order."""
    for wing in _WINGS:
        for path in sorted((_PACKAGE / wing).rglob("*")):
            if path.suffix in _KINDS and _STAYS not in path.parents:
                yield path.relative_to(_PACKAGE)
    yield from map(Path, _ALONE)


def write_package(folder: Path) -> None:
    """The package as the page's Python finds it in a folder."""
    for way in shipped():
        to = folder / _PACKAGE.name / way
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(_PACKAGE / way, to)

"""What the pages need and we do not write: MathJax, the fonts and Pyodide, from the npm registry, at the versions of ``package.json``.

The book loads nothing, so what it uses lies in it. The fonts go into the stylesheet itself: opened from a folder, some
browsers refuse to load a font that lies beside a page.
"""

from __future__ import annotations

import shutil
import subprocess
from base64 import b64encode
from pathlib import Path
from typing import Final, NamedTuple

from ...algebra.errors import FsdpSymError
from ...teaching.safely import write_whole

_PINNED: Final = "package.json"  # exact versions, also of the packages that one of them needs
_CACHE: Final = Path("build") / "vendored"
_FETCH: Final = ("npm", "install", "--no-package-lock", "--ignore-scripts", "--no-audit", "--no-fund")


class Face(NamedTuple):
    """One font: its family, style and weight, the characters it is taken for, and its file."""

    family: str
    style: str
    weight: str
    characters: str
    file: str


_SANS: Final = "@fontsource-variable/source-sans-3/files/source-sans-3-"
_MONO: Final = "@fontsource/dejavu-mono/files/dejavu-mono-latin-400-normal.woff2"
FACES: Final = (
    Face("Source Sans 3", "normal", "200 900", "U+0000-02FF, U+2000-206F", f"{_SANS}latin-wght-normal.woff2"),
    Face("Source Sans 3", "italic", "200 900", "U+0000-02FF, U+2000-206F", f"{_SANS}latin-wght-italic.woff2"),
    Face("Source Sans 3", "normal", "200 900", "U+0370-03FF", f"{_SANS}greek-wght-normal.woff2"),
    Face("DejaVu Mono", "normal", "400", "U+0000-FFFF", _MONO),
)
MATHJAX: Final = "mathjax/es5/tex-svg.js"
"""MathJax in one file: it draws letters as outlines, so that it needs no font and asks for nothing else."""


def fetched(checkout: Path) -> Path:
    """The folder with the packages, fetched by npm if they are not there at the pinned versions.

    Parameters
    ----------
    checkout : Path
        Its ``build/`` keeps them; delete it to have them fetched again.

    Raises
    ------
    FsdpSymError
        Where npm is missing, or cannot fetch them.
    """
    cache, pinned = checkout / _CACHE, (Path(__file__).parent / _PINNED).read_bytes()
    done = cache / "fetched"
    if done.exists() and done.read_bytes() == pinned:
        return cache / "node_modules"
    if shutil.which("npm") is None:
        raise FsdpSymError("npm is missing, which fetches the book's fonts, MathJax and Pyodide once: install Node.js with npm")
    cache.mkdir(parents=True, exist_ok=True)
    (cache / _PINNED).write_bytes(pinned)
    ran = subprocess.run(_FETCH, cwd=cache, capture_output=True, text=True, check=False)
    if ran.returncode:
        said = next((line for line in ran.stderr.splitlines() if line.strip()), "no reason given")
        raise FsdpSymError(f"npm could not fetch the book's fonts, MathJax and Pyodide into {cache}: {said}")
    write_whole(done, pinned)
    return cache / "node_modules"


def fonts_css(packages: Path) -> str:
    """The stylesheet that holds the fonts."""
    return "\n".join(_face(face, (packages / face.file).read_bytes()) for face in FACES) + "\n"


def _face(face: Face, content: bytes) -> str:
    data = b64encode(content).decode()
    return (
        f'@font-face {{ font-family: "{face.family}"; font-style: {face.style}; font-weight: {face.weight}; font-display: swap; '
        f'unicode-range: {face.characters}; src: url("data:font/woff2;base64,{data}") format("woff2"); }}'
    )

"""What the page runs on: Pyodide from the npm registry, SymPy and mpmath from Python's, this package, all translated beforehand.

Pyodide's version stands in the book's ``package.json``, those of SymPy and mpmath in ``constraints.txt``: what the drills are
tested with is what runs in the page. Tests and the branches that no drill touches are left out, and so are all sources and
the help in them: Pyodide's library comes as sources, and reading them would take half of the time until the first question.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from ...algebra.errors import FsdpSymError
from ...teaching.safely import write_whole
from ..kernel import BuildRefused
from .shipped import write_package

PYODIDE: Final = "pyodide"
_PYODIDE_FILES: Final = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide-lock.json")
_STDLIB: Final = "python_stdlib.zip"
_LIBRARIES: Final = ("sympy", "mpmath")
LEFT_OUT: Final = {
    "tests", "benchmarks", "physics", "categories", "codegen", "crypto", "diffgeom", "holonomic", "liealgebras", "sandbox", "stats",
    "testing", "unify", "vector", "autolev", "latex",
    "_pyrepl", "email", "http", "multiprocessing", "unittest", "wsgiref", "xml", "xmlrpc",
}  # fmt: skip
"""Folders of SymPy and mpmath, then of Python's own library, that the page's Python never imports."""
_CACHE: Final = Path("build") / "practice"
_COMPILE: Final = Path(__file__).with_name("compile.mjs")


def write_runtime(checkout: Path, packages: Path, to: Path) -> None:
    """Put all that the page's Python needs into a folder of the site.

    Parameters
    ----------
    checkout : Path
        Its ``constraints.txt`` pins the libraries; its ``build/`` keeps them translated.
    packages : Path
        The fetched npm packages.
    to : Path

    Raises
    ------
    FsdpSymError
        Where pip cannot fetch the libraries, or Node.js is missing.
    BuildRefused
        Where the page's Python cannot import what the page asks for.
    """
    pins = _pinned((checkout / "constraints.txt").read_text(encoding="utf-8"))
    pyodide, cache = packages / PYODIDE, checkout / _CACHE
    version = json.loads((pyodide / "package.json").read_bytes())["version"]
    how = sha256(Path(__file__).read_bytes() + _COMPILE.read_bytes()).hexdigest()
    with TemporaryDirectory() as folder:
        ours = Path(folder)
        write_package(ours)
        _once(cache / "stands-on", "\n".join([*pins, f"{PYODIDE}=={version}", how]), lambda: _fetch(pins, pyodide, cache))
        stands_on = (cache / "stands-on").read_text(encoding="utf-8")
        _once(cache / "made", f"{stands_on}\n{_digest(ours)}", lambda: _make(pyodide, cache, ours))
    shutil.copytree(cache / "ready", to)


def _once(done: Path, what: str, make: Callable[[], None]) -> None:
    """Make something unless it was made of the very same before; what it was made of is written down at the end."""
    if not done.exists() or done.read_text(encoding="utf-8") != what:
        make()
        write_whole(done, what.encode())


def _digest(folder: Path) -> str:
    """What tells a folder from any other."""
    found = sha256()
    for path in _files(folder):
        found.update(f"{path.relative_to(folder)}\n{path.stat().st_size}\n".encode() + path.read_bytes())
    return found.hexdigest()


def _make(pyodide: Path, cache: Path, ours: Path) -> None:
    """Translate, try and pack everything into ``ready``."""
    to = cache / "ready"
    shutil.rmtree(to, ignore_errors=True)
    (to / PYODIDE).mkdir(parents=True)
    modules = _translated(pyodide, cache / "stdlib", cache / "libraries", ours)
    _archive(to / PYODIDE / _STDLIB, _without_sources(cache / "stdlib"))
    _archive(to / "libraries.zip", _without_sources(cache / "libraries"))
    _archive(to / "fsdp_sym.zip", _without_sources(ours))
    for name in _PYODIDE_FILES:
        shutil.copyfile(pyodide / name, to / PYODIDE / name)
    size = sum(path.stat().st_size for path in _files(to) if path.suffix != ".mjs")  # a browser tells of no module how far it is
    (to / "runtime.json").write_text(json.dumps({"bytes": size, "modules": modules}) + "\n", encoding="utf-8")


def _pinned(constraints: str) -> list[str]:
    """The libraries with their versions."""
    pins = re.findall(rf"(?m)^(?:{'|'.join(_LIBRARIES)})==\S+$", constraints)
    if len(pins) != len(_LIBRARIES):
        raise FsdpSymError(f"constraints.txt must pin {' and '.join(_LIBRARIES)}, which the practice page runs: add a line for each")
    return sorted(pins)


def _fetch(pins: list[str], pyodide: Path, cache: Path) -> None:
    """Have pip fetch the libraries, and unpack what is needed of them and of Pyodide's own."""
    shutil.rmtree(cache, ignore_errors=True)
    wheels = cache / "wheels"
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", "--dest", str(wheels), *pins]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    if ran.returncode:
        said = (ran.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise FsdpSymError(f"pip could not fetch {' and '.join(pins)}, which the practice page runs: {said}")
    for wheel in sorted(wheels.iterdir()):
        _unpack(wheel, cache / "libraries")
    _unpack(pyodide / _STDLIB, cache / "stdlib")


def _unpack(archive: Path, to: Path) -> None:
    with ZipFile(archive) as opened:
        opened.extractall(to, [name for name in opened.namelist() if not LEFT_OUT & set(name.split("/"))])


def _translated(pyodide: Path, *to_translate: Path) -> int:
    """Have the page's Python translate everything and import the bridge; how many modules it imports."""
    if shutil.which("node") is None:
        raise FsdpSymError("node is missing, which prepares the practice page's Python: install Node.js")
    folders = (str(folder.resolve()) for folder in (pyodide, *to_translate))
    ran = subprocess.run(["node", str(_COMPILE), *folders], capture_output=True, text=True, check=False)
    if ran.returncode or not ran.stdout.strip().isdecimal():
        errors = [line for line in ran.stderr.splitlines() if re.match(r"\w+(Error|Exit)\b", line)]
        said = errors[-1] if errors else "no reason given"
        raise BuildRefused(f"the practice page's Python cannot import it: {said}: mend the module and build again")
    return int(ran.stdout)


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def _without_sources(folder: Path) -> Iterator[tuple[Path, Path]]:
    """The translated modules where Python looks for modules that have no source."""
    for path in _files(folder):
        if path.suffix == ".pyc":
            yield path, path.parents[1].relative_to(folder) / f"{path.name.partition('.')[0]}.pyc"
        elif path.suffix != ".py":
            yield path, path.relative_to(folder)


def _archive(to: Path, files: Iterator[tuple[Path, Path]]) -> None:
    """An archive that is the same for the same files, whenever it is made."""
    with ZipFile(to, "w") as archive:
        for path, name in files:
            archive.writestr(ZipInfo(name.as_posix()), path.read_bytes(), ZIP_DEFLATED, 9)

"""The files of a course: which there are, imported under a package of their own, each failure one line that says where."""

from __future__ import annotations

import ast
import importlib
import sys
import traceback
from collections.abc import Iterator
from difflib import get_close_matches
from hashlib import sha256
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Final

from ...algebra.errors import FsdpSymError

PARTS: Final = ("models", "machines", "plans", "cells", "formulas", "misconceptions", "questions", "lessons")
"""What a course may hold, each a file or a folder of files (formulas are a folder), in the order in which they are read."""

_AGAIN: Final = "put it right and open the course again"


def package(folder: Path) -> str:
    """The name under which a course's files are imported: the same in every process that opens the same folder."""
    return f"fsdp_sym_course_{sha256(str(folder).encode()).hexdigest()[:12]}"


def checked(folder: str | Path) -> Path:
    """A course's folder, with every link followed.

    Raises
    ------
    FsdpSymError
        Where there is no such folder, or nothing of a course in it, or a file whose name is nearly a part's.
    """
    named = f"{str(folder)!r} ({Path(folder).absolute()})"
    if not str(folder).strip() or not Path(folder).is_dir():
        raise FsdpSymError(f"{named} is no folder: name the one that holds your cells.py or another part of a course")
    found = Path(folder).resolve()
    for path in sorted(found.iterdir()):
        if path.name.startswith("."):
            continue
        if path.stem in PARTS and path.is_symlink() and not path.exists():
            raise FsdpSymError(f"{path} is a link that leads nowhere: mend it or take it away")
        near = get_close_matches(path.stem.lower(), PARTS, n=1, cutoff=0.8)
        if near and path.stem not in PARTS and (path.suffix == ".py" or path.is_dir()):
            where = f"call it {near[0]}{path.suffix} or put it into a folder {near[0]}/"
            raise FsdpSymError(f"{path} would not be read: {where}, or call it something quite different")
    if (found / "formulas.py").exists():
        raise FsdpSymError(f"{found / 'formulas.py'} would not be read: put each formula into a file of its own in formulas/")
    if not any(_files(found, part) for part in PARTS):
        raise FsdpSymError(f"{named} holds no course: write a cells.py in it, or another of {', '.join(PARTS)}")
    return found


def modules(folder: Path) -> Iterator[tuple[str, ModuleType]]:
    """Each file of a course, imported, with the part that it belongs to; those of one part in the order of their names.

    Raises
    ------
    FsdpSymError
        Naming the file and the line of what cannot be imported.
    """
    name = package(folder)
    root = ModuleType(name)
    root.__path__ = [str(folder)]
    root.__spec__ = ModuleSpec(name, None, is_package=True)
    sys.modules[name] = root
    importlib.invalidate_caches()
    for part in PARTS:
        for file in _files(folder, part):
            inside = file.relative_to(folder).with_suffix("").parts
            dotted = ".".join((name, *inside[: -1 if file.name == "__init__.py" else None]))
            yield part, _imported(dotted, file, folder)


def forget(folder: Path) -> None:
    """Take a course's modules back, so that its files are read anew next time."""
    name = package(folder)
    for loaded in [m for m in sys.modules if m == name or m.startswith(f"{name}.")]:
        del sys.modules[loaded]


def _files(folder: Path, part: str) -> list[Path]:
    file, below = folder / f"{part}.py", folder / part
    found = sorted(p for p in below.rglob("*.py") if not any(x.startswith(".") for x in p.relative_to(folder).parts))
    if file.is_file() and found:
        raise FsdpSymError(f"{file} and {below} are both there: keep the file or the folder")
    for path in found:
        if not all(name.isidentifier() for name in path.relative_to(folder).with_suffix("").parts):
            raise FsdpSymError(f"{path} cannot be imported: name it with letters, digits and underscores alone")
    return [file] if file.is_file() else found


def _imported(name: str, file: Path, folder: Path) -> ModuleType:
    try:
        return importlib.import_module(name)
    except (Exception, SystemExit) as error:
        frames = [(f.filename, f.lineno) for f in traceback.extract_tb(error.__traceback__)]
        if isinstance(error, SyntaxError) and error.filename:
            frames.append((error.filename, error.lineno))
        inside = [(path, line) for path, line in frames if Path(path).is_relative_to(folder)]
        path, line = inside[-1] if inside else (str(file), 1)
        raise FsdpSymError(f"{path}, line {line}: {said(error)}: {_AGAIN}") from None


def said(error: BaseException) -> str:
    """An exception in words: what our own forms raise speaks for itself."""
    if isinstance(error, FsdpSymError) or type(error) is ValueError:
        return str(error)
    if isinstance(error, KeyError):
        return f"nothing is called {error}"
    return f"{type(error).__name__}: {getattr(error, 'msg', error)}"


def place(module: ModuleType, name: str, nth: int = 0) -> str:
    """The file, and the line on which a name stands in it (for the `nth` time); a formula has the name of its file, and line 1."""
    nodes = ast.walk(ast.parse(Path(str(module.__file__)).read_bytes()))
    lines = sorted(n.lineno for n in nodes if isinstance(n, ast.Constant) and n.value == name) or [1]
    return f"{module.__file__}, line {lines[nth]}"

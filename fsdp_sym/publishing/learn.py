"""The lessons and their practice handed out into a student's folder, and opened in Jupyter.

A small file in the folder remembers each notebook as it was handed out. A notebook that still equals it is brought up to
date, a missing one is put back, and one that the student changed is never touched.
"""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Final, NoReturn

from ..algebra.errors import FsdpSymError, disk_remedy
from ..teaching.drills import QUESTIONS
from ..teaching.exercises import practice_name, practised
from ..teaching.lessons import OURS
from ..teaching.lessons.blocks import Lesson
from ..teaching.progress import load
from ..teaching.safely import write_whole
from .exporters.notebook import SUFFIX, export

MANIFEST: Final = ".fsdp_sym.json"
NOTEBOOKS: Final = "notebooks"
EXERCISES: Final = "exercises"
WORKED: Final = "worked"
_SECONDS_TO_STOP: Final = 10


@dataclass(frozen=True)
class Handout:
    """What became of each notebook.

    Attributes
    ----------
    fates : dict of str to str
        The notebook's name to ``new``, ``restored``, ``updated``, ``unchanged`` or ``kept``.
    outdated : tuple of str
        The kept ones of which a newer edition exists.
    forgotten : bool
        The file that remembers could not be read, so that every notebook that differs counts as edited.
    opens : Path
        The notebook to open: the edited one that was saved last, else the first lesson.
    """

    folder: Path
    fates: dict[str, str]
    outdated: tuple[str, ...]
    forgotten: bool
    opens: Path

    def those(self, fate: str) -> list[str]:
        return [name for name, became in self.fates.items() if became == fate]

    @property
    def lines(self) -> list[str]:
        """What was done, a line for each thing."""
        lines = [f"{self.folder} has {len(self.fates)} notebooks: yours, and under {WORKED}/ the same with their answers"]
        if self.forgotten:
            lines.append(f"{MANIFEST} could not be read: every notebook that differs is taken as edited and kept")
        if new := self.those("new"):
            lines.append(f"handed out: {len(new)}")
        told = {"restored": "put back, as they were missing", "updated": "updated, as you had not changed them"}
        lines += [f"{what}: {', '.join(names)}" for fate, what in told.items() if (names := self.those(fate))]
        kept = self.those("kept")
        if own := [name for name in kept if not name.startswith(f"{WORKED}/")]:
            lines.append(f"kept as you edited them: {', '.join(own)}")
        if worked := [name for name in kept if name not in own]:
            lines.append(f"kept, though not as handed out: {', '.join(worked)}: delete and run this again to have it back")
        if self.outdated:
            lines.append(f"a newer edition exists of {', '.join(self.outdated)}: rename yours and run this again to get it")
        return lines


def editions(lessons: Mapping[str, Lesson] = OURS, committed: Path | None = None) -> dict[str, bytes]:
    """Every notebook to hand out, by its name in the folder: lessons in reading order, practice, and both worked.

    Parameters
    ----------
    lessons : mapping
    committed : Path, optional
        Where ``notebooks`` and ``exercises`` are, as a build leaves them.

    Raises
    ------
    FsdpSymError
        Where a committed notebook is missing from the installation.
    """
    source = committed_folder() if committed is None else committed
    practice = [practice_name(lesson.cell) + SUFFIX for lesson in lessons.values() if lesson.cell in practised()]
    files = {lesson.id + SUFFIX: export(lesson, "student") for lesson in lessons.values()}
    files |= {name: _committed(source / EXERCISES / "student" / name) for name in practice}
    files |= {f"{WORKED}/{lesson.id}{SUFFIX}": _committed(source / NOTEBOOKS / f"{lesson.id}{SUFFIX}") for lesson in lessons.values()}
    return files | {f"{WORKED}/{name}": _committed(source / EXERCISES / WORKED / name) for name in practice}


def _committed(path: Path) -> bytes:
    if not path.is_file():
        raise FsdpSymError(f"{path} is missing: install fsdp_sym again, or run fsdp-sym build in a checkout")
    return path.read_bytes()


def committed_folder() -> Path:
    """Where the committed notebooks and exercises are: inside an installed package, beside it in a checkout."""
    here = Path(__file__).parent
    return here if (here / NOTEBOOKS).is_dir() else here.parents[1]


def due(folder: Path) -> str:
    """What the progress that is kept in a folder says is due, in a line; empty where nothing is."""
    try:
        question = load(folder).due()
    except FsdpSymError as error:
        return str(error)
    if question is None:
        return ""
    ours = question in QUESTIONS and QUESTIONS[question].cell in practised()
    how = f"run the last cells of {practice_name(QUESTIONS[question].cell)}{SUFFIX}" if ours else "call practice()"
    return f"due again, with new numbers: {question}: {how}"


def hand_out(folder: Path, files: Mapping[str, bytes]) -> Handout:
    """Bring a folder up to date without touching what was edited in it.

    Parameters
    ----------
    folder : Path
        Made if it is missing.
    files : mapping
        Names to contents, the first of which is opened first.

    Raises
    ------
    FsdpSymError
        Where something that is no notebook is in the way; nothing is written then. Or where a file cannot be written;
        what was written before it stays, and the next call goes on from there.
    """
    _refuse_obstacles(folder, files)
    remembered, forgotten = _remembered(folder / MANIFEST)
    fates: dict[str, str] = {}
    handed: dict[str, str] = {}
    outdated: list[str] = []
    try:
        for name, content in files.items():
            fates[name] = fate = _fate(folder / name, content, remembered.get(name))
            if fate in ("new", "restored", "updated"):
                _write(folder / name, content)
            # Of what was never handed out, as far as is known, this edition is the one that a later one is newer than.
            if fate != "kept" or name not in remembered:
                handed[name] = _digest(content)
            elif remembered[name] != _digest(content):
                outdated.append(name)
    finally:
        # Also after an interruption: what was handed out is remembered, and what was not looked at stays remembered.
        if handed and remembered | handed != remembered:
            _write(folder / MANIFEST, json.dumps(remembered | handed, indent=1, sort_keys=True).encode() + b"\n")
    return Handout(folder, fates, tuple(outdated), forgotten, folder / _last_worked_on(folder, fates))


def _fate(path: Path, content: bytes, handed: str | None) -> str:
    if not path.exists():
        return "restored" if handed else "new"
    now = _digest(path.read_bytes())
    if now == _digest(content):
        return "unchanged"
    return "updated" if now == handed else "kept"


def _digest(content: bytes) -> str:
    return sha256(content).hexdigest()


def _last_worked_on(folder: Path, fates: Mapping[str, str]) -> str:
    own = [name for name in fates if not name.startswith(f"{WORKED}/")]
    edited = [name for name in own if fates[name] == "kept"]
    return max(edited, key=lambda name: (folder / name).stat().st_mtime, default=own[0])


def _refuse_obstacles(folder: Path, files: Iterable[str]) -> None:
    """Only plain folders and plain files may be where notebooks go: a link would be written through."""
    for place in (folder, *folder.parents):
        if place.exists() and not place.is_dir():
            raise FsdpSymError(f"{place} is no folder: name another one")
    places = {MANIFEST: Path.is_file, WORKED: Path.is_dir} | dict.fromkeys(files, Path.is_file)
    for name, as_expected in places.items():
        place = folder / name
        if place.is_symlink():
            raise FsdpSymError(f"{place} is a symbolic link, which is not written through: move it away")
        if place.exists() and not as_expected(place):
            raise FsdpSymError(f"{place} is in the way of what is handed out: move it away")


def _remembered(manifest: Path) -> tuple[dict[str, str], bool]:
    """The digests as they were handed out, and whether the file that held them was damaged."""
    try:
        found = json.loads(manifest.read_bytes())
    except FileNotFoundError:
        return {}, False
    except (ValueError, RecursionError):
        return {}, True
    sound = isinstance(found, dict) and all(isinstance(digest, str) for digest in found.values())
    return (found, False) if sound else ({}, True)


def _write(path: Path, content: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, content)
    except OSError as error:
        raise FsdpSymError(f"{path} cannot be written: {error.strerror}: {disk_remedy(error)}") from None


# Jupyter.


def has_jupyter() -> bool:
    """Whether Jupyter Lab is installed beside this package."""
    return find_spec("jupyterlab") is not None


def _command(path: Path) -> list[str]:
    # A container's only user is often root, to whom Jupyter does not open without being told.
    as_root = ["--allow-root"] if getattr(os, "geteuid", lambda: 1)() == 0 else []
    return [sys.executable, "-m", "jupyterlab", *as_root, str(path)]


def by_hand(path: Path) -> str:
    """The command a person types to open a lesson."""
    command = _command(path)
    return subprocess.list2cmdline(command) if os.name == "nt" else shlex.join(command)


def open_in_jupyter(path: Path) -> int:
    """Run Jupyter Lab on a lesson until it is stopped; Ctrl-C stops it without a question. Returns its exit code.

    Raises
    ------
    SystemExit
        Where this process is told to end: the server has ended before it.
    """
    command, environment = [*_command(path), "--ServerApp.answer_yes=True"], _environment(path.parent)
    before = signal.signal(signal.SIGTERM, _end)
    server = None
    try:
        server = subprocess.Popen(command, env=environment)
        return server.wait()
    except KeyboardInterrupt:
        # The server got the same Ctrl-C and is shutting its kernels down.
        if server:
            _wait_or_kill(server)
        return 0
    except SystemExit:
        if server:
            server.terminate()
            _wait_or_kill(server)
        raise
    finally:
        signal.signal(signal.SIGTERM, before)


def _end(number: int, _: object) -> NoReturn:
    raise SystemExit(128 + number)  # as a shell says that a signal ended a process


def _wait_or_kill(server: subprocess.Popen[bytes]) -> None:
    try:
        server.wait(_SECONDS_TO_STOP)
    except (KeyboardInterrupt, SystemExit, subprocess.TimeoutExpired):
        server.kill()
        server.wait()


def _environment(folder: Path) -> dict[str, str]:
    """The environment, with Jupyter's own files in the lessons' folder where the home folder cannot hold them."""
    environment = dict(os.environ)
    if not os.access(Path.home(), os.W_OK):
        for variable in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR", "MPLCONFIGDIR"):
            environment.setdefault(variable, str(folder.absolute() / ".jupyter" / variable.lower()))
    return environment

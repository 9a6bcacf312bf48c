"""CONTRIBUTING.md, "A new cell in five minutes": its files are written, its commands run, and they print what it shows."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = re.search(r"^## A new cell in five minutes\n(.*?)^## ", (ROOT / "CONTRIBUTING.md").read_text(), re.DOTALL | re.MULTILINE)
assert PAGE is not None
FILES = re.findall(r"```python\n# (my-course/\w+\.py)\n(.*?)```", PAGE[1], re.DOTALL)
CONSOLES = "".join(re.findall(r"```console\n(.*?)```", PAGE[1], re.DOTALL))
SHOWN = [part.partition("\n") for part in re.split(r"^\$ ", CONSOLES, flags=re.MULTILINE)[1:]]
RUNNING = re.findall(r"`((?:fsdp-sym|pytest) [^`]*(?:my-|letters)[^`]*)`", PAGE[1])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where somebody has typed all of the page's files."""
    at = tmp_path_factory.mktemp("five minutes")
    for name, text in FILES:
        (at / name).parent.mkdir(exist_ok=True)
        (at / name).write_text(text)
    return at


def python(at: Path, *words: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "300", "PYTHONIOENCODING": "utf-8"}
    return subprocess.run([sys.executable, *words], cwd=at, env=env, capture_output=True, text=True, check=False)


_RUN = """
import io, json, shlex, sys
from contextlib import redirect_stderr, redirect_stdout
from fsdp_sym.cli import main
from fsdp_sym.reasoning import audit
from fsdp_sym.reasoning.catalogue import formula
# What the lesson works; tests/cli/test_course_option.py has what the audit covers, and all of it takes a while.
audit.formulas = lambda: {name: formula(name) for name in ("shard_fits", "sharded_state")}
said = []
for command in json.loads(sys.argv[1]):
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = main(shlex.split(command)[1:])
    said.append((code, out.getvalue(), err.getvalue()))
print(json.dumps(said))
"""


def run(at: Path, *commands: str) -> list[tuple[int, str, str]]:
    """What commands exit with and print, in one process of their own; tests/cli/test_process.py tries the process itself."""
    assert all(command.startswith("fsdp-sym ") for command in commands)
    done = python(at, "-c", _RUN, json.dumps(commands))
    assert (done.returncode, done.stderr) == (0, "")
    return [(code, out, err) for code, out, err in json.loads(done.stdout)]


def test_the_page_has_its_parts() -> None:
    assert [name for name, _ in FILES] == [f"my-course/{part}.py" for part in ("cells", "questions", "misconceptions", "lessons")]
    assert len(SHOWN) == 5
    assert len(RUNNING) == 4


def test_each_command_does_what_is_shown(folder: Path) -> None:
    ours = [command for command in RUNNING if not command.startswith("pytest ")]
    said = run(folder, *(command for command, _, _ in SHOWN), *ours)
    for (command, _, output), (code, out, err) in zip(SHOWN, said, strict=False):
        assert (out, err) == (output, ""), command
        assert code == (1 if "--answer" in command else 0)
    for command, (code, out, err) in zip(ours, said[len(SHOWN) :], strict=True):
        assert code == 0, f"{command}\n{out}{err}"
    (others,) = set(RUNNING) - set(ours)
    done = python(folder, "-m", "pytest", "-p", "no:cacheprovider", *shlex.split(others)[1:])
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_first_row_alone_is_a_course_and_the_line_for_python_opens_it(tmp_path: Path) -> None:
    """The page stops after the cell, shows what it is good for, and only then goes on."""
    (tmp_path / "my-course").mkdir()
    (tmp_path / FILES[0][0]).write_text(FILES[0][1])
    command, _, output = SHOWN[0]
    imported, opened = re.findall(r"`(from fsdp_sym import course|course\(\"my-course\"\))`", PAGE[1])  # type: ignore[index]
    program = f'{imported}\n{opened}\nfrom fsdp_sym import work\nassert work("MY1", "sharded_state").shown() == "7.241732096 GB"\n'
    done = python(tmp_path, "-c", program + _RUN, json.dumps([command]))
    assert (done.stdout, done.stderr) == (json.dumps([[0, output, ""]]) + "\n", "")

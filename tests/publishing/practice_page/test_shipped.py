"""What travels to the page runs with what of SymPy travels too, and brings nothing of the classroom, the exporters or the command line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from fsdp_sym.publishing.practice_page.runtime import LEFT_OUT
from fsdp_sym.publishing.practice_page.shipped import shipped, write_package

ALONE = """
import sys

LEFT_OUT = set(sys.argv[2].split())
MISSING = {"numpy", "matplotlib", "nbformat", "nbclient", "ipykernel", "IPython", "typer", "rich", "gmpy2", "torch"}

class Only:
    @staticmethod
    def find_spec(name, path=None, target=None):
        parts = name.split(".")
        if parts[0] in MISSING or (parts[0] in ("sympy", "mpmath") and LEFT_OUT & set(parts[:-1])):
            raise ImportError(f"{name} is not in the page")

sys.meta_path.insert(0, Only)
sys.path.insert(0, sys.argv[1])
import fsdp_sym
from pathlib import Path
from fsdp_sym.publishing.practice_page.bridge import Desk
assert fsdp_sym.__file__.startswith(sys.argv[1])
desk = Desk(Path(sys.argv[1]) / "kept")
from json import dumps
from fsdp_sym.teaching.drills import QUESTIONS
for question in {type(one): name for name, one in QUESTIONS.items()}.values():  # a module may be imported once something is asked
    asks = [("numbered", question, 1), ("answer", "1"), ("answer", "1 GB"), ("answer", "N - 1"), ("hint", 1), ("solution",)]
    for name, *given in asks:
        said = desk.run(name, dumps(given))
        assert "refused" not in said, (question, name, said)
desk.run("forget", "[]")
print(desk.run("draw", '["D"]'), desk.run("answer", '["40"]'), desk.run("guess", '["D", "500 MB"]'))
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    write_package(folder)
    return folder


def alone(page: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", ALONE, str(page), " ".join(LEFT_OUT)]
    return subprocess.run(command, cwd=page, env={}, capture_output=True, text=True, check=False)


def test_it_runs_with_what_travels_of_sympy(page):
    done = alone(page)
    assert done.returncode == 0, done.stderr
    assert "How many steps does a ring all-gather over 40 ranks take?" in done.stdout
    assert "one fewer than there are ranks" in done.stdout
    assert "689.0625 MB" in done.stdout


def test_only_what_teaching_stands_on_travels():
    files = [way.as_posix() for way in shipped()]
    assert "teaching/drills/diagnose.py" in files
    assert "publishing/practice_page/bridge.py" in files
    assert {"cli", "measure", "figures"}.isdisjoint(name.split("/")[0] for name in files)
    assert [name for name in files if name.startswith("publishing/")] == [
        "publishing/__init__.py", "publishing/practice_page/__init__.py", "publishing/practice_page/bridge.py",
    ]  # fmt: skip
    assert not any("classroom" in name or "__pycache__" in name for name in files)

"""What travels to the page runs with SymPy alone, and brings nothing of the classroom, the exporters or the command line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from fsdp_sym.publishing.practice_page.shipped import shipped, write_package

ALONE = """
import sys

MISSING = {"numpy", "matplotlib", "nbformat", "nbclient", "ipykernel", "IPython", "typer", "rich", "gmpy2", "torch"}

class Only:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name.partition(".")[0] in MISSING:
            raise ImportError(f"{name} is not in the page")

sys.meta_path.insert(0, Only)
sys.path.insert(0, sys.argv[1])
import fsdp_sym
from pathlib import Path
from fsdp_sym.publishing.practice_page.bridge import Desk
assert fsdp_sym.__file__.startswith(sys.argv[1])
desk = Desk(Path(sys.argv[1]) / "kept")
print(desk.run("draw", '["D"]'), desk.run("answer", '["40"]'), desk.run("guess", '["D", "500 MB"]'))
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    write_package(folder)
    return folder


def alone(page: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", ALONE, str(page)], cwd=page, env={}, capture_output=True, text=True, check=False)


def test_it_runs_with_sympy_alone(page):
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

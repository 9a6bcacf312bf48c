"""The build: no drift, no half-written file, and red where a formula or a count is wrong."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import nbformat
import pytest

from fsdp_sym.publishing import build as builder
from fsdp_sym.reasoning.audit import Finding
from fsdp_sym.reasoning.catalogue import formula
from fsdp_sym.teaching.lessons import OURS
from fsdp_sym.teaching.lessons.blocks import Lesson

ROOT = Path(__file__).parents[2]
FOLDERS = ("notebooks", "exercises")
D = "D-communication-volume"
# The audit of the formula that is counted wrongly and the building of a lesson of one answer, in one process: starting takes as long.
_CHECKED = f"""
from dataclasses import replace
from fsdp_sym import formula
from fsdp_sym.cli import main
from fsdp_sym.reasoning import audit
audit.formulas = lambda: {{"all_gather": formula("all_gather")}}
print("audit:", main(["audit"]), flush=True)
from fsdp_sym.publishing.build import executed
from fsdp_sym.teaching.lessons import LESSONS
lesson = LESSONS[{D!r}]
executed(replace(lesson, blocks=(lesson.works["gather-64"],)))
"""


@pytest.fixture
def committed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the committed notebooks and exercises, and a build that would make exactly them."""
    for name in FOLDERS:
        shutil.copytree(ROOT / name, tmp_path / name)
    made = held(tmp_path)
    monkeypatch.setattr(builder, "_made", lambda *_: made)
    return tmp_path


def held(root: Path) -> dict[str, bytes]:
    files = [p for name in FOLDERS for p in sorted((root / name).rglob("*")) if p.is_file()]
    return {p.relative_to(root).as_posix(): p.read_bytes() for p in files}


def test_a_build_of_what_is_committed_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A lesson and a practice notebook, executed, to the byte; `fsdp-sym build --check` is the same for all of them."""
    asked: list[object] = []
    monkeypatch.setattr(builder, "audit", lambda chosen: asked.append(chosen) or [])
    monkeypatch.setattr(builder, "OURS", {D: OURS[D]})
    monkeypatch.setattr(builder, "practised", lambda: ("D",))
    practice = [f"exercises/{edition}/D-practice.ipynb" for edition in ("student", "worked")]
    made = [*practice, f"notebooks/{D}.ipynb", f"notebooks/{builder.COVER}.svg"]
    for name in made:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    assert builder.build(tmp_path) == []
    assert sorted(held(tmp_path)) == made
    assert asked == [None]  # every formula, of which tests/reasoning/test_catalogue.py has the verdicts


def test_what_the_audit_refuses_is_told_first_and_no_further_notebook_begins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[str] = []

    def executed(lesson: Lesson) -> None:
        begun.append(lesson.id)
        time.sleep(1)
        raise builder.BuildRefused("a notebook fails as well")

    def audit(_: None) -> list[Finding]:
        late = time.monotonic() + 60
        while len(begun) < 2 and time.monotonic() < late:
            time.sleep(0.01)
        return [Finding(formula("ring_steps"), (), 0, 0, 0, ("ring_steps: no",))]

    monkeypatch.setattr(builder, "executed", executed)
    monkeypatch.setattr(builder, "audit", audit)
    monkeypatch.setattr(builder, "practised", lambda: ())
    with pytest.raises(builder.BuildRefused, match=r"the audit refuses 1 formula\(s\), first ring_steps: no"):
        builder.build(tmp_path)
    assert len(begun) < len(OURS)
    assert held(tmp_path) == {}


@pytest.mark.parametrize(
    ("file", "cell", "old", "new"),
    [
        (f"notebooks/{D}.ipynb", "gather-64", "689.0625 MB", "689.0624 MB"),
        ("exercises/worked/D-practice.ipynb", "D-steps-answer", "Right", "Left"),
        ("exercises/student/D-practice.ipynb", "D-steps", "seed=1", "seed=2"),
    ],
)
def test_drift_names_the_file_and_the_cell(file: str, cell: str, old: str, new: str, committed: Path) -> None:
    assert builder.check(committed) == []
    text = (committed / file).read_text()
    assert old in text
    (committed / file).write_text(text.replace(old, new))
    assert builder.check(committed) == [f"{file}: cell {cell} differs"]


def test_missing_and_stale_files_are_drift(committed: Path) -> None:
    missing = ["exercises/student/A-practice.ipynb", "notebooks/start-here.ipynb"]
    stale = ["exercises/student/old.ipynb", "exercises/worked/old.ipynb", "notebooks/old.ipynb"]
    for name in missing:
        (committed / name).unlink()
    for name in stale:
        (committed / name).write_text("{}")
    found = builder.check(committed)
    assert found[:3] == [f"{name}: nothing makes this file" for name in stale]
    assert sorted(found[3:]) == [f"{name}: missing" for name in missing]
    changed = builder.build(committed)
    assert (sorted(changed[:2]), changed[2:]) == (missing, stale)
    assert builder.check(committed) == []


def test_nothing_is_written_where_nothing_changed(committed: Path) -> None:
    before = {name: (committed / name).stat().st_mtime_ns for name in held(committed)}
    assert builder.build(committed) == []
    assert {name: (committed / name).stat().st_mtime_ns for name in held(committed)} == before


@pytest.mark.parametrize("stop", [KeyboardInterrupt(), OSError(28, "No space left on device")])
def test_an_interrupted_build_leaves_the_old_files_whole(committed: Path, monkeypatch: pytest.MonkeyPatch, stop: BaseException) -> None:
    old = b"{}\n"
    (committed / "notebooks" / f"{D}.ipynb").write_bytes(old)

    def replace(*_: object) -> None:
        raise stop

    monkeypatch.setattr(os, "replace", replace)
    with pytest.raises(type(stop)):
        builder.build(committed)
    assert (committed / "notebooks" / f"{D}.ipynb").read_bytes() == old
    assert set(held(committed)) == set(held(ROOT))


def broken(folder: Path, file: str, old: str, new: str) -> dict[str, str]:
    """An environment whose fsdp_sym is a copy with one text replaced."""
    shutil.copytree(ROOT / "fsdp_sym", folder / "fsdp_sym", ignore=shutil.ignore_patterns("__pycache__"))
    target = folder / "fsdp_sym" / "formulas" / file
    text = target.read_text()
    assert text.count(old) >= 1
    target.write_text(text.replace(old, new))
    return {**os.environ, "PYTHONPATH": str(folder)}


def run(env: dict[str, str], folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *words], env=env, cwd=folder, capture_output=True, text=True, check=False)


def test_a_wrong_formula_turns_audit_build_and_nbval_red(tmp_path: Path) -> None:
    """Every step stays proved: the start itself is wrong, N + 1 steps for N - 1, and only the count can tell."""
    env = broken(tmp_path, "communication/all_gather.py", "N - 1", "N + 1")
    env |= {"COLUMNS": "200"}
    checked = run(env, tmp_path, "-c", _CHECKED)
    assert "audit: 1\n" in checked.stdout
    assert "all_gather" in checked.stdout.partition("audit: 1\n")[0]
    assert checked.returncode != 0
    assert "BuildRefused" in checked.stderr
    committed = nbformat.read(ROOT / "notebooks" / f"{D}.ipynb", as_version=4)
    committed.cells = [cell for cell in committed.cells if cell.id in ("imports", "gather-64")]
    nbformat.write(committed, tmp_path / "two-cells.ipynb")
    bare = ("-p", "no:cacheprovider", "-p", "no:xdist")
    nbval = run(env, tmp_path, "-m", "pytest", *bare, "--nbval", "--nbval-current-env", "two-cells.ipynb")
    assert nbval.returncode == 1
    assert "689.0625" in nbval.stdout


def test_a_wrong_count_turns_audit_and_build_red(tmp_path: Path) -> None:
    env = broken(tmp_path, "communication/ring.py", "found.append(each)", "found.append(each + 1)")
    checked = run(env, tmp_path, "-c", _CHECKED)
    assert "audit: 1\n" in checked.stdout
    assert checked.returncode != 0
    assert "BuildRefused" in checked.stderr

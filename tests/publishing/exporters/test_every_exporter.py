"""What every exporter keeps to, whichever there are: one constant in a file of the folder, and it is tested here."""

from __future__ import annotations

import hashlib
import io
import os
import subprocess
import sys
import zipfile
from functools import cache
from pathlib import Path, PurePosixPath

import pytest

from fsdp_sym.algebra.errors import FsdpSymError
from fsdp_sym.publishing.exporters import EXPORTERS
from fsdp_sym.publishing.exporters.form import Bank
from fsdp_sym.teaching.drills import KINDS, QUESTIONS, pose

ROOT = Path(__file__).parents[3]
NAMES = sorted(EXPORTERS)
OF_A_KIND = {kind: next(q for q in QUESTIONS.values() if q.kind == kind) for kind in KINDS}


@cache
def bank(name: str) -> Bank:
    """Two variants of one question of each kind that the exporter carries."""
    return Bank("A course", tuple(tuple(pose(OF_A_KIND[k], seed) for seed in (1, 2)) for k in KINDS if k in EXPORTERS[name].kinds))


@cache
def exported(name: str) -> dict[str, bytes]:
    return EXPORTERS[name].export(bank(name))


def digest(files: dict[str, bytes]) -> str:
    return hashlib.sha256(repr(sorted(files.items())).encode()).hexdigest()


# What the other process runs: the same bank, made from nothing.
ELSEWHERE = f"""
import sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
from test_every_exporter import NAMES, digest, exported
print(" ".join(digest(exported(name)) for name in NAMES))
"""


def test_the_catalogue_holds_all_that_are_promised():
    assert set(NAMES) >= {"anki", "jupyterquiz", "markdown", "moodle", "nbgrader", "prairielearn", "qti"}


@pytest.mark.parametrize("name", NAMES)
def test_a_second_run_makes_the_same_bytes(name):
    assert EXPORTERS[name].export(bank(name)) == exported(name)


def test_another_process_makes_the_same_bytes():
    env = os.environ | {"PYTHONHASHSEED": "4711", "TZ": "Pacific/Kiritimati", "LC_ALL": "C"}
    there = subprocess.run([sys.executable, "-c", ELSEWHERE], env=env, capture_output=True, text=True, check=False, cwd=ROOT)
    assert there.returncode == 0, there.stderr
    assert dict(zip(NAMES, there.stdout.split(), strict=True)) == {name: digest(exported(name)) for name in NAMES}


@pytest.mark.parametrize("name", NAMES)
def test_files_lie_inside_the_folder_and_hold_something(name):
    files = exported(name)
    assert files
    for path, content in files.items():
        parts = PurePosixPath(path).parts
        assert not PurePosixPath(path).is_absolute()
        assert ".." not in parts
        assert "\\" not in path
        assert content


@pytest.mark.parametrize("name", [n for n in NAMES if EXPORTERS[n].kinds < frozenset(KINDS)])
def test_a_kind_that_is_not_declared_is_refused_by_name(name):
    refused = [OF_A_KIND[kind] for kind in KINDS if kind not in EXPORTERS[name].kinds]
    with pytest.raises(FsdpSymError) as said:
        EXPORTERS[name].export(Bank("x", tuple((pose(q, 1),) for q in refused)))
    assert str(said.value).startswith(f"{name} does not carry ")
    assert all(f"{q.id} ({q.kind})" in str(said.value) for q in refused)
    assert "\n" not in str(said.value)


@pytest.mark.parametrize("name", [n for n in NAMES if EXPORTERS[n].self_study])
def test_what_is_for_self_study_says_so(name):
    assert any("self-study" in text for text in map(readable, exported(name).values()))
    assert "self-study" in EXPORTERS[name].says


def readable(content: bytes) -> str:
    """The text in a file, and in the files of an archive."""
    if content[:2] == b"PK":
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return "\n".join(readable(archive.read(name)) for name in archive.namelist())
    return content.decode("utf-8", "replace")


@pytest.mark.parametrize("name", NAMES)
def test_nothing_of_this_machine_stands_in_it(name):
    for text in map(readable, exported(name).values()):
        assert not any(place in text for place in (os.sep + "tmp" + os.sep, str(ROOT)))


def test_a_package_that_is_missing_is_named_with_the_remedy(monkeypatch):
    """Whatever is needed beyond what is always installed is asked for in one line."""
    for package in ("genanki", "text2qti", "typst"):
        monkeypatch.setitem(sys.modules, package, None)
    complaints = {name: complaint for name in NAMES if (complaint := refusal(name))}
    assert "anki" in complaints
    for complaint in complaints.values():
        assert "pip install 'fsdp_sym[export]'" in complaint
        assert "\n" not in complaint


def refusal(name: str) -> str:
    try:
        EXPORTERS[name].export(bank(name))
    except FsdpSymError as error:
        return str(error)
    return ""


def test_finding_them_imports_no_package_of_the_extra():
    found = "import sys; from fsdp_sym.publishing.exporters import EXPORTERS; assert EXPORTERS"
    code = f"{found}; print({{'genanki', 'text2qti', 'typst'}} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT).stdout == "set()\n"

"""`--course` before a command, or the environment in its place: every command finds the course's rows beside ours.

What opens a course runs in a process of its own, for nothing closes one.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from fsdp_sym.cli import WRONG, main

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "tests" / "data" / "course"

AUDITED = ("layer_traffic", "model_gather_time", "sharded_state", "stage_for_budget")
_RUN = f"""
import io, json, sys
from contextlib import redirect_stderr, redirect_stdout
from fsdp_sym.cli import main
from fsdp_sym.publishing import assign
from fsdp_sym.reasoning import audit
assign._PAYS = 20  # students to a process
everything = audit.formulas
audit.formulas = lambda: {{name: one for name, one in everything().items() if name in {AUDITED}}}  # the rest takes a while
said = []
for argv in json.loads(sys.argv[1]):
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = main(argv)
    said.append((code, out.getvalue(), err.getvalue()))
print(json.dumps(said))
"""


class Said(NamedTuple):
    """What a command answered."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        assert self.err == ""
        return json.loads(self.out)


def run(at: Path, *commands: list[str], **environment: str) -> list[Said]:
    """Several commands in one process."""
    env = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    done = subprocess.run(
        [sys.executable, "-c", _RUN, json.dumps(commands)], cwd=at, env=env, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    return [Said(*each) for each in json.loads(done.stdout)]


DRILL = ["drill", "LAB1", "--seed", "3"]
# 2.8e9 · 4 · 5/6 bytes, over 2.5e9 bytes a second instead of bits.
COMMANDS = {
    "list": ["list", "--json"],
    "evaluate": ["evaluate", "model_gather_time", "--cell", "LAB1"],
    "evaluate ours": ["evaluate", "sharded_state", "--cell", "LAB1"],
    "solve": ["solve", "shard_fits", "--cell", "LAB1", "--for", "N", "--equals", "yes"],
    "explain": ["explain", "model_gather_time"],
    "explain the cell": ["explain", "LAB1", "--set", "N=8"],
    "drill": [*DRILL, "--json"],
    "answer": [*DRILL, "--answer", f"{2.8e9 * 4 * 5 / 6 / 2.5e9:.5g} s", "--json"],
    "audit": ["audit", "--json"],
    "export": ["export", "--to", "markdown", "--cells", "LAB1", "--variants", "3", "--out", "key"],
    "key": ["assign", "--new-key", "course.key"],
    "assign": [
        "assign", "--question-ids", "LAB1-model-gather", "--roster", "roster.csv", "--key-file", "course.key", "--to", "markdown",
        "--out", "hw1", "--jobs", "2",
    ],
}  # fmt: skip


LATER = (  # a question that fits and fails when it is hinted at
    "from fsdp_sym.algebra.vocabulary import N, S\nfrom fsdp_sym.teaching.drills.value import Value\n"
    "class Broken(Value):\n    def solution(self, variant):\n        return {}['later']\n    hints = solution\n"
    "DRAWS = {S: ('700 MB', '1.2 GB'), N: ('4', '24', '64')}\n"
    "ROW = Broken('D-broken', 'D', 'compute', 'all_gather', 'What of [[S]] on [[N]] ranks?', 'MB', DRAWS)\n"
)
BARE = (  # a cell and nothing about it
    "from fsdp_sym.algebra.vocabulary import N\nfrom fsdp_sym.scenarios.cells import CELLS, Cell\n"
    "MINE = Cell('MY1', 'Mine', 'What of it?', 'none', CELLS['A'].parts, {N: 32}, ('GB is 10^9 bytes',), 'ours')\n"
)
OTHERS = {
    "later": ["--course", "later", "drill", "D-broken", "--seed", "1", "--hint", "1"],
    "bare": ["--course", "bare", "evaluate", "sharded_state", "--cell", "MY1"],
    "bare cell": ["--course", "bare", "explain", "MY1"],
    "bare drill": ["--course", "bare", "drill", "MY1"],
    "bare build": ["--course", "bare", "build"],
}


@pytest.fixture(scope="module")
def at(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two small courses and a class."""
    folder = tmp_path_factory.mktemp("said")
    for name, text in (("later/questions.py", LATER), ("bare/cells.py", BARE)):
        (folder / name).parent.mkdir()
        (folder / name).write_text(text)
    (folder / "roster.csv").write_text("id,name\n" + "".join(f"s{n},Name {n}\n" for n in range(60)))
    return folder


@pytest.fixture(scope="module")
def said(at: Path) -> dict[str, Said]:
    """Every command's answer with the example course, the audit's without it, and those of two other courses opened after it."""
    theirs = [["--course", str(EXAMPLE), *argv] for argv in COMMANDS.values()]
    found = run(at, ["audit", "--json"], *theirs, *OTHERS.values())
    exported = (at / "key/questions.md").read_text() if (at / "key/questions.md").exists() else ""
    return dict(zip(("audit of ours", *COMMANDS, *OTHERS), found, strict=True)) | {"exported": Said(0, exported, "")}


def test_everything_is_listed_behind_ours(said: dict[str, Said]) -> None:
    last = {kind: next(iter(rows[-1].values())) for kind, rows in said["list"].json.items()}
    assert last.items() >= {
        "cells": "LAB1",
        "lessons": "LAB1-our-laboratory",
        "questions": "LAB1-model-gather",
        "misconceptions": "office-link-in-bytes",
        "formulas": "model_gather_time",
        "models": "Pythia-1.4B",
        "machines": "24 GB desktop on 10 GbE",
    }.items()


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("evaluate", ["1.6975773696 s"]),
        ("evaluate ours", ["5.658591232 GB"]),
        ("solve", ["N = 1\n"]),
        ("explain", ["by all_gather", "[proved]"]),
        ("explain the cell", ["train on 4 desktops", "N = 8", "T_ag = "]),
        ("export", ["markdown: 1 question"]),
        ("exported", ["desktops on a link of"]),
    ],
)
def test_every_command_finds_it(command: str, words: list[str], said: dict[str, Said]) -> None:
    code, out, err = said[command]
    assert (code, err) == (0, "")
    assert [word for word in words if word not in out] == [], out


def test_a_wrong_answer_is_told_the_course_s_misconception(said: dict[str, Said]) -> None:
    assert said["drill"].json["givens"] == {"P": "2.8e9", "b_w": "4 B/param", "N": "6", "R_bit": "2.5 Gbps"}
    assert said["answer"].code == 1
    assert "office-link-in-bytes" in said["answer"].json["diagnosis"]


def test_the_audit_covers_its_formulas_and_our_formulas_at_its_cell(said: dict[str, Said]) -> None:
    points = []
    for audit in (said["audit of ours"], said["audit"]):
        found = audit.json
        rows = found if isinstance(found, list) else found["formulas"]
        assert audit.code == 0
        points.append({row["formula"]: row["counted"] for row in rows})
    ours, theirs = points
    assert theirs["model_gather_time"] > 20
    assert theirs["sharded_state"] == ours["sharded_state"] + 1
    assert theirs["stage_for_budget"] == ours["stage_for_budget"] + 1
    assert theirs["layer_traffic"] == ours["layer_traffic"]
    assert "model_gather_time" not in ours


def test_the_environment_names_a_course_and_the_option_wins(tmp_path: Path) -> None:
    (tmp_path / "models.py").write_text(
        "from fsdp_sym.algebra.vocabulary import P\nfrom fsdp_sym.scenarios.rows import Row\nMINE = Row('Mine', {P: 1}, 'ours')\n"
    )
    (named,) = run(tmp_path, ["list", "models"], FSDP_SYM_COURSE=".")
    assert named.out.splitlines()[-1].split() == ["Mine", "P=1", "ours"]
    (both,) = run(tmp_path, ["--course", ".", "list", "models"], FSDP_SYM_COURSE="nowhere")
    assert both == named


@pytest.mark.parametrize(
    ("argv", "environment", "words"),
    [
        (["--course", "nowhere", "list"], "", ["'nowhere'", "is no folder", "cells.py"]),
        (["--course", "", "list"], "", ["''", "is no folder"]),
        (["list"], "nowhere", ["'nowhere'", "is no folder"]),
        (["list", "--course", "nowhere"], "", ["--course"]),
        (["build", "--to", "there"], "", ["--to there", "--course DIR"]),
        (["explain", "LAB1"], "", ["cell or formula", "'LAB1'"]),
    ],
    ids=lambda part: " ".join(part) if isinstance(part, list) else part,
)
def test_a_wrong_request_is_one_line(
    argv: list[str], environment: str, words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FSDP_SYM_COURSE", environment)
    assert main(argv) == WRONG
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("fsdp-sym: ")
    assert err.count("\n") == 1
    assert [word for word in words if word not in err] == [], err


def test_a_row_that_fails_when_it_is_used_is_told_where_it_stands(at: Path, said: dict[str, Said]) -> None:
    """It may fit and fail later, inside a command: it is the course's fault and not ours."""
    where = f"{at / 'later/questions.py'}, line 5"
    assert said["later"] == (WRONG, "", f"fsdp-sym: {where}: KeyError: 'later': mend the file and run this again\n")


def test_a_cell_without_a_lesson_or_questions_is_worked_and_says_what_it_lacks(said: dict[str, Said]) -> None:
    assert said["bare"] == (0, "3.5 GB\n", "")
    lacking = {"bare cell": "cell MY1 has no lesson", "bare drill": "MY1 has no questions", "bare build": "has no lesson to make"}
    for command, words in lacking.items():
        code, out, err = said[command]
        assert (code, out, err.count("\n")) == (WRONG, "", 1)
        assert words in err


def test_processes_that_a_command_starts_see_the_course_too(at: Path, said: dict[str, Said]) -> None:
    assert said["assign"].code == 0, said["assign"].err
    sheets = sorted((at / "hw1/sheets").iterdir())
    assert len(sheets) == 60
    assert all("desktops on a link of" in sheet.read_text() for sheet in sheets)

"""How fast a class is handed its sheets and graded, and in how much memory, against what is promised.

    pytest tests/benchmarks/bench_classroom.py -n 0

measures everything on this machine, fails where a promise is broken, and writes its part of RESULTS.md. Linux alone, as it
adds up the memory of a command with all of its processes there.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest
from results import Row, row, write_part

from fsdp_sym.publishing.exporters.answer_text import answer_text
from fsdp_sym.teaching.classroom.expected import fields
from fsdp_sym.teaching.classroom.record import read_record
from fsdp_sym.teaching.classroom.secret import new_key
from fsdp_sym.teaching.drills import Variant, restore

ROOT = Path(__file__).parents[2]
CLASSES = (100, 1_000, 10_000)
QUESTIONS = 20
JOBS = 2
MOST_MEGABYTES = 500
START = 30  # seconds that a command may take before its first sheet, with two processes to begin

rows: list[Row] = []


def promised(what: str, figure: float, limit: float, unit: str) -> None:
    """Keep a row for the table; fail where the promise is broken."""
    rows.append(row(what, figure, limit, unit))
    assert figure <= limit, f"{what}: {rows[-1][1]}, promised was {rows[-1][2]}"


@pytest.fixture(scope="module", autouse=True)
def results() -> Iterator[None]:
    yield
    how = (
        "Written by `pytest tests/benchmarks/bench_classroom.py -n 0`, which measures all of it anew; "
        "run it on an otherwise idle machine.\n"
        f"Whole commands on {JOBS} processes, {QUESTIONS} questions a sheet; memory is that of all their processes together, at its peak."
    )
    write_part("The classroom", how, rows, ("sympy", "pytest"))


def measured(*arguments: str) -> tuple[float, float]:
    """Seconds that a command takes, and megabytes that it and its processes hold at their peak."""
    start, peak = perf_counter(), 0.0
    with subprocess.Popen([sys.executable, "-m", "fsdp_sym", *arguments], cwd=ROOT, stdout=subprocess.DEVNULL) as process:
        ended = threading.Event()
        threading.Thread(target=lambda: (process.wait(), ended.set()), daemon=True).start()
        while not ended.wait(0.1):
            peak = max(peak, sum(map(_megabytes, _family(process.pid))))
    assert process.returncode == 0
    return perf_counter() - start, peak


def _family(pid: int) -> list[int]:
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return []
    return [pid, *(one for child in children for one in _family(int(child)))]


def _megabytes(pid: int) -> float:
    """A process's own share of the memory it uses."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) * 1024 / 1e6


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Rosters of each size and a key; the hand-outs come beside them."""
    folder = tmp_path_factory.mktemp("course")
    new_key(folder / "course.key")
    for students in CLASSES:
        lines = [f"s{at:05},Student Number {at}" for at in range(students)]
        (folder / f"roster-{students}.csv").write_text("\n".join(["id,name", *lines, ""]))
    return folder


def test_assign(benchmark: Any, course: Path) -> None:
    seconds: dict[int, float] = {}
    megabytes: dict[int, float] = {}
    for students in CLASSES:
        out = course / f"hw{students}"
        asked = ["--cells", "A,B,C,D,E,F,G,H", "--questions", str(QUESTIONS), "--jobs", str(JOBS), "--out", str(out)]
        given = ["--roster", str(course / f"roster-{students}.csv"), "--key-file", str(course / "course.key")]
        seconds[students], megabytes[students] = measured("assign", *asked, *given)
        assert len(list((out / "sheets").iterdir())) == students
    small, middle, large = CLASSES
    benchmark.pedantic(lambda: None, rounds=1)
    benchmark.extra_info["seconds"] = seconds
    for students in (small, middle):
        promised(f"`assign`, notebooks for {students:,} students", seconds[students], students * 300 / large + START, "s")
    promised(f"`assign`, notebooks for {large:,} students", seconds[large], 300, "s")
    promised(f"the same, time for a student, against {middle:,} students", _growth(seconds), 1.25, "times")
    promised(f"the same, memory at {large:,} students", megabytes[large], MOST_MEGABYTES, "MB")


def _growth(seconds: dict[int, float]) -> float:
    """How much longer a student takes in the largest class than in the middle one."""
    _, middle, large = CLASSES
    return (seconds[large] / large) / (seconds[middle] / middle)


def test_grade(benchmark: Any, course: Path) -> None:
    """Every student returns the notebook that `test_assign` handed out: of three answers two are right and one is a misconception's."""
    seconds: dict[int, float] = {}
    megabytes: dict[int, float] = {}
    for students in CLASSES:
        handed_out, returned, graded = (course / f"{what}{students}" for what in ("hw", "returned", "graded"))
        _return(handed_out, returned)
        asked = ["--jobs", str(JOBS), "--format", "plain,canvas,moodle", "--out", str(graded)]
        seconds[students], megabytes[students] = measured("grade", str(handed_out), str(returned), *asked)
        assert len(list((graded / "feedback").iterdir())) == students
    small, middle, large = CLASSES
    benchmark.pedantic(lambda: None, rounds=1)
    benchmark.extra_info["seconds"] = seconds
    for students in (small, middle):
        promised(f"`grade`, {students:,} notebooks, with feedback and report", seconds[students], students * 60 / large + START, "s")
    promised(f"`grade`, {large:,} notebooks, with feedback and report", seconds[large], 60, "s")
    promised(f"the same, time for a student, against {middle:,} students", _growth(seconds), 1.25, "times")
    promised(f"the same, memory at {large:,} students", megabytes[large], MOST_MEGABYTES, "MB")
    promised(f"the same, memory at {large:,} students, against {middle:,}", megabytes[large] / megabytes[middle], 1.25, "times")


def _return(handed_out: Path, returned: Path) -> None:
    """The class fills in its notebooks and returns them, as nbgrader lays them out."""
    header, sheets = read_record(handed_out / "keys" / "record.jsonl")
    for at, sheet in enumerate(sheets):
        typed = {}
        for number, (asked, drawn) in enumerate(zip(header.questions, sheet.variants, strict=True)):
            typed |= _typed(asked.label, asked.id, drawn)[bool((at + number) % 3)]
        text = (handed_out / "sheets" / f"{sheet.student}.ipynb").read_text(encoding="utf-8")
        for field, answer in typed.items():
            head, line, tail = text.partition(f'"**Answer {field}** (write below this line)\\n"')
            text = f"{head}{line}, {json.dumps(answer)}{tail}"
        place = returned / "submitted" / sheet.student / header.assignment / "hw.ipynb"
        place.parent.mkdir(parents=True)
        place.write_text(text, encoding="utf-8")


@cache
def _typed(label: str, question: str, drawn: tuple[tuple[str, str], ...]) -> tuple[dict[str, str], dict[str, str]]:
    """A wrong and a right way to answer a variant."""
    drill = restore(Variant(question, drawn))
    wrong, right = {}, {}
    for at, (field, expects) in enumerate(fields(label, drill.posed).items()):
        rival = next((r.value for r in drill.rivals(at) if r.misconception), drill.keys[at])
        wrong[field], right[field] = answer_text(rival, expects), answer_text(drill.keys[at], expects)
    return wrong, right

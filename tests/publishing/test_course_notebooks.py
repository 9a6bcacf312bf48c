"""A course's notebooks are made like ours: run, confirmed by counting, checked again by nbval, wherever they lie beside the course."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from fsdp_sym.publishing import build as builder
from fsdp_sym.publishing.exporters.notebook import Shelf, export
from fsdp_sym.reasoning.evidence import records_in
from fsdp_sym.teaching.course import Course
from fsdp_sym.teaching.course.relied_on import relied_on
from fsdp_sym.teaching.lessons.blocks import Ask, Derive, Fact, Lesson, Matrix, Measured, Notation, Say, Work, YourNumbers

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "tests" / "data" / "course"
NAME = "LAB1-our-laboratory.ipynb"


def run(at: Path, *words: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "200"}
    return subprocess.run([sys.executable, "-m", *words], cwd=at, env=env, capture_output=True, text=True, check=False)


def build(at: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return run(at, "fsdp_sym", "--course", "our course", "build", *words)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example course under a name with a space, and its notebooks beside it."""
    at = tmp_path_factory.mktemp("built")
    shutil.copytree(EXAMPLE, at / "our course", ignore=shutil.ignore_patterns("__pycache__"))
    done = build(at, "--to", "out/notebooks")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"out/notebooks/{NAME}\nout/notebooks/student/{NAME}\n2 written\n"
    return at


@pytest.fixture
def at(built: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(built, tmp_path / "elsewhere"))


def test_the_answers_are_the_counts_and_the_student_edition_has_none(built: Path) -> None:
    worked = nbformat.read(built / "out/notebooks" / NAME, as_version=4)
    nbformat.validate(worked)
    code = [cell for cell in worked.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    answers = {cell.id: cell.outputs[0].text for cell in code if "answer" in cell.metadata.get("tags", ())}
    assert list(answers) == ["state", "fits", "gather", "reveal", "limit"]
    assert answers["gather"].endswith("= 1.6975773696 s\n")
    assert 'course("../../our course")' in code[0].source
    assert not code[0].outputs
    assert str(built) not in json.dumps(worked)
    student = nbformat.read(built / "out/notebooks/student" / NAME, as_version=4)
    assert not any(cell.get("outputs") for cell in student.cells)
    assert 'course("../../../our course")' in student.cells[1].source
    assert "5.659 GB" in json.dumps(worked)
    assert "5.659 GB" not in json.dumps(student)
    assert "start-here" not in json.dumps(worked)


def test_nbval_agrees_with_them_wherever_both_are_moved_and_sees_a_wrong_number(at: Path) -> None:
    """The wrong number stands in a cell of its own behind the others: all of them agree and it alone does not."""
    file = at / "out/notebooks" / NAME
    worked = nbformat.read(file, as_version=4)
    (gather,) = [cell for cell in worked.cells if cell.id == "gather"]
    wrong = json.loads(json.dumps(gather).replace("1.6975773696 s", "1.6975773697 s")) | {"id": "wrong"}
    assert wrong["outputs"] != gather.outputs
    worked.cells.append(nbformat.from_dict(wrong))
    nbformat.write(worked, file)
    said = run(at, "pytest", "-p", "no:cacheprovider", "-p", "no:xdist", "-rA", "--nbval", "--nbval-current-env", "out/notebooks").stdout
    passed, failed = (re.findall(rf"^{verdict} out/notebooks/(\S+)::Cell", said, re.MULTILINE) for verdict in ("PASSED", "FAILED"))
    assert passed.count(NAME) == sum(cell.cell_type == "code" for cell in worked.cells) - 1, said
    assert f"student/{NAME}" in passed
    assert failed == [NAME], said
    assert ".6975773697 s" in said


def test_a_wrong_count_is_refused_before_anything_is_written(at: Path) -> None:
    file = at / "our course/formulas/model_gather_time.py"
    text = file.read_text()
    assert "clock += received" in text
    file.write_text(text.replace("clock += received", "clock += 2 * received"))
    done = build(at, "--to", "fresh")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1), done.stderr
    assert "the audit refuses 1 formula(s), first model_gather_time" in done.stderr
    assert not (at / "fresh").exists()


# The rest needs no kernel: lessons of cell D stand in for those of a course.


@pytest.mark.parametrize(
    "block",
    [
        Work("x", "traffic_over_all_reduce"), Derive("x", "traffic_over_all_reduce"),
        YourNumbers("x", 'print(work("D", "traffic_over_all_reduce", N=8))'),
    ],
    ids=lambda block: type(block).__name__,
)  # fmt: skip
def test_a_course_relies_on_its_formulas_and_what_its_lessons_name_with_every_lemma(block: Work | Derive | YourNumbers) -> None:
    found = [one.id for one in relied_on(("ring_steps",), [Lesson("mine", "Mine", (Say("words", "sharded_state"), block), "D")])]
    assert sorted(found) == ["all_gather", "all_reduce", "layer_traffic", "reduce_scatter", "ring_steps", "traffic_over_all_reduce"]


def test_what_is_held_against_a_record_is_audited_too() -> None:
    held = {one.id for one in relied_on((), [Lesson("mine", "Mine", (Measured("runs", "collectives"),), "D")])}
    assert {record.formula for record in records_in("collectives")} <= held


TWO = {
    name: Lesson(name, name, (Say("words", "Words."), Matrix("map"), Notation("notation")), cell)
    for name, cell in (("one", "D"), ("two", "F"))
}


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Course:
    """A course of two lessons, the building of which runs nothing."""

    def made(_: object, to: Path, course: Course | None) -> dict[str, bytes]:
        assert course is not None
        shelves = {"": builder._shelf(to, course), "student/": builder._shelf(to / "student", course)}
        return {f"{at}{name}.ipynb": export(lesson, "worked", shelf) for at, shelf in shelves.items() for name, lesson in TWO.items()}

    monkeypatch.setattr(builder, "_made", made)
    (tmp_path / "course").mkdir()
    return Course(tmp_path / "course", {}, TWO)


def test_what_a_course_relies_on_is_audited_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []
    monkeypatch.setattr(builder, "audit", lambda chosen: asked.append([one.id for one in chosen]) or [])
    monkeypatch.setattr(builder, "executed", lambda lesson, *_: nbformat.v4.new_notebook())
    works = {"mine": Lesson("mine", "Mine", (Work("x", "all_gather"),), "D")}
    builder.build(tmp_path / "out", course=Course(tmp_path, {"formula": ("ring_steps",)}, works))
    assert asked == [["all_gather", "ring_steps"]]


def test_a_second_build_changes_nothing_and_drift_is_named(course: Course, tmp_path: Path) -> None:
    to = tmp_path / "out"
    assert builder.build(to, course=course) == ["one.ipynb", "two.ipynb", "student/one.ipynb", "student/two.ipynb"]
    assert builder.build(to, course=course) == builder.check(to, course=course) == []
    (to / "mine.ipynb").write_text('{"cells": []}')
    (to / "student/notes.ipynb").write_text("no notebook")
    shutil.copy(to / "student/one.ipynb", to / "student/old.ipynb")
    shutil.copy(to / "one.ipynb", to / "student/of-another-course.ipynb")
    (to / "one.ipynb").write_bytes((to / "one.ipynb").read_bytes().replace(b"Words.", b"Worse."))
    (to / "student/two.ipynb").unlink()
    assert builder.check(to, course=course) == [
        "student/old.ipynb: nothing makes this file", "one.ipynb: cell words differs", "student/two.ipynb: missing",
    ]  # fmt: skip
    assert builder.build(to, course=course) == ["one.ipynb", "student/two.ipynb", "student/old.ipynb"]
    assert builder.check(to, course=course) == []
    assert {p.name for p in to.rglob("*.ipynb")} == {"one.ipynb", "two.ipynb", "mine.ipynb", "notes.ipynb", "of-another-course.ipynb"}


def test_a_file_that_no_build_made_is_never_overwritten(course: Course, tmp_path: Path) -> None:
    for name in ("one.ipynb", "student/two.ipynb"):
        to = tmp_path / name.replace("/", "-")
        (to / name).parent.mkdir(parents=True)
        (to / name).write_text("mine")
        with pytest.raises(builder.BuildRefused, match=f"{to / name} is in the way"):
            builder.build(to, course=course)
        assert [p.name for p in to.rglob("*.ipynb")] == [Path(name).name]
        assert (to / name).read_text() == "mine"


@pytest.mark.parametrize(("to", "way"), [("course", "."), ("course/notebooks", ".."), ("a b", "../course")])
def test_the_way_to_the_course_is_written_from_where_the_notebook_lies(to: str, way: str, course: Course, tmp_path: Path) -> None:
    builder.build(tmp_path / to, course=course)
    opening = nbformat.read(tmp_path / to / "one.ipynb", as_version=4).cells[1].source
    assert f'course("{way}")' in opening
    assert (tmp_path / to / way).resolve() == course.folder.resolve()


def test_a_map_and_the_links_are_of_the_shelf(course: Course) -> None:
    one, two = (export(lesson, "worked", Shelf(TWO, "..")).decode() for lesson in TWO.values())
    assert "[D](one.ipynb)" in one
    assert "[F](two.ipynb)" in one
    assert "| [A](" not in one
    assert "next: [F. two](two.ipynb)" in one
    assert "onward" not in two
    assert "`S`" in one
    assert "`N_p`" not in one


@pytest.mark.parametrize(
    ("block", "words"),
    [
        (Say("x", "[[slower]]"), ["[[slower]]", "no such slug"]),
        (Ask("x", "How?", "[[fact.T_comp]]"), ["[[fact.T_comp]]", "no T_comp is given"]),
        (Say("x", "[[@T_comp]]"), ["[[@T_comp]]", "no T_comp is given"]),
        (Work("x", "all_gather", {"N": "[[slower]]"}), ["[[slower]]", "no such slug"]),
        (Say("x", "[[time]]"), ["all_gather_time needs", "R_bit"]),
    ],
    ids=lambda part: str(part)[:40],
)  # fmt: skip
def test_a_text_that_names_nothing_is_refused_in_one_line(block: Say | Ask | Work, words: list[str]) -> None:
    lesson = Lesson("mine", "Mine", (Fact("fact", "all_gather"), Fact("time", "all_gather_time"), block), "D")
    with pytest.raises(builder.BuildRefused) as refused:
        builder.executed(lesson)
    said = str(refused.value)
    assert said.startswith("mine.ipynb: ")
    assert "\n" not in said
    assert [word for word in words if word not in said] == [], said

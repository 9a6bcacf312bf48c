"""The nbgrader sheet on nbgrader itself: released, filled in, autograded, exported; the marks are this package's own."""

from __future__ import annotations

import csv
import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import nbformat
import pytest

from fsdp_sym.publishing.exporters import EXPORTERS
from fsdp_sym.publishing.exporters.answer_text import answer_text, four_digits
from fsdp_sym.publishing.exporters.form import Bank
from fsdp_sym.teaching.answers import Count, Number, Quantity
from fsdp_sym.teaching.drills import KINDS, QUESTIONS, Drill, diagnose, pose

ONE_OF_EACH_KIND = [next(q for q in QUESTIONS.values() if q.kind == kind) for kind in KINDS]
DRILLS = [pose(question, 3) for question in ONE_OF_EACH_KIND]
RIGHT = [[answer_text(key, part.expects) for key, part in zip(d.keys, d.posed.parts, strict=True)] for d in DRILLS]


def students() -> dict[str, list[list[str] | None]]:
    """What each of them types into each question; None where they delete the cells."""
    half = [texts if len(texts) == 1 else [texts[0], *["7"] * (len(texts) - 1)] for texts in RIGHT]
    mistaken = [[mistake(d) or texts[0], *texts[1:]] for d, texts in zip(DRILLS, RIGHT, strict=True)]
    return {
        "right": list(RIGHT),
        "half": list(half),
        "mistaken": list(mistaken),
        "close": [[f"{float(Fraction(d.keys[0])) * 1.01} B"] if isinstance(d.posed.parts[0].expects, Quantity) else [] for d in DRILLS],
        "invalid": [["about 7 <b>", "1..2"] for _ in DRILLS],
        "nothing": [[] for _ in DRILLS],
        "deleted": [None for _ in DRILLS],
    }


def mistake(drill: Drill) -> str:
    """What the first misconception leads to; empty where none is told."""
    return answer_text(drill.rivals()[0].value, drill.posed.parts[0].expects) if drill.rivals() else ""


def nbgrader(folder: Path, *words: str) -> str:
    # nbgrader looks for alembic on the path.
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    env = os.environ | {"PATH": path, "HOME": str(folder), "JUPYTER_NO_CONFIG": "1"}
    done = subprocess.run([sys.executable, "-m", "nbgrader", *words], cwd=folder, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stderr


@pytest.fixture(scope="module")
def course(tmp_path_factory) -> Path:
    """A course whose assignment was released, handed in by everybody, autograded and exported."""
    folder = tmp_path_factory.mktemp("course")
    (folder / "nbgrader_config.py").write_text("c = get_config()\nc.CourseDirectory.course_id = 'course'\n")
    source = folder / "source" / "hw1"
    source.mkdir(parents=True)
    for name, content in EXPORTERS["nbgrader"].export(Bank("Homework 1", tuple((d,) for d in DRILLS))).items():
        (source / name).write_bytes(content)
    nbgrader(folder, "generate_assignment", "hw1")
    released = nbformat.read(folder / "release" / "hw1" / "sheet.ipynb", 4)
    for student, typed in students().items():
        handed_in = folder / "submitted" / student / "hw1"
        handed_in.mkdir(parents=True)
        nbformat.write(filled(released, typed), handed_in / "sheet.ipynb")
    said = nbgrader(folder, "autograde", "hw1")
    assert "Traceback" not in said
    nbgrader(folder, "export")
    return folder


def filled(released: nbformat.NotebookNode, typed: list[list[str] | None]) -> nbformat.NotebookNode:
    """The released sheet with answers between its quotes."""
    notebook = nbformat.from_dict(released)
    by_id = {cell.id: cell for cell in notebook.cells}
    for at, (drill, texts) in enumerate(zip(DRILLS, typed, strict=True), 1):
        for place, part in enumerate(drill.posed.parts):
            cell = by_id[f"Q{at}-{part.label}-answer" if part.label else f"Q{at}-answer"]
            if texts is None:
                notebook.cells.remove(cell)
            elif place < len(texts):
                assert cell.source.endswith('""')
                cell.source = cell.source[:-2] + repr(texts[place])
    return notebook


def earned(drill: Drill, texts: list[str] | None) -> Fraction:
    return diagnose(drill, *[*(texts or []), *[""] * len(drill.posed.parts)][: len(drill.posed.parts)]).earned


def test_the_marks_are_those_of_this_package(course):
    with (course / "grades.csv").open() as file:
        marks = {row["student_id"]: (float(row["raw_score"]), float(row["max_score"])) for row in csv.DictReader(file)}
    expected = {s: sum(earned(d, t) for d, t in zip(DRILLS, typed, strict=True)) for s, typed in students().items()}
    for student, total in expected.items():
        assert marks[student] == (pytest.approx(float(total)), len(DRILLS)), student
    assert expected["right"] == len(DRILLS)
    assert any(0 < earned(d, t) < 1 for d, t in zip(DRILLS, students()["half"], strict=True))
    assert any(diagnose(d, *t).verdict == "close" for d, t in zip(DRILLS, students()["close"], strict=True) if t)
    assert expected["nothing"] == expected["deleted"] == expected["invalid"] == expected["close"] == 0


def test_nothing_that_was_released_tells_an_answer(course):
    released = (course / "release" / "hw1" / "sheet.ipynb").read_text()
    source = (course / "source" / "hw1" / "sheet.ipynb").read_text()
    for word in ("HIDDEN", "restore", "Variant", "diagnose"):
        assert word in source
        assert word not in released
    asked = " ".join(text for d in DRILLS for text in (d.posed.prompt, *d.posed.lines)).replace(",", "")
    for drill in DRILLS:
        for key, part in zip(drill.keys, drill.posed.parts, strict=True):
            for digits in shown(key, part.expects):
                assert digits in asked or digits not in released.replace(",", ""), (drill.posed.question, digits)


def shown(key, expects) -> list[str]:
    """The digits of a key of four and more digits, however it may be rounded: in base units, and in the unit that is asked for."""
    if not isinstance(expects, Quantity | Number | Count) or key is None:
        return []
    forms = [four_digits(Fraction(key)), str(key), answer_text(key, expects).split()[0]]
    return [form for form in forms if sum(c.isdigit() for c in form) >= 4]


def test_the_locked_cells_are_restored_and_the_feedback_tells_the_thought(course):
    graded = nbformat.read(course / "autograded" / "mistaken" / "hw1" / "sheet.ipynb", 4)
    printed = "\n".join(o.text for c in graded.cells if c.cell_type == "code" for o in c.outputs if o.output_type == "stream")
    assert all(o.name == "stdout" for c in graded.cells if c.cell_type == "code" for o in c.outputs if o.output_type == "stream")
    told = [line for d, texts in zip(DRILLS, students()["mistaken"], strict=True) for line in diagnose(d, *texts).says]
    assert any("wrong" in line for line in printed.splitlines())
    assert all(line in printed for line in told)


def test_a_sheet_that_was_tampered_with_is_graded_by_the_source(course):
    """A student who puts a number into the locked cell gets what the source's tests give."""
    folder, cheat = course, course / "submitted" / "cheat" / "hw1"
    cheat.mkdir(parents=True)
    notebook = nbformat.read(folder / "release" / "hw1" / "sheet.ipynb", 4)
    for cell in notebook.cells:
        if cell.id.endswith("-points"):
            cell.source = "1.0"
    nbformat.write(notebook, cheat / "sheet.ipynb")
    nbgrader(folder, "autograde", "hw1", "--student", "cheat")
    nbgrader(folder, "export")
    with (folder / "grades.csv").open() as file:
        assert {float(row["raw_score"]) for row in csv.DictReader(file) if row["student_id"] == "cheat"} == {0.0}

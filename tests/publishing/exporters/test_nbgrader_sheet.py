"""The nbgrader source notebook without nbgrader: its metadata, its tests, and that what is visible depends on no key."""

from __future__ import annotations

import re
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from io import StringIO

import nbformat
import pytest

from fsdp_sym.publishing.exporters.answer_text import answer_text
from fsdp_sym.publishing.exporters.form import Bank
from fsdp_sym.publishing.exporters.nbgrader import NBGRADER
from fsdp_sym.teaching.drills import KINDS, QUESTIONS, diagnose, pose

DRILLS = [pose(next(q for q in QUESTIONS.values() if q.kind == kind), 5) for kind in KINDS]
BANK = Bank("Homework $1$", tuple((d,) for d in DRILLS))
MAY_HOLD = {"schema_version", "grade_id", "grade", "locked", "solution", "task", "points"}


def notebook() -> nbformat.NotebookNode:
    return nbformat.reads(NBGRADER.export(BANK)["sheet.ipynb"].decode(), 4)


def names(at: int) -> list[str]:
    return [f"Q{at + 1}_{p.label}" if p.label else f"Q{at + 1}" for p in DRILLS[at].posed.parts]


def hidden_tests(at: int) -> str:
    return next(cell.source for cell in notebook().cells if cell.id == f"Q{at + 1}-points")


def test_the_notebook_is_valid_and_its_cells_are_named_once():
    made = notebook()
    nbformat.validate(made)
    ids = [cell.metadata.nbgrader.grade_id for cell in made.cells if "nbgrader" in cell.metadata]
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch(r"[a-zA-Z0-9_\-]*", x) for x in ids)


def test_metadata_is_of_the_third_schema_and_graded_cells_are_locked():
    for cell in notebook().cells:
        if "nbgrader" not in cell.metadata:
            assert cell.source.endswith('""')
            continue
        about = cell.metadata.nbgrader
        assert set(about) <= MAY_HOLD
        assert (about.schema_version, about.locked, about.solution) == (3, True, False)
        assert about.grade == ("points" in about) == ("HIDDEN TESTS" in cell.source)


def test_what_is_visible_is_the_same_with_every_key_replaced():
    other = Bank(BANK.title, tuple((replace(d, keys=tuple("x" for _ in d.keys)),) for d in DRILLS))
    assert NBGRADER.export(other) == NBGRADER.export(BANK)
    for cell in notebook().cells:
        visible = re.sub(r"(?s)### BEGIN HIDDEN TESTS.*### END HIDDEN TESTS", "", cell.source)
        assert not re.search(r"Variant|restore|diagnose", visible)


@pytest.mark.parametrize("at", range(len(DRILLS)), ids=[d.posed.question for d in DRILLS])
@pytest.mark.parametrize("typed", ["right", "first alone", "wrong", "unreadable", "nothing", "no cell"])
def test_the_hidden_tests_end_in_the_points_and_say_nothing_on_standard_error(at, typed):
    drill = DRILLS[at]
    right = [answer_text(key, part.expects) for key, part in zip(drill.keys, drill.posed.parts, strict=True)]
    texts = {
        "right": right,
        "first alone": [right[0], *["" for _ in right[1:]]],
        "wrong": ["1" for _ in right],
        "unreadable": ["'''\n" for _ in right],
        "nothing": ["" for _ in right],
        "no cell": ["" for _ in right],
    }[typed]
    kernel: dict[str, object] = {} if typed == "no cell" else dict(zip(names(at), texts, strict=True))
    *body, last = [line for line in hidden_tests(at).splitlines() if not line.startswith("#")]
    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        exec("\n".join(body), kernel)
        points = eval(last, kernel)
    judged = diagnose(drill, *texts)
    assert type(points) is float
    assert points == float(judged.earned)
    assert 0 <= points <= 1
    assert (out.getvalue().splitlines()[1], err.getvalue()) == (judged.verdict, "")
    if typed == "right":
        assert points == 1

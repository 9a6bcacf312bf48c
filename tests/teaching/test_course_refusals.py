"""What cannot be a course: each is one line that names the file, the line and the remedy, and leaves no trace."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from fsdp_sym.algebra.errors import FsdpSymError
from fsdp_sym.reasoning.catalogue import formulas
from fsdp_sym.scenarios.cells import CELLS
from fsdp_sym.scenarios.machines import MACHINES
from fsdp_sym.scenarios.models import MODELS
from fsdp_sym.scenarios.plans import PLANS
from fsdp_sym.teaching.course import is_of_a_course, open_course
from fsdp_sym.teaching.drills import QUESTIONS
from fsdp_sym.teaching.lessons import LESSONS
from fsdp_sym.teaching.misconceptions import MISCONCEPTIONS, PRINCIPLES

EXAMPLE = Path(__file__).parents[1] / "data" / "course"
GATHER = "formulas/model_gather_time.py"
FIELDS = "from fsdp_sym.algebra.vocabulary import P, b_g, b_w\nfrom fsdp_sym.scenarios.rows import Row\n"

# A file of the example, a text in it and what stands there instead, and words that the one line must hold.
EDITED = [
    ("cells.py", "LAB = Cell(", "LAB = Cell((", ["cells.py, line 10: SyntaxError", "put it right"]),
    ("cells.py", "{N: 4}", "{Q: 4}", ["cells.py, line 16: NameError: name 'Q' is not defined"]),
    ("cells.py", "import PYTHIA", "import PYTHA", ["cells.py, line 8: ImportError", "PYTHA", "models.py"]),
    ("cells.py", 'source="four desktops in room 2.14"', 'source=" "', ["cells.py, line 10: cell LAB1 needs a source"]),
    ("cells.py", "[[@N]]", "[[@k]]", ["cells.py, line 10: cell LAB1 speaks of [[@k]] and gives no k"]),
    ("cells.py", "{N: 4}", '{N: "4 GB"}', ["cells.py, line 10", "N (", "'4 GB'", "N=8"]),
    ("cells.py", '"LAB1"', '"A"', ["cells.py, line 11: a cell 'A'", "another name"]),
    ("cells.py", '"LAB1"', '"LAB 1"', ["cells.py, line 11", "'LAB 1'", "letters"]),
    ("cells.py", '"LAB1"', '"all_gather"', ["cells.py, line 11: a formula is called 'all_gather'", "another id"]),
    ("cells.py", "PLANS[", 'PLANS["My plan", ', ["cells.py, line 15", "nothing is called"]),
    ("models.py", "Pythia-1.4B", "7B", ["models.py, line 6: a model '7B'", "another name"]),
    ("models.py", "{P: 1414647808,", "{P: '1 apple',", ["models.py, line 6: P: 'apple'"]),
    ("machines.py", '"24 GB"', '"24 GX"', ["machines.py, line 6: M_max: 'GX'"]),
    ("machines.py", '"the label on the card; IEEE 802.3ae line rate"', '""', ["machines.py, line 6", "has no source"]),
    (GATHER, "model_gather_time = Formula(", "raise SystemExit(3)\nFormula(", [f"{GATHER}, line 27: SystemExit: 3"]),
    (GATHER, "import all_gather\n", "import all_gathr\n", [f"{GATHER}, line 14: ImportError"]),
    ("misconceptions.py", '"model_gather_time"', '"model_gather"',
     ["misconceptions.py, line 11: no formula is called 'model_gather'", "model_gather_time"]),
    ("misconceptions.py", "lambda truth: truth.xreplace({n_bit: Integer(1)})", "lambda truth: truth",
     ["misconceptions.py, line 19", "'office-link-in-bytes' is the truth itself for model_gather_time"]),
    ("misconceptions.py", "lambda truth: truth.xreplace({n_bit: Integer(1)})", "lambda truth: 1 / 0",
     ["misconceptions.py, line 19", "'office-link-in-bytes' fails for model_gather_time: ZeroDivisionError"]),
    ("questions.py", 'cell="LAB1"', 'cell="LAB9"', ["questions.py, line 8: no cell is called 'LAB9'", "LAB1"]),
    ("questions.py", "[[R_bit]]", "[[W]]", ["questions.py, line 8: LAB1-model-gather cannot be posed: nothing is called 'W'"]),
    ("questions.py", '"10 Gbps")', '"10 GB")', ["questions.py, line 8: LAB1-model-gather", "R_bit", "'10 GB'", "Gbps"]),
    ("questions.py", 'N: ("3", "4", "6", "8", "12"),', "", ["questions.py, line 8: LAB1-model-gather gives no N", "add it"]),
    ("questions.py", '"LAB1-model-gather"', '"../gather"', ["questions.py, line 8", "'../gather'", "LAB1- and then letters"]),
    ("lessons.py", 'cell="LAB1"', 'cell="LAB2"', ["lessons.py, line 6: no cell is called 'LAB2'", "LAB1"]),
    ("lessons.py", 'cell="LAB1"', 'cell="A"', ["lessons.py, line 6: lessons A-memory-in-fp32", "both teach cell A"]),
    ("lessons.py", 'id="LAB1', 'id="../LAB1', ["lessons.py, line 6", "'../LAB1-our-laboratory'", "letters"]),
    ("lessons.py", '"sharded_state"', '"sharded_stat"', ["lessons.py, line 6: no formula is called 'sharded_stat'", "sharded_state"]),
    ("lessons.py", 'of="gather"', 'of="gathr"', ["lessons.py, line 6", "'gathr'", "no Work"]),
    ("lessons.py", 'Reveal("reveal")', 'Reveal("the truth")', ["lessons.py, line 5", "'the truth'", "letters, digits and hyphens"]),
]  # fmt: skip


def added(name: str, text: str) -> Callable[[Path], object]:
    def put(folder: Path) -> None:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)

    return put


def again(folder: Path) -> None:
    with (folder / "models.py").open("a") as file:
        file.write('AGAIN = Row("Pythia-1.4B", {P: 1}, "once more")\n')


# What is done to the example, and words that the one line must hold.
MADE = [
    (again, ["models.py, line 7: a model 'Pythia-1.4B' is in ", "models.py, line 6 already", "another name"]),
    (added("plans.py", FIELDS + 'LION = Row("Lion", {b_w: 2, b_g: 2}, "x")\n'), ["plans.py, line 3", "'Lion' does not say b_c=0", "kept"]),
    (added("question.py", ""), ["question.py would not be read", "questions.py"]),
    (added("formulas.py", ""), ["formulas.py would not be read", "formulas/"]),
    (added("formulas/our own.py", ""), ["our own.py cannot be imported", "underscores"]),
    (added("lessons/more.py", ""), ["lessons.py", "are both there", "keep"]),
    (lambda folder: (folder / "plans.py").symlink_to("nowhere"), ["plans.py is a link that leads nowhere"]),
    (lambda folder: [path.unlink() for path in folder.rglob("*.py")], ["holds no course", "cells.py"]),
    (shutil.rmtree, ["is no folder", "cells.py"]),
]


def refusal(folder: Path) -> str:
    registries = [CELLS, MODELS, MACHINES, PLANS, formulas(), MISCONCEPTIONS, PRINCIPLES, QUESTIONS, LESSONS]
    before = [dict(rows) for rows in registries]
    modules = set(sys.modules)
    with pytest.raises(FsdpSymError) as refused:
        open_course(folder)
    assert [dict(rows) for rows in registries] == before
    assert [list(rows) for rows in registries] == [list(rows) for rows in before]
    assert not {name for name in set(sys.modules) - modules if "course" in name}
    assert not is_of_a_course(str(folder / "cells.py"))
    said = str(refused.value)
    assert "\n" not in said
    return said


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(EXAMPLE, tmp_path / "our course", ignore=shutil.ignore_patterns("__pycache__")))


@pytest.mark.parametrize(("file", "old", "new", "words"), EDITED, ids=[f"{file}: {new}" for file, _, new, _ in EDITED])
def test_a_wrong_row_is_refused_where_it_stands(file: str, old: str, new: str, words: list[str], folder: Path) -> None:
    text = (folder / file).read_text()
    assert old in text
    (folder / file).write_text(text.replace(old, new))
    said = refusal(folder)
    assert said.startswith(f"{folder / file}, line ")
    assert [word for word in words if word not in said] == [], said


@pytest.mark.parametrize(("make", "words"), MADE, ids=[words[0] for _, words in MADE])
def test_a_wrong_folder_is_refused(make: Callable[[Path], object], words: list[str], folder: Path) -> None:
    make(folder)
    said = refusal(folder)
    assert [word for word in words if word not in said] == [], said


@pytest.mark.parametrize("nothing", ["", "  "])
def test_a_folder_without_a_name_is_refused(nothing: str) -> None:
    with pytest.raises(FsdpSymError, match="is no folder"):
        open_course(nothing)


def test_a_row_that_fails_outside_its_file_is_told_where_it_stands(folder: Path) -> None:
    """The last frame inside the course counts, however deep the failure lies."""
    (folder / "questions.py").write_text("from sympy import Integer\n\nVALUES = [\n    1,\n    Integer('x'),\n]\n")
    assert refusal(folder).startswith(f"{folder / 'questions.py'}, line 5: ")

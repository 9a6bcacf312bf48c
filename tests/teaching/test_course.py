"""A course that is open stands beside ours everywhere, whenever it is opened. Nothing closes one: each test has a process of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from fsdp_sym.publishing.exporters.notebook import export
from fsdp_sym.scenarios.cells import CELLS
from fsdp_sym.teaching.lessons import OURS

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "tests" / "data" / "course"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(EXAMPLE, tmp_path / "our course", ignore=shutil.ignore_patterns("__pycache__")))


def python(program: str, at: Path, **environment: str) -> str:
    """What a program prints that is run beside the course's folder."""
    env = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    done = subprocess.run([sys.executable, "-c", program], cwd=at, env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return done.stdout


ADDED = """\
model: Pythia-1.4B
machine: 24 GB desktop on 10 GbE
cell: LAB1
formula: model_gather_time
misconception: gathered-parameters-not-bytes, office-link-in-bytes
question: LAB1-model-gather
lesson: LAB1-our-laboratory
"""


def test_what_was_refused_opens_when_it_is_mended_says_what_it_added_and_opening_it_again_changes_nothing(folder: Path) -> None:
    (folder.parent / "a link").symlink_to(folder)
    said = python(
        "from pathlib import Path\nfrom fsdp_sym import course\nfrom fsdp_sym.algebra.errors import FsdpSymError\n"
        "from fsdp_sym.teaching.drills import QUESTIONS\n"
        "file = Path('our course/lessons.py')\ntext = file.read_text()\nfile.write_text('LAB = (')\n"
        "try:\n    course('our course')\nexcept FsdpSymError as error:\n    print(error)\n"
        "file.write_text(text + '# mended')\n"
        "one = course('our course'); print(one)\n"
        "rows = dict(QUESTIONS)\n"
        "assert course('our course') is one and course('our course/') is one and course('a link') is one\n"
        "assert dict(QUESTIONS) == rows\n",
        folder.parent,
    )
    refused, _, added = said.partition("\n")
    assert refused.endswith("lessons.py, line 1: SyntaxError: '(' was never closed: put it right and open the course again")
    assert added == ADDED


USED = """
from fsdp_sym import forecast, practice, reveal, solve, work
from fsdp_sym.publishing.explanation import explained
from fsdp_sym.reasoning.audit import audit_formula
from fsdp_sym.reasoning.catalogue import formula
from fsdp_sym.scenarios.cells import CELLS
from fsdp_sym.teaching.drills import QUESTIONS, diagnose, pose

def use():
    print(work("LAB1", "model_gather_time"), work("LAB1", "model_gather_time", N="oo"), sep="\\n")
    print(solve("LAB1", "model_gather_time", "R_bit", at_most="1 s").text)
    print(audit_formula(formula("model_gather_time"), list(CELLS.values())).counted)
    print(explained("LAB1", {"N": "8"}).text)
    forecast("LAB1", "2 s")
    reveal("LAB1")
    question = practice("LAB1", 3, folder=None)
    print(question)
    drill = pose(QUESTIONS[question.question], 3)
    for rival in drill.rivals():
        if rival.slip is None:
            print(rival.misconception, diagnose(drill, f"{float(rival.value):.9g} s").says)
    for name in ("D-all-gather", "A-shard"):
        print([(r.misconception, r.slip) for r in pose(QUESTIONS[name], 1).rivals()])
"""

ABOUT_OURS = """
MINE = Misconception(
    "nothing-but-ones-own", ("all_gather",), lambda truth: S / N / N,
    "A rank receives a shard of its shard.", BITS, "A rank receives the shards of all the others.",
)
"""


def test_it_is_the_same_whether_it_is_opened_before_or_after_everything_was_used(folder: Path) -> None:
    """A misconception of the course about a formula of ours reaches our own questions, also those that were posed before."""
    with (folder / "misconceptions.py").open("a") as file:
        file.write("\nfrom fsdp_sym.algebra.vocabulary import N, S\n" + ABOUT_OURS)
    opened = "from fsdp_sym import course\ncourse('our course')\n"
    early = python(opened + USED + "use()", folder.parent)
    before = (
        "from fsdp_sym.reasoning.catalogue import formulas\nfrom fsdp_sym.publishing import build\nformulas()\n"
        "from fsdp_sym.teaching.drills import QUESTIONS, pose\nfor question in (q for q in QUESTIONS.values() if q.cell in ('A', 'D')):\n"
        "    drill = pose(question, 1)\n    [drill.rivals(at) for at in range(len(drill.posed.parts))]\n"
    )
    late = python(before + opened + USED + "use()", folder.parent)
    assert early == late
    assert "= 1.6975773696 s\n" in early
    assert early.count("nothing-but-ones-own") > 0
    for name in ("gathered-parameters-not-bytes", "office-link-in-bytes"):
        assert f"\n{name} ('" in early


def test_two_courses_stand_side_by_side_and_a_name_is_taken_once(folder: Path) -> None:
    other = folder.parent / "another"
    (other / "cells").mkdir(parents=True)
    text = (folder / "cells.py").read_text().replace("LAB1", "LAB2").replace("from .machines import DESKTOP", "")
    text = text.replace("from .models import PYTHIA", "from fsdp_sym.scenarios.models import MODELS")
    (other / "cells" / "the_second.py").write_text(text.replace("PYTHIA, DESKTOP", 'MODELS["Pythia-1.4B"]'))
    copy = shutil.copytree(folder, folder.parent / "a copy")
    said = python(
        "from fsdp_sym import cells, course\nfrom fsdp_sym.algebra.errors import FsdpSymError\n"
        "course('our course')\nprint(course('another'))\nprint([*cells][-2:])\n"
        "try:\n    course('a copy')\nexcept FsdpSymError as error:\n    print(error)\n",
        folder.parent,
    )
    first, second, third = said.splitlines()
    assert (first, second) == ("cell: LAB2", "['LAB1', 'LAB2']")
    assert third.startswith(f"{copy / 'models.py'}, line 6: a model 'Pythia-1.4B' is among our own or another course's already")


def test_a_process_opens_the_course_that_the_environment_names_and_judges_what_another_posed(folder: Path) -> None:
    """PrairieLearn calls a question's phases in processes of its own."""
    posed = (
        "import os\nfrom fsdp_sym import cells\nfrom fsdp_sym.publishing.prairielearn_server import generate_question\n"
        "from fsdp_sym.teaching.course import open_named_course\n"
        "named, os.environ['FSDP_SYM_COURSE'] = os.environ['FSDP_SYM_COURSE'], ''\nopen_named_course()\nprint([*cells][-1])\n"
        "os.environ['FSDP_SYM_COURSE'] = named\ndata = {'variant_seed': 3, 'params': {}, 'correct_answers': {}}\n"
        "generate_question(data, 'LAB1-model-gather')\nprint([*cells][-1])\nprint(data['params']['variant'])\n"
    )
    without, named, variant = python(posed, folder.parent, FSDP_SYM_COURSE=str(folder)).splitlines()
    assert (without, named) == (list(CELLS)[-1], "LAB1")
    judged = (
        "from fsdp_sym.publishing.prairielearn_server import _drill\n"
        f"print(_drill({{'params': {{'variant': {variant}}}}}).posed.givens)"
    )
    assert "'2.5 Gbps'" in python(judged, folder.parent, FSDP_SYM_COURSE=str(folder))


def test_ours_stay_what_they_are(folder: Path) -> None:
    """What is handed out and built as ours links to nothing of a course and lists nothing of it."""
    program = (
        "from fsdp_sym import course\ncourse('our course')\n"
        "from hashlib import sha256\nfrom fsdp_sym.publishing.exporters.notebook import export\n"
        "from fsdp_sym.teaching.lessons import LESSONS, OURS\nprint(*OURS)\nassert 'LAB1-our-laboratory' in LESSONS\n"
        "print(sha256(b''.join(export(OURS[name], 'student') for name in ('start-here', 'self-test'))).hexdigest())\n"
    )
    without = b"".join(export(OURS[name], "student") for name in ("start-here", "self-test"))
    assert python(program, folder.parent) == f"{' '.join(OURS)}\n{sha256(without).hexdigest()}\n"

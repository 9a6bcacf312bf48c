"""The exercises: every kind of question, nothing in the student edition, and answers that come from the count."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import nbformat
import pytest

from fsdp_sym.algebra.errors import FsdpSymError
from fsdp_sym.publishing import worked_practice
from fsdp_sym.publishing.exporters.notebook import ANSWER, to_bytes
from fsdp_sym.publishing.exporters.practice_notebook import counted_texts, practice_notebook
from fsdp_sym.publishing.kernel import BuildRefused
from fsdp_sym.publishing.worked_practice import counted_cards, executed
from fsdp_sym.teaching.drills import QUESTIONS, diagnose, pose
from fsdp_sym.teaching.drills.counting import confirmed, counted_keys, works
from fsdp_sym.teaching.exercises import MOST, WRONG, Wrong, exercises, practice_name, practised
from fsdp_sym.teaching.misconceptions import MISCONCEPTIONS
from fsdp_sym.teaching.progress import FILE

ROOT = Path(__file__).parents[2]
EXERCISES = ROOT / "exercises"
NUMERIC = ("compute", "limit", "backwards", "missing", "choose", "wrong line", "faded")


def committed(edition: str, cell: str) -> nbformat.NotebookNode:
    node = nbformat.read(EXERCISES / edition / f"{practice_name(cell)}.ipynb", as_version=4)
    nbformat.validate(node)
    return node


@pytest.mark.parametrize("cell", practised())
def test_every_kind_is_there_in_turn_at_numbers_of_its_own(cell):
    mine = exercises(cell)
    kinds = [one.drill.posed.kind for one in mine]
    of_the_cell = [q.kind for q in QUESTIONS.values() if q.cell == cell]
    assert set(kinds) == set(of_the_cell)
    assert len(kinds) == min(MOST, len(of_the_cell))
    assert len({one.drill.posed.question for one in mine}) == len(mine)
    assert [one.drill for one in mine] == [pose(one.drill.question, one.seed) for one in mine]
    assert [one.wrong for one in mine if one.wrong] == [WRONG[cell].misconception]


def test_nothing_is_padded_but_where_padding_is_the_point():
    def padded(cell):
        return [one.drill.posed.question for one in exercises(cell) if any(work.violated for work, _ in works(one.drill))]

    assert padded("D") == padded("B") == padded("F") == []
    assert len(padded("M")) > 3


def test_a_wrong_answer_that_is_none_is_refused(monkeypatch):
    monkeypatch.setitem(WRONG, "D", Wrong("D-layer", "nothing-sharded"))
    with pytest.raises(FsdpSymError, match=r"nothing-sharded leads to no wrong answer to D-layer, number \d+: name another in WRONG"):
        exercises("D")


@pytest.mark.parametrize("edition", ["student", "worked"])
def test_there_is_one_for_each_cell_and_no_other(edition):
    assert {p.name for p in (EXERCISES / edition).iterdir()} == {f"{practice_name(cell)}.ipynb" for cell in practised()}


@pytest.mark.parametrize("cell", practised())
def test_the_student_edition_asks_and_tells_nothing(cell):
    node = committed("student", cell)
    mine = exercises(cell)
    source = "\n".join(c.source for c in node.cells)
    assert not any(c.get("outputs") or c.get("execution_count") for c in node.cells)
    assert re.findall(r'practice\(question="(.+)", seed=(\d+)\)', source) == [(e.drill.posed.question, str(e.seed)) for e in mine]
    words = re.sub(r"## \d+\.|seed=\d+|q\d+", "", source)
    for one in mine:
        for key, text in zip(one.drill.keys, counted_texts(one.drill), strict=True):
            assert key is None or isinstance(key, str) or not re.search(rf"(?<![\w.]){re.escape(text)}(?![\w.])", words)
    assert set(re.findall(r"\.answer\((.*)\)", source)) <= {'""', '"", ""', '"", "", ""'}
    assert to_bytes(practice_notebook(cell, mine, "student")) == (EXERCISES / "student" / f"{practice_name(cell)}.ipynb").read_bytes()


@pytest.mark.parametrize("cell", practised())
def test_every_cell_of_the_worked_edition_ran_and_every_answer_is_the_counts(cell):
    node = committed("worked", cell)
    cards = {name: card for one in exercises(cell) for name, card in counted_cards(one.drill).items()}
    answers = []
    for number, found in enumerate((c for c in node.cells if c.cell_type == "code"), 1):
        assert found.execution_count == number
        assert "execution" not in found.metadata
        assert [out.output_type for out in found.outputs] == ["execute_result"] * (found.id != "imports")
        assert "folder=None" in found.source or "practice(" not in found.source
        if ANSWER in found.metadata.get("tags", ()):
            answers.append(found.id)
            assert found.outputs[0].data == {"text/plain": cards[found.id].text, "text/html": cards[found.id]._repr_html_()}
    assert answers == list(cards)
    for one in exercises(cell):
        (answer,) = [c for c in node.cells if c.id == f"{one.drill.posed.question}-answer"]
        texts = json.loads(f"[{answer.source.partition('(')[2].removesuffix(')')}]")
        assert diagnose(one.drill, *texts).verdict == "right"
        assert answer.outputs[0].data["text/plain"].startswith("✓ Right")


@pytest.mark.parametrize("cell", practised())
def test_the_worked_edition_says_what_the_questions_say(cell):
    made = practice_notebook(cell, exercises(cell), "worked")
    assert [(c.id, c.cell_type, c.source, c.metadata) for c in committed("worked", cell).cells] == [
        (c.id, c.cell_type, c.source, c.metadata) for c in made.cells
    ]


@pytest.mark.parametrize("cell", practised())
def test_one_wrong_answer_shows_what_is_said_of_it(cell):
    node = committed("worked", cell)
    (wrong,) = [c for c in node.cells if c.id == f"{WRONG[cell].question}-wrong"]
    thought = [c for c in node.cells if c.id == f"{WRONG[cell].question}-thought"]
    assert wrong.outputs[0].data["text/plain"].startswith("✗ Not right\nRead as: ")
    told = (thought or [wrong])[0].outputs[0].data["text/plain"]
    assert told.endswith(MISCONCEPTIONS[WRONG[cell].misconception].tell)
    assert bool(thought) == ("Which of these was yours?" in wrong.outputs[0].data["text/plain"])


def test_both_ways_of_feedback_are_shown_somewhere():
    asked = [cell for cell in practised() if any(c.id.endswith("-thought") for c in committed("worked", cell).cells)]
    assert asked
    assert len(asked) < len(practised())


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_with_numbers_is_counted(question):
    """Where the assumptions hold the count gives the very key; and there is something to count wherever there is a number."""
    drills = [pose(QUESTIONS[question], seed) for seed in range(1, 9)]
    for drill in drills:
        if not any(work.violated for work, _ in works(drill)):
            assert confirmed(drill)
        assert len(counted_keys(drill)) == len(drill.keys)
    assert any(map(works, drills)) == (QUESTIONS[question].kind in NUMERIC)


def wrong_keys(drill):
    """The drill with each of its numbers off by a thousandth part, or by one."""
    for at, key in enumerate(drill.keys):
        off = {int: lambda k: k + 1, Fraction: lambda k: k * Fraction(1001, 1000) or Fraction(1)}.get(type(key))
        if off:
            yield replace(drill, keys=(*drill.keys[:at], off(key), *drill.keys[at + 1 :]))


@pytest.mark.parametrize("cell", practised())
def test_a_key_that_is_not_the_counts_is_refused(cell):
    refused = 0
    for one in exercises(cell):
        assert confirmed(one.drill)
        for wrong in wrong_keys(one.drill):
            with pytest.raises(FsdpSymError, match=rf"cell {one.drill.posed.question}-answer: the key is not what the count gives"):
                counted_cards(wrong)
            refused += 1
    assert refused > 3


@pytest.mark.parametrize("question", ["D-all-gather", "D-faded", "G-stage", "H-split", "A-fits", "C-best-interval", "D-limit"])
def test_a_worked_answer_that_comes_to_another_number_is_refused(question, monkeypatch):
    drill = next(d for d in (pose(QUESTIONS[question], seed) for seed in range(1, 21)) if works(d) and confirmed(d))
    lines = drill.question.solution(drill.variant)
    changed = tuple(re.sub(r"\d|yes|no", lambda m: str((int(m[0]) + 1) % 10) if m[0].isdigit() else "perhaps", line) for line in lines)
    assert counted_cards(drill)
    monkeypatch.setattr(type(drill.question), "solution", lambda *_: changed)
    with pytest.raises(FsdpSymError, match=r"the worked answer does not come to the counted"):
        counted_cards(drill)


def test_a_kernel_that_says_anything_else_is_refused(monkeypatch):
    mine = tuple(e for e in exercises("D") if e.drill.posed.question == "D-steps")

    def run(node, name, remedy):
        for cell in node.cells:
            cell.outputs = [nbformat.v4.new_output("execute_result", {"text/plain": "✗ Not right"}, execution_count=1)]

    monkeypatch.setattr(worked_practice, "run", run)
    with pytest.raises(BuildRefused, match=r"D-practice\.ipynb, cell D-steps-answer: the kernel says '✗ Not right' and the count '✓ Right"):
        executed("D", mine)


def test_a_student_edition_runs_untouched_and_keeps_progress_in_its_folder_once_answered(tmp_path):
    """As handed out every cell runs without an error; an answer is kept beside the notebook."""
    mine = tuple(e for e in exercises("D") if e.drill.posed.question in ("D-steps", "D-wrong-line"))
    node = practice_notebook("D", mine, "student")
    for cell in node.cells:
        if cell.id == "D-steps-answer":
            cell.source = cell.source.replace('""', '"7"')
    nbformat.write(node, tmp_path / "D-practice.ipynb")
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-m", "jupyter", "execute", "--inplace", "D-practice.ipynb"], cwd=tmp_path, env=env, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    said = {c.id: c.outputs[0].data["text/plain"] for c in nbformat.read(tmp_path / "D-practice.ipynb", 4).cells if c.get("outputs")}
    assert said["D-steps-answer"].startswith("✗ Not right")
    assert said["D-steps-solution"].startswith("Worked answer")
    assert said["D-wrong-line-answer"].startswith("○ Not answered yet")
    assert said["D-wrong-line-solution"].startswith("The worked answer comes after your own")
    assert sorted(os.listdir(tmp_path)) == ["D-practice.ipynb", FILE]


def test_nbval_agrees_sees_a_wrong_number_and_leaves_no_progress(tmp_path):
    """The first question of a worked edition, as committed and with a digit too many in its worked answer."""
    node = committed("worked", "B")
    last = next(at for at, cell in enumerate(node.cells) if cell.id.endswith("-solution"))
    node.cells = node.cells[: last + 1]
    nbformat.write(node, tmp_path / "right.ipynb")
    node.cells[last].outputs[0].data["text/plain"] += "0"
    nbformat.write(node, tmp_path / "wrong.ipynb")
    env = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "200"}
    words = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:xdist", "--nbval", "--nbval-current-env", str(tmp_path)]
    said = subprocess.run(words, cwd=tmp_path, env=env, capture_output=True, text=True).stdout
    assert "Cell outputs differ" in said
    assert len(re.findall(r"^FAILED \S*wrong\.ipynb", said, re.MULTILINE)) == 1
    assert re.search(r"\b1 failed, \d+ passed", said)
    assert not list(tmp_path.rglob(FILE))

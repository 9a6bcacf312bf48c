"""Before handing in: how each answer is read, which are missing, and not a word of whether they are right."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fsdp_sym.algebra.errors import FsdpSymError
from fsdp_sym.publishing.exporters import sheet_notebook
from fsdp_sym.publishing.exporters.answer_text import answer_text
from fsdp_sym.teaching.classroom.check import Checked, check
from fsdp_sym.teaching.classroom.expected import fields
from fsdp_sym.teaching.classroom.marker import answer_line
from fsdp_sym.teaching.classroom.sheet import Sheet
from fsdp_sym.teaching.drills import QUESTIONS, pose

DRILLS = {f"Q{at}": pose(question, 2) for at, question in enumerate(QUESTIONS.values(), 1)}
SHEET = Sheet("hw1", "hw1-0a1b2c3d4e", "Anna", tuple((label, drill.posed) for label, drill in DRILLS.items()))
FIELDS = {field: expects for label, drill in DRILLS.items() for field, expects in fields(label, drill.posed).items()}
KEYS = {
    field: answer_text(key, expects)
    for label, drill in DRILLS.items()
    for (field, expects), key in zip(fields(label, drill.posed).items(), drill.keys, strict=True)
}
GATHER = next(label for label, drill in DRILLS.items() if drill.question.id == "D-all-gather")
STEPS = next(label for label, drill in DRILLS.items() if drill.question.id == "D-steps")


def filled(tmp_path: Path, answers: dict[str, str], without: str = "") -> Checked:
    notebook = json.loads(sheet_notebook.export(SHEET))
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        for field, text in answers.items():
            source = source.replace(answer_line(field) + "\n\n", f"{answer_line(field)}\n\n{text}")
        cell["source"] = "" if without and without in source else source
    path = tmp_path / "hw1.ipynb"
    path.write_text(json.dumps(notebook))
    return check(path)


def test_a_full_sheet_is_read_throughout(tmp_path: Path) -> None:
    found = filled(tmp_path, KEYS)
    assert found.complete
    assert (found.sheet, found.problems) == (SHEET.id, ())
    assert [reading.field for reading in found.readings] == list(FIELDS)
    assert {reading.state for reading in found.readings} == {"read"}


def test_right_and_wrong_are_told_alike(tmp_path: Path) -> None:
    """Every answer is replaced by a wrong one that is read the same way: nothing changes but the echo."""
    wrong = {field: "none" if text != "none" else "7" for field, text in KEYS.items()}
    for field, expects in FIELDS.items():
        match type(expects).__name__:
            case "Quantity":
                wrong[field] = f"12345678 {expects.unit}"
            case "Number" | "Count":
                wrong[field] = "12345678"
            case "Choice":
                wrong[field] = next(option for option in expects.options if option != KEYS[field])
            case "Symbolic":
                wrong[field] = f"12345678*{expects.letters[0].name}"
            case "Triple":
                wrong[field] = " x ".join(["977"] * len(expects.names))
    right, other = filled(tmp_path, KEYS), filled(tmp_path, wrong)
    assert other.complete
    assert [(r.field, r.state, len(r.says)) for r in other.readings] == [(r.field, r.state, len(r.says)) for r in right.readings]
    assert all(one.says != two.says for one, two in zip(right.readings, other.readings, strict=True))


def test_an_invalid_answer_points_at_its_place(tmp_path: Path) -> None:
    found = filled(tmp_path, KEYS | {GATHER: "525 MB per rank", STEPS: "7B ranks"})
    said = {reading.field: reading for reading in found.readings}
    assert not found.complete
    assert said[GATHER].state == "invalid"
    assert said[GATHER].says[1:] == ("525 MB per rank", "           ^")


def test_what_is_no_text_is_not_echoed(tmp_path: Path) -> None:
    found = filled(tmp_path, {GATHER: "5\x1b[31m25 MB"})
    (said,) = [reading.says for reading in found.readings if reading.field == GATHER]
    assert said[1:] == ("5?[31m25 MB", " ^")


def test_missing_answers_are_named(tmp_path: Path) -> None:
    found = filled(tmp_path, {GATHER: "525 MB"}, without=answer_line(STEPS))
    said = {reading.field: (reading.state, reading.says) for reading in found.readings}
    assert said.pop(GATHER) == ("read", ("525 MB = 525,000,000 B",))
    assert said.pop(STEPS) == ("not answered", (f'the line "Answer {STEPS}" is missing: put it back and write below it',))
    assert set(said.values()) == {("not answered", ("nothing stands below its line",))}


def test_a_copy_without_its_lines(tmp_path: Path) -> None:
    bare = {"cells": [{"cell_type": "code", "source": "# Answer Q3\n525 MB\x07"}], "metadata": {}}
    path = tmp_path / "copy.ipynb"
    path.write_text(json.dumps(bare))
    found = check(path)
    assert [(r.field, r.state) for r in found.readings] == [("Q3", "not known")]
    assert found.readings[0].says == ("this copy does not say what is asked here; what stands there is 525 MB?",)
    assert found.problems[-1] == "it has lost the line that begins with Sheet: copy it back from the sheet that you were handed"
    assert not found.complete


@pytest.mark.parametrize(
    "content",
    [b"", b"{}", b"[]", b'{"cells": []}', b'{"cells": [1, {"source": [1]}]}', b"PK\x03\x04", b"[" * 100_000, b" " * 6_000_000, b"\xff\xfe"],
    ids=lambda content: repr(content[:12]),
)
def test_what_is_no_sheet_is_one_line(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "hw1.ipynb"
    path.write_bytes(content)
    with pytest.raises(FsdpSymError, match=r"hw1\.ipynb: .*: name the notebook that you were handed") as refused:
        check(path)
    assert str(refused.value).isprintable()
    with pytest.raises(FsdpSymError, match="cannot be read: No such file or directory: name your sheet"):
        check(tmp_path / "none.ipynb")

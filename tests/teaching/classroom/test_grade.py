"""Grading a class: marks, on one process and on several, whatever a student returns."""

from __future__ import annotations

import json
import time
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from functools import partial
from pathlib import Path

import pytest
from returning import (
    ASSIGNMENT,
    QUESTIONS,
    a_hundred,
    as_moodle,
    as_nbgrader,
    hand_out,
    keys,
    killing,
    notebook,
    page,
    sheet,
    thinking,
    written,
)

from fsdp_sym.algebra.errors import FsdpSymError
from fsdp_sym.scenarios.models import MODELS
from fsdp_sym.teaching.classroom import marks
from fsdp_sym.teaching.classroom.desk import Chosen
from fsdp_sym.teaching.classroom.grade import Workers, grading
from fsdp_sym.teaching.classroom.jobs import processes
from fsdp_sym.teaching.classroom.record import Header
from fsdp_sym.teaching.classroom.results import Result, from_line, to_line
from fsdp_sym.teaching.drills import QUESTIONS as ALL
from fsdp_sym.teaching.misconceptions import MISCONCEPTIONS, Misconception

ADA, BEN, EVE = sheet("s1", "Ada Lovelace"), sheet("s2", "Ben Bitdiddle"), sheet("s3", "Eve Exempt", exempt=True)
CLASS = (ADA, BEN, EVE)


@pytest.fixture
def record(tmp_path: Path) -> Path:
    return hand_out(tmp_path / ASSIGNMENT, CLASS)


@pytest.fixture
def returned(tmp_path: Path) -> Path:
    folder = tmp_path / "returned"
    folder.mkdir()
    return folder


def graded(record: Path, returned: Path, **rest: object) -> dict[str, Result]:
    with grading(record, returned, **rest) as found:  # type: ignore[arg-type]
        return {result.student: result for _, result, _ in found.results}


def of(result: Result, label: str) -> tuple[str, Fraction, tuple[str, ...]]:
    (question,) = (q for q in result.questions if q.label == label)
    return question.verdict, question.earned, tuple(t for part in question.parts for t in part.thoughts)


def test_right_answers_earn_everything(record, returned):
    as_moodle(returned, ADA, notebook(ADA, keys(ADA)))
    found = graded(record, returned)
    assert (found["s1"].status, found["s1"].mark, found["s1"].out_of) == ("marked", 12, 12)
    assert [q.question for q in found["s1"].questions] == list(QUESTIONS)
    assert {q.verdict for q in found["s1"].questions} == {"right"}
    assert (found["s2"].status, found["s2"].mark) == ("missing", None)
    assert (found["s3"].status, found["s3"].mark) == ("exempt", None)


def test_each_verdict(record, returned):
    typed = keys(ADA)
    typed["Q1"] = thinking(ADA, "s-is-the-shard", "Q1")
    typed["Q2"] = thinking(ADA, "one-rank-too-many", "Q2")
    typed["Q4"] = "about nine"
    last = max(field for field in typed if field.startswith("Q5."))
    typed[last] = "1.234 GB"
    typed["Q6"] = ""
    written(returned / "s1.ipynb", notebook(ADA, typed))
    found = graded(record, returned)["s1"]
    assert of(found, "Q1") == ("wrong", 0, ("s-is-the-shard",))
    assert of(found, "Q2") == ("wrong", 0, ("one-rank-too-many",))
    assert of(found, "Q3")[:2] == ("right", 1)
    assert of(found, "Q4") == ("invalid", 0, ())
    parts = len([field for field in typed if field.startswith("Q5.")])
    assert of(found, "Q5")[:2] == ("wrong", Fraction(parts - 1, parts))
    assert of(found, "Q6") == ("not answered", 0, ())
    assert found.mark == 2 + 2 * Fraction(parts - 1, parts)


def test_a_close_answer_earns_nothing_and_is_told_apart(record, returned):
    number, unit = keys(ADA)["Q1"].split()
    written(returned / "s1.ipynb", notebook(ADA, {"Q1": f"{float(number) * 1.011:.6g} {unit}"}))
    assert of(graded(record, returned)["s1"], "Q1") == ("close", 0, ())


def test_json_and_tables_and_texts_are_marked_alike(record, returned, tmp_path):
    typed = keys(ADA)
    written(returned / "s1.ipynb", notebook(ADA, typed))
    marks_of = {"ipynb": graded(record, returned)["s1"].mark}
    as_json = {"sheet": ADA.sheet, "answers": typed}
    table = f"student,sheet,submitted,{','.join(typed)}\ns1,{ADA.sheet},2026-03-14 12:05,{','.join(typed.values())}\n"
    for suffix, content in {"json": json.dumps(as_json), "csv": table}.items():
        place = written(tmp_path / suffix / f"answers.{suffix}", content.encode())
        result = graded(record, place.parent)["s1"]
        marks_of[suffix] = result.mark
    assert marks_of == {"ipynb": 12, "json": 12, "csv": 12}
    assert (result.late, result.file) == (5, "answers.csv, row 2")


def test_all_parts_in_one_text_of_a_table_are_told_apart(record, returned):
    typed = keys(ADA)
    together = "; ".join(text for field, text in typed.items() if field.startswith("Q5."))
    written(returned / "answers.csv", f"sheet,Q5\n{ADA.sheet},{together}\n".encode())
    assert of(graded(record, returned)["s1"], "Q5")[:2] == ("right", 1)


def test_an_answer_that_was_not_asked_is_said(record, returned):
    written(returned / "a.json", json.dumps({"sheet": ADA.sheet, "answers": {"Q99": "7", "Q98": ""}}).encode())
    assert graded(record, returned)["s1"].problems == ("it answers Q99, which the sheet does not ask",)


def test_a_table_says_whose_a_row_is(record, returned):
    written(returned / "a.csv", f"student,sheet,Q1\ns2,{ADA.sheet},7\n,{BEN.sheet},7\n".encode())
    found = graded(record, returned)
    assert found["s1"].status == "missing"
    assert found["s2"].status == "marked"


def test_a_table_in_ones_own_folder_is_ones_own(record, returned):
    table = f"student,sheet,submitted,Q1\ns2,{BEN.sheet},2020-01-01,7\ns1,{ADA.sheet},2020-01-01,7\n" + "s1,x,,7\n" * 1000
    place = as_moodle(returned, ADA, table.encode(), file="a.csv")
    written(place.with_name("timestamp.txt"), b"2020-01-01")
    worksheet = b"Identifier,Full name,Last modified (submission)\nParticipant 1001,Ben Bitdiddle,2020-01-01\n"
    written(place.with_name("worksheet.csv"), worksheet)
    with grading(record, returned) as found:
        results = {result.student: result for _, result, _ in found.results}
        assert len(list(found.desk.notes())) < 25
    assert (results["s1"].status, results["s1"].submitted) == ("marked", "")
    assert results["s2"].status == "missing"


def test_times_come_from_nbgraders_file_or_moodles_list(record, returned, tmp_path):
    as_nbgrader(tmp_path / "course", "s1", notebook(ADA, keys(ADA)), "2026-03-14 13:00:00.000000 UTC")
    assert graded(record, tmp_path / "course")["s1"].late == 60
    as_moodle(returned, ADA, notebook(ADA, keys(ADA)), number=77)
    rows = 'Identifier,Full name,Last modified (submission)\nParticipant 77,Ada Lovelace,"Saturday, 14 March 2026, 12:30 PM"\n'
    written(returned / "Grades.csv", rows.encode())
    assert (graded(record, returned)["s1"].late, graded(record, returned)["s1"].number) == (30, "77")


def test_in_moodles_folders_a_timestamp_is_the_students_own(record, returned):
    place = as_moodle(returned, ADA, notebook(ADA, keys(ADA)), file="mine/hw1.ipynb")
    written(place.with_name("timestamp.txt"), b"2020-01-01")
    assert graded(record, returned)["s1"].submitted == ""


def test_a_table_without_sheets_is_a_line(record, returned):
    written(returned / "a.csv", b"a,b\n1,2\n")
    with grading(record, returned) as found:
        assert list(found.desk.notes()) == [("a.csv", "a table without a column sheet: not read")]


# What is in the record counts, and nothing else.


def test_marks_do_not_depend_on_what_was_added_since(record, returned, monkeypatch):
    typed = keys(ADA) | {"Q1": thinking(ADA, "s-is-the-shard", "Q1")}
    written(returned / "s1.ipynb", notebook(ADA, typed))
    before = graded(record, returned)["s1"]
    _forget()
    added = Misconception("added-later", ("all_gather",), lambda truth: truth * 3, "x", next(iter(MISCONCEPTIONS.values())).violates, "y")
    with monkeypatch.context() as patched:
        patched.setitem(MISCONCEPTIONS, "added-later", added)
        patched.setitem(MODELS, "added-later", next(iter(MODELS.values())))
        _forget()
        drill = dict(ADA.drills(_header(record)))["Q1"]
        assert "added-later" in {rival.misconception for rival in drill.rivals()}
        after = graded(record, returned)["s1"]
    _forget()
    assert (after.mark, [q.earned for q in after.questions]) == (before.mark, [q.earned for q in before.questions])


def _header(record: Path) -> Header:
    from fsdp_sym.teaching.classroom.record import read_record

    return read_record(record)[0]


def _forget() -> None:
    from fsdp_sym.teaching import course

    course._forget_what_was_worked_out()


def test_nothing_is_drawn(record, returned, monkeypatch):
    written(returned / "s1.ipynb", notebook(ADA, keys(ADA)))
    _forget()
    for question in set(map(type, ALL.values())):
        monkeypatch.setattr(question, "draw", lambda *_: pytest.fail("a question was drawn"))
    assert graded(record, returned)["s1"].mark == 12


# Hostile and damaged returns.

HOSTILE = {
    "code": json.dumps({"cells": [{"cell_type": "code", "source": "import os; os.system('touch was-here')", "outputs": []}]}).encode(),
    "brackets": b"[" * 30_000,
    "truncated": notebook(BEN, keys(BEN))[:-100],
    "empty": b"",
    "image": b"\x89PNG" + bytes(100),
    "large": b" " * 5_000_001,
    "foreign": json.dumps({"cells": [{"source": "Sheet: other-1\n\nAnswer Q1\n7"}]}).encode(),
    "neighbour's": notebook(ADA, dict.fromkeys(keys(ADA), "7")),
}


@pytest.mark.parametrize("content", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_return_is_one_line_and_changes_nobody_elses_mark(record, returned, content, monkeypatch):
    monkeypatch.chdir(returned.parent)
    as_moodle(returned, ADA, notebook(ADA, keys(ADA)))
    as_moodle(returned, BEN, content, number=1002)
    with grading(record, returned) as found:
        results = {result.student: result for _, result, _ in found.results}
        notes = list(found.desk.notes())
    assert results["s1"].mark == 12
    assert (results["s2"].status, results["s2"].mark) == ("flagged", None)
    assert len(notes) == 1
    assert notes[0][0] == "Ben Bitdiddle_1002_assignsubmission_file_/hw1.ipynb"
    assert not (returned.parent / "was-here").exists()


def test_a_hostile_zip_changes_nobodys_mark(record, tmp_path):
    place = tmp_path / "all.zip"
    with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("Ada Lovelace_1001_assignsubmission_file_/hw1.ipynb", notebook(ADA, keys(ADA)))
        archive.writestr("../s1.ipynb", notebook(ADA, {"Q1": "7"}))
        archive.writestr("/s1.ipynb", notebook(ADA, {"Q1": "7"}))
        archive.writestr("Ben Bitdiddle_1002_assignsubmission_file_/bomb.ipynb", bytes(4_900_000))
        archive.writestr("Ben Bitdiddle_1002_assignsubmission_file_/s1/hw1.ipynb", notebook(ADA, {"Q1": "7"}))
    with grading(record, place) as found:
        results = {result.student: result for _, result, _ in found.results}
        assert len(list(found.desk.notes())) == 4
    assert (results["s1"].mark, results["s2"].status) == (12, "flagged")
    assert not list(tmp_path.rglob("s1.ipynb"))


TYPED = [
    "9**9**9**9", "__import__('os').system('touch was-here')", "<script>alert(1)</script>", "=1+1", "\x1b[2J", "1" * 5000, "(" * 900, "7;7",
]  # fmt: skip


@pytest.mark.parametrize("text", TYPED, ids=range(len(TYPED)))
def test_a_hostile_answer_is_judged_at_once_and_earns_nothing(record, returned, text):
    written(returned / "s1.ipynb", notebook(ADA, dict.fromkeys(keys(ADA), text)))
    start = time.process_time()
    found = graded(record, returned)["s1"]
    assert time.process_time() - start < 2
    assert found.mark == 0
    assert from_line(to_line(found)) == found


def test_a_sheet_that_takes_too_long_goes_on_the_review_list(monkeypatch):
    _forget()  # what was judged before takes no time
    monkeypatch.setattr(marks, "SECONDS", 0.05)
    judge = marks.diagnose
    monkeypatch.setattr(marks, "diagnose", lambda *a: (time.sleep(0.06), judge(*a))[1])
    head = _small_header()
    chosen = Chosen("marked", keys(ADA))
    found = marks.mark(head, ADA, chosen, marks.Corrections(), ADA.drills(head))
    assert [q.verdict for q in found.questions] == ["right"] + ["invalid"] * 5
    assert "too long" in found.questions[1].parts[0].says[0]


def _small_header() -> Header:
    from returning import header

    return header()


# On several processes.


def lines(record: Path, returned: Path, **rest: object) -> Iterable[str]:
    with grading(record, returned, **rest) as found:  # type: ignore[arg-type]
        return [f"{at} {text} {to_line(result)}" for at, result, text in found.results] + [str(note) for note in found.desk.notes()]


@contextmanager
def small_batches(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as patched:
        patched.setattr("fsdp_sym.teaching.classroom.grade._SHEETS", 10)
        yield


def test_processes_mark_alike_and_a_killed_one_loses_nothing(tmp_path, monkeypatch):
    record, returned = a_hundred(tmp_path)
    alone = lines(record, returned, page=page)
    assert len([line for line in alone if '"marked"' in line]) == 108
    marker = tmp_path / "killed"
    with small_batches(monkeypatch), processes(2) as pool:
        assert lines(record, returned, workers=Workers(pool), page=partial(killing, marker, page)) == alone
    assert marker.exists()


def test_what_the_instructor_gives_is_refused_with_a_line(record, returned, tmp_path):
    with pytest.raises(FsdpSymError, match="no hand-out record"), grading(tmp_path / "none.jsonl", returned):
        pass
    with pytest.raises(FsdpSymError, match="neither a folder nor a zip"), grading(record, tmp_path / "none"):
        pass

"""Grading into a folder: its files, the same bytes again, and nothing half-written."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from returning import ASSIGNMENT, as_moodle, hand_out, keys, notebook, sheet, thinking, written

from fsdp_sym.algebra.errors import FsdpSymError
from fsdp_sym.publishing.graded import grade, report, report_of_responses
from fsdp_sym.teaching.classroom.corrections import read_corrections
from fsdp_sym.teaching.classroom.grade import Workers
from fsdp_sym.teaching.classroom.jobs import processes
from fsdp_sym.teaching.classroom.responses import Response

SHEETS = (
    sheet("s1", "Ada Lovelace"),
    sheet("s2", "Ben Bitdiddle"),
    sheet("s3", "Cy D. Fect"),
    sheet("s4", "Alyssa P. Hacker"),
    sheet("s5", "Eva Lu Ator", exempt=True),
    sheet("../../s6", "Louis Reasoner"),
)
ADA, BEN, CY, ALYSSA, EVA, LOUIS = SHEETS
EVERY = ("plain", "canvas", "moodle")


@pytest.fixture
def class_(tmp_path: Path) -> tuple[Path, Path, Path]:
    """What was handed out, what came back, and where it is graded to."""
    returned = tmp_path / "returned"
    as_moodle(returned, ADA, notebook(ADA, keys(ADA) | {"Q1": thinking(ADA, "s-is-the-shard", "Q1")}))
    as_moodle(returned, BEN, notebook(ADA, keys(ADA)), number=1002)
    as_moodle(returned, CY, notebook(CY, keys(CY) | {"Q4": "\x1b[31m=nine", "Q6": ""}), number=1003)
    as_moodle(returned, LOUIS, notebook(LOUIS, keys(LOUIS)), number=1006)
    written(returned / "\x1b[2Jx.pdf", b"")
    hand_out(tmp_path / ASSIGNMENT, SHEETS)
    return tmp_path / ASSIGNMENT, returned, tmp_path / "graded"


def table(place: Path) -> list[dict[str, str]]:
    with place.open(newline="", encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def content(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_everything_is_there(class_):
    out = class_[2]
    done = grade(*class_, formats=EVERY)
    assert set(content(out)) - {name for name in content(out) if name.startswith("feedback/")} == {
        "gradebook.csv", "canvas.csv", "moodle.csv", "class-report.html", "report.txt", "results.jsonl", "review.csv",
    }  # fmt: skip
    marks = {row["student"]: (row["status"], row["mark"]) for row in table(out / "gradebook.csv")}
    assert marks == {
        "s1": ("marked", "10"), "s2": ("flagged", ""), "s3": ("marked", "8"), "s4": ("missing", ""), "s5": ("exempt", ""),
        "../../s6": ("marked", "12"),
    }  # fmt: skip
    assert [row["Identifier"] for row in table(out / "moodle.csv")] == ["Participant 1001", "Participant 1003", "Participant 1006"]
    assert [row[ASSIGNMENT] for row in table(out / "canvas.csv")] == ["12", "10", "", "8", "", "EX", "12"]
    assert done.says == [
        "hw1: 3 of 6 marked; the median is 10 of 12 points",
        "nothing came back from: 1, flagged, and not marked: 1, exempt: 1",
        "answers to look at: review.csv, lines: 1",
        "what was odd about files and students: report.txt, lines: 4",
    ]


def test_a_gradebook_without_a_row_says_what_would_fill_it(class_):
    record, returned, out = class_
    for place in list(returned.rglob("*.csv")):
        if "Identifier" in place.read_text(encoding="utf-8-sig", errors="replace"):
            place.unlink()
    for place in list(returned.rglob("*")):
        if place.is_dir() and "assignsubmission" in place.name:
            place.rename(place.with_name(place.name.split("_")[0]))
    done = grade(record, returned, out, formats=EVERY)
    assert len(table(out / "moodle.csv")) == 0
    assert done.says[-1] == "moodle.csv has no row: put Moodle's grading worksheet into what came back, and grade again"


def test_what_cannot_be_read_is_named_in_the_gradebook_too(class_):
    grade(*class_)
    unread = {(row["student"], row["answer"]) for row in table(class_[2] / "review.csv") if row["verdict"] == "invalid"}
    notes = {row["student"]: row["notes"] for row in table(class_[2] / "gradebook.csv")}
    assert unread
    for student, answer in unread:
        assert f"cannot be read, so not marked: {answer.partition('.')[0]}" in notes[student]


def test_what_is_odd_is_a_line_each(class_):
    grade(*class_)
    lines = (class_[2] / "report.txt").read_text().splitlines()
    why = f"Ben Bitdiddle sent it, and it answers {ADA.sheet}, the sheet of s1"
    file = "Ben Bitdiddle_1002_assignsubmission_file_/hw1.ipynb"
    assert lines == [
        "?[2Jx.pdf: no notebook, Markdown, JSON or CSV: not read",
        f"{file}: {why}: not marked",
        f"s2: flagged, and not marked: {file}: {why}",
        "s4: nothing came back",
    ]


def test_what_could_not_be_read_is_listed_for_review(class_):
    grade(*class_)
    (row,) = table(class_[2] / "review.csv")
    assert (row["student"], row["answer"], row["typed"], row["verdict"]) == ("s3", "Q4", "\x1b[31m=nine", "invalid")


def test_each_student_who_is_marked_has_a_page_in_the_folder(class_):
    grade(*class_)
    pages = {path.name for path in (class_[2] / "feedback").iterdir()}
    assert {"s1.html", "s3.html"} < pages
    assert len(pages) == 3
    assert all("/" not in name and ".." not in name for name in pages)
    assert not (class_[2].parent / "s6.html").exists()
    for name, whole in content(class_[2] / "feedback").items():
        others = [one for one in SHEETS if one.sheet.encode() not in whole]
        assert len(others) == len(SHEETS) - 1, name
        assert not [one.student for one in others if one.name.encode() in whole]


def test_a_page_of_work_that_is_marked_no_more_goes(class_):
    grade(*class_)
    as_moodle(class_[1], CY, b"damaged", number=1003)
    grade(*class_)
    assert {path.name for path in (class_[2] / "feedback").iterdir()} >= {"s1.html"}
    assert not (class_[2] / "feedback/s3.html").exists()


def test_again_and_on_processes_it_is_the_same_to_the_byte(class_, tmp_path):
    grade(*class_, formats=EVERY)
    first = content(class_[2])
    grade(*class_, formats=EVERY)
    assert content(class_[2]) == first
    with processes(2) as pool:
        grade(class_[0], class_[1], tmp_path / "other", Workers(pool), EVERY)
    assert content(tmp_path / "other") == first


def test_the_report_is_made_again(class_):
    grade(*class_)
    place = class_[2] / "class-report.html"
    first = place.read_bytes()
    place.unlink()
    assert report(class_[2]) == place
    assert place.read_bytes() == first
    report(class_[2], names=True)
    assert "Cy D. Fect" in place.read_text()
    assert "Cy D. Fect" not in first.decode()


def test_corrections_list_who_moves(class_, tmp_path):
    head = "student,question,correction,value,reason\n"
    rows = ",Q1,also,s-is-the-shard,unclear\n../../s6,Q2,mark,0,copied\ns4,sheet,mark,6,oral exam\n"
    file = written(tmp_path / "c.csv", (head + rows).encode())
    done = grade(*class_, corrections=read_corrections(file))
    moved, kept = done.says[-2:]
    assert moved == "moved by the corrections: moves.csv, students: 2"
    assert kept == "kept, since a correction would have lowered them: moves.csv, students: 1"
    moves = {row["student"]: (row["before"], row["after"], row["why"]) for row in table(class_[2] / "moves.csv")}
    assert moves == {
        "s1": ("10", "12", "Q1: s-is-the-shard is accepted too: unclear"),
        "s4": ("", "6", "the whole sheet: marked by hand: oral exam"),
        "../../s6": ("12", "12", "Q2: not lowered to 0: copied"),
    }
    grade(*class_, corrections=read_corrections(file, lower=True))
    assert [row["after"] for row in table(class_[2] / "moves.csv")] == ["12", "6", "10"]
    grade(*class_, formats=("canvas",))
    assert {path.name for path in class_[2].glob("*.csv")} == {"canvas.csv", "review.csv"}


def test_an_interrupted_run_leaves_the_last_one(class_, monkeypatch):
    grade(*class_)
    before = content(class_[2])
    monkeypatch.setattr("fsdp_sym.publishing.graded.to_line", lambda _: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        grade(*class_)
    assert content(class_[2]) == before
    written(class_[2] / ".unfinished" / "left.csv", b"by a run that was killed")
    monkeypatch.undo()
    grade(*class_)
    assert content(class_[2]) == before


def test_corrections_for_nobody_are_refused(class_, tmp_path):
    file = written(tmp_path / "c.csv", b"student,question,correction,value,reason\ns77,Q1,mark,1,x\n")
    with pytest.raises(FsdpSymError, match="name s77, who is not in"):
        grade(*class_, corrections=read_corrections(file))


def test_it_is_not_graded_into_what_came_back(class_):
    with pytest.raises(FsdpSymError, match="would be read as returned work"):
        grade(class_[0], class_[1], class_[1] / "graded")


def test_only_the_instructor_may_look(class_):
    grade(*class_)
    for place in (class_[2], class_[2] / "results.jsonl", class_[2] / "gradebook.csv", class_[2] / "review.csv"):
        assert place.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("damage", [b"", b"{}\n", b"[" * 30_000, b"\xff"])
def test_damaged_results_are_refused(class_, damage):
    grade(*class_)
    written(class_[2] / "results.jsonl", damage)
    with pytest.raises(FsdpSymError, match="is damaged: run fsdp-sym grade again"):
        report(class_[2])


def test_a_damaged_line_of_results_is_refused(class_):
    grade(*class_)
    place = class_[2] / "results.jsonl"
    written(place, place.read_bytes()[:-9])
    with pytest.raises(FsdpSymError, match="is damaged"):
        report(class_[2])
    with pytest.raises(FsdpSymError, match="cannot be read"):
        report(class_[2] / "none")


def test_responses_from_moodle_have_a_report(tmp_path):
    drill = dict(ADA.drills(_header()))["Q1"]
    typed = [keys(ADA)["Q1"], thinking(ADA, "s-is-the-shard", "Q1"), thinking(ADA, "s-is-the-shard", "Q1"), ""]
    report_of_responses("quiz", [Response("D-all-gather", drill.variant, text) for text in typed], tmp_path / "r.html")
    said = (tmp_path / "r.html").read_text()
    assert "2 for sure, in D-all-gather" in said
    assert "1 right, 2 not right, 1 not answered" in said
    assert "Marks</h2>" not in said


def _header():
    from returning import header

    return header()


def test_results_are_plain_data(class_):
    grade(*class_)
    about, *rest = (json.loads(line) for line in (class_[2] / "results.jsonl").read_text().splitlines())
    assert about["assignment"] == ASSIGNMENT
    assert [row["student"] for row in rest] == [one.student for one in SHEETS]
    assert rest[0]["mark"] == "10"

"""Handing out: whole, the same on every run, never over what is there, and with no key where a student looks."""

from __future__ import annotations

import csv
import json
import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from fsdp_sym.algebra.errors import FsdpSymError
from fsdp_sym.publishing import assign as handing_out
from fsdp_sym.publishing.assign import Assigned, Order, assign
from fsdp_sym.publishing.exporters import sheet_notebook
from fsdp_sym.teaching.classroom import record as recording
from fsdp_sym.teaching.classroom.assignment import named, sheet_of
from fsdp_sym.teaching.classroom.names import file_stem
from fsdp_sym.teaching.classroom.record import read_record
from fsdp_sym.teaching.classroom.roster import Student
from fsdp_sym.teaching.classroom.submissions import read_notebook
from fsdp_sym.teaching.drills import diagnose

KEY = bytes(range(32))
STUDENTS = (
    Student("s1", "Anna Doe", "2026-03-14"),
    Student("../../s2", "=cmd|'/c calc'!A0"),
    Student("CON", "<script>alert(1)</script>", large_print=True),
    Student("s4", exempt=True),
)
QUESTIONS = named(["D-all-gather", "A-shard", "D-wrong-line", "A-write-shard"])
ORDER = Order("hw1", QUESTIONS, STUDENTS, KEY, ("notebook", "markdown"))


def hand_out(out: Path, order: Order = ORDER) -> Assigned:
    return assign(out, order, 1, lambda _: None)


def digests(out: Path) -> dict[str, str]:
    return {str(path.relative_to(out)): sha256(path.read_bytes()).hexdigest() for path in sorted(out.rglob("*")) if path.is_file()}


def class_of(count: int, ids: str) -> Order:
    return replace(ORDER, questions=named(ids.split()), students=tuple(Student(f"s{at:04}") for at in range(count)), formats=("notebook",))


@pytest.fixture(scope="module")
def handed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("course") / "hw1"
    done = hand_out(out)
    assert (done.written, done.there, done.exempt, done.gone) == (6, 0, 1, 0)
    assert done.says.startswith("4 sheets, no two of them alike; the two most alike differ in ")
    return out


def test_students_and_instructor_have_folders_of_their_own(handed: Path) -> None:
    sheets = [f"sheets/{file_stem(s.id)}.{ending}" for s in STUDENTS if not s.exempt for ending in ("ipynb", "md")]
    assert sorted(digests(handed)) == sorted(["keys/keys.csv", "keys/record.jsonl", "keys/rubric.md", "report.txt", *sheets])
    assert {path for path in handed.parent.rglob("*") if path.is_file()} == {handed / name for name in digests(handed)}
    if os.name == "posix":
        assert {stat.S_IMODE(path.stat().st_mode) & 0o077 for path in [handed / "keys", *(handed / "keys").iterdir()]} == {0}


def test_each_sheet_is_what_its_record_says(handed: Path) -> None:
    header, sheets = read_record(handed / "keys/record.jsonl")
    assert [(q.label, q.id) for q in header.questions] == [(f"Q{at}", q.id) for at, q in enumerate(QUESTIONS, 1)]
    for student, record in zip(STUDENTS, sheets, strict=True):
        assert (record.student, record.name, record.due, record.exempt) == (student.id, student.name, student.due, student.exempt)
        if not student.exempt:
            notebook = (handed / f"sheets/{file_stem(student.id)}.ipynb").read_bytes()
            assert notebook == sheet_notebook.export(sheet_of(header, record, record.drills(header), student.large_print))
            assert read_notebook(notebook).sheet == record.sheet


def test_the_table_of_keys_is_right(handed: Path) -> None:
    header, sheets = read_record(handed / "keys/record.jsonl")
    rows = list(csv.DictReader((handed / "keys/keys.csv").read_text(encoding="utf-8").splitlines()))
    assert len(rows) == 4 * 5
    for sheet in sheets:
        for label, drill in sheet.drills(header):
            keys = [row["key"] for row in rows if row["sheet"] == sheet.sheet and row["answer"].partition(".")[0] == label]
            assert diagnose(drill, *keys).verdict == "right"


def test_rubric_and_report_name_every_question(handed: Path) -> None:
    rubric, report = (handed / "keys/rubric.md").read_text(), (handed / "report.txt").read_text()
    for at, question in enumerate(QUESTIONS, 1):
        assert f"| Q{at} | 1 | {question.cell} | {question.kind} | {question.id} | " in rubric
        assert f"Q{at} " in report
        assert question.id in report
    assert "own-shard-stays" in rubric


def test_neither_the_secret_nor_a_key_is_where_it_does_not_belong(handed: Path) -> None:
    files = {name: (handed / name).read_bytes() for name in digests(handed)}
    for content in files.values():
        assert KEY not in content
        assert KEY.hex()[:16].encode() not in content.lower()
    variants = [json.loads(line)["variants"] for line in files["keys/record.jsonl"].splitlines()[1:]]
    thoughts = {text for of_a_sheet in variants for drawn in of_a_sheet for name, text in drawn if name == "thought"}
    assert thoughts
    told = [(name, thought) for name, content in files.items() for thought in thoughts if thought.encode() in content]
    assert {name for name, _ in told} == {"keys/record.jsonl"}


def test_a_second_run_changes_nothing(handed: Path) -> None:
    before, stamps = digests(handed), {path: path.stat().st_mtime_ns for path in (handed / "sheets").iterdir()}
    done = hand_out(handed)
    assert (done.written, done.there) == (0, 6)
    assert digests(handed) == before
    assert {path: path.stat().st_mtime_ns for path in (handed / "sheets").iterdir()} == stamps


def test_another_folder_gets_the_same_bytes_and_another_key_others(handed: Path, tmp_path: Path) -> None:
    hand_out(tmp_path / "again")
    assert digests(tmp_path / "again") == digests(handed)
    hand_out(tmp_path / "other", replace(ORDER, key=bytes(32)))
    mine, others = digests(handed), digests(tmp_path / "other")
    assert not [name for name in mine if name.startswith("sheets/") and mine[name] == others[name]]


def test_on_processes_the_bytes_are_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handing_out, "_PAYS", 60)
    order, told = class_of(120, "D-all-gather A-shard"), list[str]()
    assign(tmp_path / "many", order, 2, told.append)
    hand_out(tmp_path / "one", order)
    assert digests(tmp_path / "many") == digests(tmp_path / "one")
    assert told == [f"{what} sheets: {at} of 120" for what in ("drawing", "writing") for at in (0, 50, 100)]


# Interrupted.


def stopping_at(count: int, monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    """The disk, or a person, stops the run before this file is written."""
    real, left = handing_out.whole, iter(range(1000))

    def whole(*arguments: object) -> object:
        if next(left) == count:
            raise error
        return real(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(handing_out, "whole", whole)
    monkeypatch.setattr(recording, "whole", whole)


def test_what_was_interrupted_goes_on(handed: Path, tmp_path: Path) -> None:
    """At each of its files in turn."""
    for count in range(len(digests(handed))):
        out = tmp_path / f"stopped-{count}"
        with pytest.MonkeyPatch.context() as patched:
            stopping_at(count, patched, KeyboardInterrupt())
            with pytest.raises(KeyboardInterrupt):
                hand_out(out)
        assert not list(out.rglob(".*"))
        hand_out(out)
        assert digests(out) == digests(handed)


def test_a_full_disk_is_one_line_and_goes_on(handed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        stopping_at(3, patched, OSError(28, "No space left on device"))
        with pytest.raises(FsdpSymError, match=r"No space left on device: free some space.*; run this again and it goes on") as refused:
            hand_out(tmp_path / "hw1")
    assert str(refused.value).isprintable()
    hand_out(tmp_path / "hw1")
    assert digests(tmp_path / "hw1") == digests(handed)


@pytest.mark.skipif(os.name != "posix", reason="kills with a signal")
@pytest.mark.parametrize("moment", ["drawing", "writing"])
def test_what_was_killed_goes_on(moment: str, tmp_path: Path) -> None:
    roster, key, out = tmp_path / "roster.csv", tmp_path / "course.key", tmp_path / "hw1"
    order = class_of(400, "D-all-gather A-shard")
    roster.write_text("id\n" + "\n".join(student.id for student in order.students))
    key.write_text(KEY.hex())
    asked = ["--question-ids", "D-all-gather,A-shard", "--roster", str(roster), "--key-file", str(key), "--jobs", "1", "--out", str(out)]
    process = subprocess.Popen([sys.executable, "-m", "fsdp_sym", "assign", *asked], stdout=subprocess.DEVNULL)
    reached: Callable[[], bool] = {
        "drawing": lambda: (out / ".fsdp_sym-unfinished").exists() and any((out / ".fsdp_sym-unfinished").iterdir()),
        "writing": lambda: (out / "sheets/s0020.ipynb").exists(),
    }[moment]
    while not reached():
        assert process.poll() is None, "it ended before it could be killed"
        time.sleep(0.001)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert (out / "keys/record.jsonl").exists() == (moment == "writing")
    assert not (out / "sheets/s0399.ipynb").exists()
    done = hand_out(out, order)
    assert done.written + done.there == 400
    assert (done.there > 0) == (moment == "writing")
    hand_out(tmp_path / "at once", order)
    assert digests(out) == digests(tmp_path / "at once")
    assert sorted(path.name for path in out.iterdir()) == ["keys", "report.txt", "sheets"]


# Never over what is there.


@pytest.fixture
def there(tmp_path: Path) -> Path:
    hand_out(tmp_path / "hw1")
    return tmp_path / "hw1"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"key": bytes(32)}, r"record\.jsonl was drawn with another key: name that --key-file, or another --out"),
        ({"name": "hw2"}, r"record\.jsonl is of another name, hw1, or of other questions: name another --out"),
        ({"questions": QUESTIONS[:3]}, "of other questions: name another --out"),
        ({"questions": QUESTIONS[::-1]}, "of other questions: name another --out"),
        ({"students": (replace(STUDENTS[0], due="2026-03-15"),)}, "due of 's1' is '2026-03-14', and on the roster '2026-03-15': what was"),
        ({"students": (replace(STUDENTS[0], extension="2026-03-15"),)}, "extension of 's1' is '', and on the roster '2026-03-15'"),
        ({"students": (replace(STUDENTS[0], exempt=True),)}, "exempt of 's1' is False, and on the roster True"),
        ({"students": (replace(STUDENTS[0], name="Bob"),)}, "name of 's1' is 'Anna Doe'"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_another_hand_out_is_refused_and_nothing_changes(change: dict[str, object], words: str, there: Path) -> None:
    before = digests(there)
    with pytest.raises(FsdpSymError, match=words):
        hand_out(there, replace(ORDER, **change))  # type: ignore[arg-type]
    assert digests(there) == before


def test_an_edited_sheet_is_left_alone(there: Path) -> None:
    path = there / "sheets/s1.ipynb"
    for edited in (path.read_bytes() + b"\n", path.read_bytes().replace(b"Anna", b"Alma"), b""):
        path.write_bytes(edited)
        with pytest.raises(FsdpSymError, match=r"s1\.ipynb differs from what would be handed out and is not written over: move it away"):
            hand_out(there)
        assert path.read_bytes() == edited
    path.unlink()
    assert hand_out(there).written == 1


def test_students_who_join_are_added_and_those_who_leave_keep_their_sheets(there: Path) -> None:
    before, lines = digests(there), (there / "keys/record.jsonl").read_bytes().splitlines()
    joined = (Student("s0", "First in the alphabet"), *STUDENTS[1:])
    done = hand_out(there, replace(ORDER, students=joined))
    assert (done.written, done.there, done.gone) == (2, 4, 1)
    assert done.says.startswith("5 sheets, no two of them alike")
    assert {name: before[name] for name in before if name.startswith("sheets/")}.items() <= digests(there).items()
    assert (there / "keys/record.jsonl").read_bytes().splitlines()[:-1] == lines


def test_sheets_without_their_record_are_not_added_to(there: Path) -> None:
    (there / "keys/record.jsonl").unlink()
    before = digests(there)
    with pytest.raises(FsdpSymError, match=r"sheets holds files, and no record of them is in .*keys: put it back, or name another --out"):
        hand_out(there)
    assert digests(there) == before


def test_a_damaged_record_is_told(there: Path) -> None:
    record = there / "keys/record.jsonl"
    record.write_bytes(record.read_bytes()[:-30])
    with pytest.raises(FsdpSymError, match="is damaged in line 5"):
        hand_out(there)


@pytest.mark.skipif(os.name != "posix", reason="makes links")
def test_nothing_is_written_through_a_link(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for name in ("sheets", "keys", ".fsdp_sym-unfinished"):
        out = tmp_path / f"hw-{name}"
        out.mkdir()
        (out / name).symlink_to(elsewhere)
        with pytest.raises(FsdpSymError, match=r"is a symbolic link, which is not written through: move it away"):
            hand_out(out)
    out = tmp_path / "hw1"
    hand_out(out)
    (elsewhere / "precious").write_text("precious")
    (out / "sheets/s1.ipynb").unlink()
    (out / "sheets/s1.ipynb").symlink_to(elsewhere / "precious")
    with pytest.raises(FsdpSymError, match=r"s1\.ipynb is in the way of a sheet: move it away"):
        hand_out(out)
    assert [path.read_text() for path in elsewhere.iterdir()] == ["precious"]


def test_a_file_in_the_place_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "hw1").write_text("")
    with pytest.raises(FsdpSymError, match="hw1 is no folder: move it away, or name another --out"):
        hand_out(tmp_path / "hw1")
    with pytest.raises(FsdpSymError, match="cannot be written: Not a directory"):
        hand_out(tmp_path / "hw1" / "deeper")


def test_a_format_that_cannot_be_made_is_known_before_anything_is_handed_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)
    with pytest.raises(FsdpSymError, match=r"needs the package typst: pip install 'fsdp_sym\[export\]'"):
        hand_out(tmp_path / "hw1", replace(ORDER, formats=("notebook", "pdf")))
    assert digests(tmp_path / "hw1") == {}


def test_pdf_sheets_come_with_their_keys_in_the_instructors_folder(tmp_path: Path) -> None:
    order = replace(ORDER, students=STUDENTS[:1], formats=("pdf",))
    assert hand_out(tmp_path / "hw1", order).written == 1
    assert {"keys/s1.pdf", "sheets/s1.pdf"} <= digests(tmp_path / "hw1").keys()
    before = digests(tmp_path / "hw1")
    assert hand_out(tmp_path / "hw1", order).there == 1
    assert digests(tmp_path / "hw1") == before


# Like no other.


def test_no_two_sheets_are_alike(tmp_path: Path) -> None:
    """Twenty-one rank counts, and twenty students: many are drawn again."""
    assert hand_out(tmp_path / "hw1", class_of(20, "D-steps")).says.startswith("20 sheets, no two of them alike")
    _, sheets = read_record(tmp_path / "hw1/keys/record.jsonl")
    assert len({sheet.variants for sheet in sheets}) == 20


def test_too_few_variants_for_the_class_are_refused_before_anything_is_handed_out(tmp_path: Path) -> None:
    words = r"hw1: its questions have too few variants to give 's00\d\d', number \d+ of 40, a sheet that nobody has"
    with pytest.raises(FsdpSymError, match=words):
        hand_out(tmp_path / "hw1", class_of(40, "D-steps"))
    assert digests(tmp_path / "hw1") == {}


def test_sheets_ids_that_meet_are_told_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fsdp_sym.teaching.classroom.secret._SHEET_DIGITS", 1)
    order = class_of(12, "D-all-gather A-shard")
    hand_out(tmp_path / "hw1", order)
    _, sheets = read_record(tmp_path / "hw1/keys/record.jsonl")
    assert len({sheet.sheet for sheet in sheets}) == 12
    assert hand_out(tmp_path / "hw1", order).there == 12

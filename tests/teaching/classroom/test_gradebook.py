"""Gradebooks: their columns, their scales, and that no field of them is a formula."""

from __future__ import annotations

import csv
import io
from fractions import Fraction

import pytest
from returning import header

from fsdp_sym.teaching.classroom.gradebook import GRADEBOOKS, csv_line, guarded
from fsdp_sym.teaching.classroom.lists import participants, system_of
from fsdp_sym.teaching.classroom.results import QuestionResult, Result, points_text

HEAD = header()
MARKED = Result(
    "hw1-a", "s1", "Ada Lovelace", "marked", Fraction(15, 2), Fraction(15, 2), Fraction(12),
    (QuestionResult("Q1", "D-all-gather", Fraction(2), (), Fraction(1, 3), Fraction(1, 3)),),
    submitted="2026-03-14 13:00", late=60, notes=("odd",), problems=("=1+1",), number="77",
)  # fmt: skip
MISSING = Result("hw1-b", "s2", "Ben", "missing", None, None, Fraction(12))
EXEMPT = Result("", "s3", "Eve", "exempt", None, None, Fraction(12))


def rows(name: str, *results: Result, columns: tuple[str, ...] = (), listed: dict[str, str] | None = None) -> list[list[str]]:
    book = GRADEBOOKS[name]
    found = book.head(HEAD, columns)
    found += [row for result in results if (row := book.row(HEAD, result, columns, listed or {})) is not None]
    return list(csv.reader(io.StringIO("".join(map(csv_line, found)), newline="")))


FORMULAS = [
    "=1+1", "+1+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", " =1+1", "=cmd|' /C calc'!A0", "-cmd", "+x", "--1", "＝1+1", "a\n=1+1",
    'x;=HYPERLINK("http://a.example")', "x\t=1+1", "'=1",
]  # fmt: skip


@pytest.mark.parametrize("text", FORMULAS)
def test_no_field_begins_like_a_formula(text):
    (field,) = next(csv.reader(io.StringIO(csv_line([text]), newline="")))
    for part in field.replace("\t", ";").replace("\n", ";").replace("\r", ";").split(";"):
        assert not part.strip().startswith(("=", "+", "-", "@", "＝"))
    assert not field.startswith(("\t", "\r", "\n"))


@pytest.mark.parametrize("text", ["7", "-3", "+3", "-3.5", ".5", "-1e9", "0", "-", "7.25", "s1", "Lovelace, Ada", "x-y", "a=b", "1-2", ""])
def test_numbers_and_plain_words_stay_as_they_are(text):
    assert guarded(text) == text


def test_plain():
    head, ada, ben, eve = rows("plain", MARKED, MISSING, EXEMPT)
    assert head[:6] == ["student", "name", "sheet", "status", "mark", "out of"]
    assert head[6:12] == [f"Q{n}" for n in range(1, 7)]
    assert ada == ["s1", "Ada Lovelace", "hw1-a", "marked", "7.5", "12", "0.67", *[""] * 5, "2026-03-14 13:00", "60", "odd; '=1+1"]
    assert ben[3:7] == ["missing", "", "12", ""]
    assert eve[3:7] == ["exempt", "", "12", ""]


def test_canvas():
    assert rows("canvas", MARKED, MISSING, EXEMPT) == [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "hw1"],
        ["    Points Possible", "", "", "", "", "12"],
        ["Ada Lovelace", "", "s1", "s1", "", "7.5"],
        ["Ben", "", "s2", "s2", "", ""],
        ["Eve", "", "s3", "s3", "", "EX"],
    ]


def test_canvas_with_its_own_list():
    columns = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section", "hw0 (3)", "HW1 (4)")
    listed = dict(zip(columns, ["Lovelace, Ada", "42", "u1", "s1", "A", "3", ""], strict=True))
    assert rows("canvas", MARKED, columns=columns, listed=listed)[0][5:] == ["HW1 (4)"]
    assert rows("canvas", MARKED, columns=columns, listed=listed)[2] == ["Lovelace, Ada", "42", "u1", "s1", "A", "7.5"]


def test_moodle():
    head, ada = rows("moodle", MARKED, MISSING, EXEMPT)
    assert head[:6] == ["Identifier", "Full name", "Email address", "Status", "Grade", "Maximum Grade"]
    assert ada[:6] == ["Participant 77", "Ada Lovelace", "", "", "7.5", "12"]


def test_moodle_with_its_own_list_has_its_scale():
    columns = ("Identifier", "Full name", "Grade", "Maximum Grade", "Last modified (grade)")
    listed = dict(zip(columns, ["Participant 77", "Ada", "", "100.00", "-"], strict=True))
    assert rows("moodle", MARKED, columns=columns, listed=listed) == [list(columns), ["Participant 77", "Ada", "62.5", "100.00", "-"]]
    assert rows("moodle", EXEMPT, columns=columns, listed=listed)[1][2] == ""
    assert rows("moodle", MARKED, columns=columns) == [list(columns)]


def test_points_have_at_most_two_decimals():
    shown = {"7": "7", "1/3": "0.33", "1/200": "0.01", "5/2": "2.5", "0": "0", "100": "100", "2/3": "0.67"}
    assert {text: points_text(Fraction(text)) for text in shown} == shown


def test_lists_are_told_by_their_columns():
    assert system_of("\ufeffIdentifier,Full name,Grade") == "moodle"
    assert system_of("Student;ID;SIS User ID;SIS Login ID;Section") == "canvas"
    assert system_of("sheet,student,Q1") is None
    assert system_of("") is None


def test_canvas_list_is_read():
    head, above = "Student,ID,SIS User ID,SIS Login ID,Section,hw1 (4)\n", "    Points Possible,,,,,10\n"
    points, ada = participants([head, above, '"Lovelace, Ada",42,u1,ada@example.org,A,\n'], "canvas")
    assert points.ids == ()
    assert (ada.name, ada.ids, ada.row["ID"]) == ("Lovelace, Ada", ("u1", "ada@example.org", "ada"), "42")


def test_a_ragged_list_is_read_as_far_as_it_goes():
    rows = ["Participant 7", "", "Participant 8,Ada,more", f"Participant 9,{'x' * 200_000}", "Participant 10,Ben"]
    lines = [f"{row}\n" for row in ("Identifier,Full name", *rows)]
    assert [(one.number, one.name) for one in participants(lines, "moodle")] == [("7", ""), ("8", "Ada"), ("10", "Ben")]

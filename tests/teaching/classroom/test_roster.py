"""Rosters as spreadsheets save them, and rosters that mean harm."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fsdp_sym.algebra.errors import FsdpSymError
from fsdp_sym.teaching.classroom.names import file_stem
from fsdp_sym.teaching.classroom.roster import Student, read_roster

FULL = 'id,name,due,extension,format,exempt\ns1,Anna Doe,2026-03-14,2026-03-20 12:00,Large Print,\ns2,"Doe, Bob",,,,YES\n'
READ = (
    Student("s1", "Anna Doe", "2026-03-14", "2026-03-20 12:00", large_print=True),
    Student("s2", "Doe, Bob", exempt=True),
)


def roster(tmp_path: Path, content: str | bytes, due: str = "") -> tuple[Student, ...]:
    path = tmp_path / "roster.csv"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_roster(path, due)


@pytest.mark.parametrize(
    "content",
    [
        FULL,
        FULL.replace("\n", "\r\n"),
        "\ufeff" + FULL,
        FULL.replace(",", ";").replace("Doe; Bob", "Doe, Bob"),
        FULL.replace(",", "\t").replace("Doe\t Bob", "Doe, Bob"),
        "sep=,\r\n" + FULL.replace("\n", "\r\n"),
        FULL.encode("utf-16"),
        FULL.replace("id,name,due", "ID, Name ,DUE"),
        FULL.replace("id,", "Student,", 1),
        FULL.replace("\ns2", "\n,,,,,\n\n s2 ").replace("Anna Doe", "Anna  \u00a0Doe"),
        FULL.replace("exempt\n", "exempt,Group,email\n").replace("YES", "YES,g1,b@x.org"),
        FULL[:-1],
    ],
    ids=["plain", "crlf", "bom", "semicolons", "tabs", "sep line", "utf-16", "capitals", "student", "blanks", "more columns", "no end"],
)
def test_one_class_in_every_dress(content: str | bytes, tmp_path: Path) -> None:
    assert roster(tmp_path, content) == READ


def test_the_due_date_of_those_without_one(tmp_path: Path) -> None:
    assert [s.due for s in roster(tmp_path, FULL, "2026-04-01")] == ["2026-03-14", "2026-04-01"]
    assert roster(tmp_path, "id\ns1\n") == (Student("s1"),)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "has no column id, nor student"),
        ("name\nAnna", "has no column id, nor student"),
        ("id,name\n", "holds no students"),
        ("id,name\n,Anna", "line 2 names no student"),
        ("id,name\ns1,Doe,Anna", "line 2 has 3 fields for 2 columns: put a name that holds a comma in quotes"),
        ("id,name\ns1,Anna\ns1,Bob", "the id 's1' is there twice"),
        ("id,name\nAnna,A\nanna,B", "the id 'Anna' and 'anna' can be taken for one another"),
        ("id\nｓ1\ns1", "can be taken for one another"),
        ("id\na/b\na_b-" + file_stem("a/b")[-10:], "can be taken for one another"),
        ("id,id\ns1,s1", "two columns for id"),
        ("id,student\ns1,s1", "two columns for id"),
        ("id,extention\ns1,", "has a column 'extention': call it extension"),
        ("id,exempt\ns1,perhaps", "line 2 says 'perhaps' under exempt: write yes"),
        ("id,format\ns1,braille", "line 2 asks for the format 'braille': write large print"),
        ("id,due\ns1,3/4/2026", "line 2: '3/4/2026' is no date: write it as 2026-03-14"),
        ("id,extension\n\ns1,next Friday", "line 3: 'next Friday' is no date"),
        ("id,name\ns\x001,A", "line 2 has a control character in its id"),
        ('id,name\n"s1\n",A\n"s\n2",B', "has a control character in its id, 's\\n2'"),
        ("id,name\ns1,A\x1b[31m", "has a control character in its name"),
        ("id,name\ns1,A\u202egnp.exe", "has a control character in its name"),
        ("id,name\ns1," + "A" * 401, "line 2 has a name of 401 characters"),
        ("id,name\ns1," + "A" * 200_000, "is no CSV"),
        ('id,name\ns1,"Anna\ns2,Bob', "is no CSV: unexpected end"),
        ("id,name\ns1,M\xfcller".encode("latin-1"), "is not in UTF-8: save it as CSV UTF-8"),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "is not in UTF-8"),
        (b"PK\x03\x04" + b"\0" * 60, "has no column id"),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_what_cannot_be_read_is_one_line_with_its_place(content: str | bytes, words: str, tmp_path: Path) -> None:
    with pytest.raises(FsdpSymError, match=re.escape(words)) as refused:
        roster(tmp_path, content)
    assert "roster.csv" in str(refused.value)
    assert str(refused.value).isprintable()
    assert len(str(refused.value)) < 400


def test_a_roster_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(FsdpSymError, match="cannot be read: No such file"):
        read_roster(tmp_path / "none.csv")
    with pytest.raises(FsdpSymError, match="cannot be read: Is a directory"):
        read_roster(tmp_path)


@pytest.mark.parametrize(
    ("student", "stem"),
    [
        ("s123", "s123"),
        ("anna.doe@uni.example", "anna.doe@uni.example"),
        ("../../etc/passwd", "______etc_passwd-3754d6cb3a"),
        ("/etc/passwd", "_etc_passwd-74acf31844"),
        ("C:\\Windows\\x", "C__Windows_x-615ed26b1b"),
        ("CON", "CON-a3dbc4b644"),
        ("nul.txt", "nul_txt-7f3cbdd58a"),
        ("COM1", "COM1-6eac394bec"),
        ("=cmd|'/c calc'!A0", "_cmd___c_calc__A0-3594b490bb"),
        ("-rf", "rf-686c39acd6"),
        (".hidden", "_hidden-1692419006"),
        ("trailing.", "trailing_-44c12a4e43"),
        ("Jörg Müller", "J_rg_M_ller-70ed695edc"),
        ("..", "__-5ec1f7e700"),
    ],
)
def test_file_names_of_hostile_ids(student: str, stem: str) -> None:
    """Literal, for a name that changed would hand the same student a second sheet."""
    assert file_stem(student) == stem


@given(st.text(min_size=1, max_size=400))
def test_any_id_has_a_file_name_that_stays_where_it_is_put(student: str) -> None:
    stem = file_stem(student)
    assert re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9._@+-]{0,59}", stem)
    assert not stem.endswith(".")
    assert stem.partition(".")[0].upper() not in {"CON", "PRN", "AUX", "NUL", *(f"{d}{n}" for d in ("COM", "LPT") for n in range(10))}
    assert Path("/out", stem).parent == Path("/out")


def test_long_ids_that_differ_at_their_end_alone_have_names_of_their_own() -> None:
    assert len({file_stem("x" * 300 + str(at)) for at in range(50)}) == 50

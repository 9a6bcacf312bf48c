"""The hand-out record is written whole, read a sheet at a time, and gives back the very drills."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from fsdp_sym.algebra.errors import FsdpSymError
from fsdp_sym.teaching.classroom.record import Asked, Header, SheetRecord, read_record, write_record
from fsdp_sym.teaching.drills import QUESTIONS, pose

DRILLS = tuple(pose(question, 11) for question in QUESTIONS.values())
HEADER = Header("hw1", tuple(Asked(f"Q{at}", drill.question.id) for at, drill in enumerate(DRILLS, 1)), "0.1.0", (("python", "3.11"),))
SHEET = SheetRecord("hw1-0a1b2c3d4e", "s1", 'Jörg \u2028 "x"', "2026-03-14", "", False, tuple(drill.variant.drawn for drill in DRILLS))
OTHER = SheetRecord("hw1-ffffffffff", "s2", "", "", "2026-03-20", True, SHEET.variants)


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "record.jsonl"
    write_record(path, HEADER, iter([SHEET, OTHER]))
    return path


def test_what_is_written_is_read(record: Path) -> None:
    header, sheets = read_record(record)
    assert header == HEADER
    assert list(sheets) == [SHEET, OTHER]
    if os.name == "posix":
        assert stat.S_IMODE(record.stat().st_mode) == 0o600


def test_every_question_is_made_again_from_its_record(record: Path) -> None:
    header, sheets = read_record(record)
    drills = next(sheets).drills(header)
    assert [label for label, _ in drills] == [question.label for question in HEADER.questions]
    assert [(d.posed, d.keys, d.variant) for _, d in drills] == [(d.posed, d.keys, d.variant) for d in DRILLS]


def test_an_interruption_leaves_the_old_record(record: Path) -> None:
    before = record.read_bytes()

    def interrupted():
        yield OTHER
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_record(record, HEADER, interrupted())
    assert record.read_bytes() == before
    assert list(record.parent.iterdir()) == [record]


@pytest.mark.parametrize(
    ("line", "damage"),
    [
        (1, b""),
        (1, b"{}"),
        (1, b"[1]"),
        (1, b"{" * 100_000),
        (1, b'{"fsdp_sym":1,"assignment":"x","questions":[{}],"made_with":{}}'),
        (2, b"{"),
        (2, b"[]"),
        (2, b"{}"),
        (3, b'{"sheet":"x","student":"s","name":"","due":"","extension":"","exempt":false,"variants":[]}'),
    ],
)
def test_damage_is_told_with_its_line(line: int, damage: bytes, record: Path) -> None:
    lines = record.read_bytes().splitlines()
    lines[line - 1] = damage
    record.write_bytes(b"\n".join(lines))
    with pytest.raises(FsdpSymError, match=rf"record\.jsonl is damaged in line {line}: put a copy of it back"):
        list(read_record(record)[1])


def test_no_record_and_no_text(tmp_path: Path) -> None:
    with pytest.raises(FsdpSymError, match="no hand-out record is at"):
        read_record(tmp_path / "record.jsonl")
    (tmp_path / "latin").write_bytes(b"\xff\xfe\n")
    with pytest.raises(FsdpSymError, match="not UTF-8"):
        read_record(tmp_path / "latin")

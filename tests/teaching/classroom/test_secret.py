"""The course's key: written once, for its owner, and everything drawn with it belongs to one use alone."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from fsdp_sym.algebra.errors import FsdpSymError
from fsdp_sym.teaching.classroom.secret import new_key, read_key, seed, sheet_id

KEY = bytes(range(32))


def test_a_key_file_is_its_owners_and_reads_back(tmp_path: Path) -> None:
    one, other = tmp_path / "one.key", tmp_path / "other.key"
    new_key(one)
    new_key(other)
    assert len(read_key(one)) == 32
    assert read_key(one) != read_key(other)
    assert one.read_text().strip() == read_key(one).hex()
    if os.name == "posix":
        assert stat.S_IMODE(one.stat().st_mode) == 0o600


def test_a_key_is_never_written_over_nor_through_a_link(tmp_path: Path) -> None:
    path = tmp_path / "course.key"
    new_key(path)
    before = path.read_bytes()
    link = tmp_path / "link.key"
    link.symlink_to(tmp_path / "elsewhere.key")
    for there in (path, link):
        with pytest.raises(FsdpSymError, match="never written over: keep it, or name another"):
            new_key(there)
    assert path.read_bytes() == before
    assert not (tmp_path / "elsewhere.key").exists()
    with pytest.raises(FsdpSymError, match="cannot be written: No such file"):
        new_key(tmp_path / "nowhere" / "course.key")


@pytest.mark.parametrize(
    "content", [b"", b"abc", b"0" * 63, b"0" * 65, b"g" * 64, b"0" * 64 + b" " * 100 + b"1", b"0" * 100_000, bytes(64)]
)
def test_what_is_no_key_is_refused_and_not_quoted(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "wrong.key"
    path.write_bytes(content)
    with pytest.raises(FsdpSymError, match=r"wrong\.key is no key file, .*: name the one that --new-key wrote") as refused:
        read_key(path)
    assert "ggg" not in str(refused.value)
    assert "000" not in str(refused.value)


def test_a_missing_key_names_the_command_that_writes_one(tmp_path: Path) -> None:
    with pytest.raises(FsdpSymError, match=r"no key file is at .*: write one with fsdp-sym assign --new-key"):
        read_key(tmp_path / "course.key")
    with pytest.raises(FsdpSymError, match="cannot be read: Is a directory"):
        read_key(tmp_path)


def test_seeds_and_ids_are_the_same_for_ever() -> None:
    """A change here would make every hand-out unlike its second run."""
    assert seed(KEY, "hw1", "s1", "D-all-gather", 0, 0) == 11342348693065988214
    assert sheet_id(KEY, "hw1", "s1", 0) == "hw1-4660b10c4c"


def test_no_two_uses_share_a_seed() -> None:
    uses = [
        (key, assignment, student, question, sheet, again)
        for key in (KEY, bytes(32))
        for assignment in ("hw1", "hw", "hw1s")
        for student in ("s1", "1s1", '","', "s1,D")
        for question in ("D-all-gather", "all-gather")
        for sheet in (0, 1)
        for again in (0, 1)
    ]
    assert len({seed(*use) for use in uses}) == len(uses)
    assert all(0 <= seed(*use) < 2**64 for use in uses)
    assert len({sheet_id(key, "hw1", student, again) for key in (KEY, bytes(32)) for student in ("a", "b") for again in (0, 1)}) == 8

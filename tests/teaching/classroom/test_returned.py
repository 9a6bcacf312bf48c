"""Folders and zips of returned work: whose a file is, and that nothing in them leads out, hangs or swells."""

from __future__ import annotations

import io
import os
import stat
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest
from returning import written

from fsdp_sym.algebra.errors import FsdpSymError
from fsdp_sym.teaching.classroom import returned
from fsdp_sym.teaching.classroom.grade import DAMAGED
from fsdp_sym.teaching.classroom.returned import File, Sender, files_in, sender_of

KNOWN = {"s1", "s2", "Ada Lovelace"}


def found(place: Path) -> dict[str, File]:
    return {file.name: file for file in files_in(place)}


def problems(place: Path) -> dict[str, str]:
    return {name: file.problem for name, file in found(place).items()}


PATHS = [
    ("Ada Lovelace_1001_assignsubmission_file_/hw1.ipynb", Sender("Ada Lovelace", "1001")),
    ("Ada Lovelace_1001_assignsubmission_file/hw1.ipynb", Sender("Ada Lovelace", "1001")),
    ("Ada Lovelace_1001_assignsubmission_file_/deep/er/hw1.ipynb", Sender("Ada Lovelace", "1001")),
    ("Ada Lovelace_1001_assignsubmission_file_hw1.ipynb", Sender("Ada Lovelace", "1001")),
    ("A_2_B_1001_assignsubmission_file_/x.ipynb", Sender("A_2_B", "1001")),
    ("Participant_1001_assignsubmission_file_/hw1.ipynb", Sender("", "1001")),
    ("submitted/s1/hw1/hw1.ipynb", Sender("s1")),
    ("submitted/nobody/hw1/hw1.ipynb", Sender("nobody")),
    ("s1/hw1.ipynb", Sender("s1")),
    ("group/s1/hw1.ipynb", Sender("s1")),
    ("s1.ipynb", Sender("s1")),
    ("hw1.ipynb", None),
    ("group/hw1.ipynb", None),
    # What a student puts into the own folder says nothing about others.
    ("Ada Lovelace_1001_assignsubmission_file_/s2/hw1.ipynb", Sender("Ada Lovelace", "1001")),
    ("Ada Lovelace_1001_assignsubmission_file_/Ben_1002_assignsubmission_file_/s2.ipynb", Sender("Ada Lovelace", "1001")),
    ("Ada Lovelace_1001_assignsubmission_file_Ben_1002_assignsubmission_file_x.ipynb", Sender("Ada Lovelace", "1001")),
    ("submitted/s1/hw1/s2/hw1.ipynb", Sender("s1")),
    ("s1/s2.ipynb", Sender("s1")),
]


@pytest.mark.parametrize(("path", "sender"), PATHS, ids=[path for path, _ in PATHS])
def test_whose_it_is(path, sender):
    assert sender_of(tuple(path.split("/")), False, KNOWN.__contains__) == sender


def test_a_timestamp_makes_a_folder_nbgraders():
    assert sender_of(("nobody", "hw1", "x.ipynb"), True, KNOWN.__contains__) == Sender("nobody")
    assert sender_of(("nobody", "hw1", "x.ipynb"), False, KNOWN.__contains__) is None


def test_a_folder_is_read_in_the_order_of_its_names(tmp_path):
    for name in ("b.ipynb", "a/z.json", "a/a.csv", "c.md"):
        written(tmp_path / name, b"x")
    assert list(found(tmp_path)) == ["a/a.csv", "a/z.json", "b.ipynb", "c.md"]
    assert found(tmp_path)["b.ipynb"].content() == b"x"


def test_what_a_computer_puts_there_is_passed_over(tmp_path):
    for name in (".DS_Store", ".ipynb_checkpoints/hw1-checkpoint.ipynb", "__MACOSX/._hw1.ipynb", "s1/timestamp.txt", "Thumbs.db"):
        written(tmp_path / name, b"x")
    assert found(tmp_path) == {}


def test_a_foreign_file_is_a_line(tmp_path):
    written(tmp_path / "s1/essay.pdf", b"x")
    written(tmp_path / "s1/all.zip", b"x")
    assert problems(tmp_path) == {"s1/all.zip": "a zip within: not opened", "s1/essay.pdf": "no notebook, Markdown, JSON or CSV: not read"}


def test_nbgraders_course_can_be_named_or_its_folder_of_submissions(tmp_path):
    written(tmp_path / "submitted/s1/hw1/hw1.ipynb", b"x")
    written(tmp_path / "submitted/s1/hw1/timestamp.txt", b"2026-03-14 11:00:00 UTC\n")
    written(tmp_path / "submitted/s1/hw1/own/timestamp.txt", b"2020-01-01 00:00:00 UTC\n")
    written(tmp_path / "submitted/s1/hw1/own/x.ipynb", b"x")
    written(tmp_path / "release/hw1/hw1.ipynb", b"x")
    for place in (tmp_path, tmp_path / "submitted"):
        assert {name: file.timestamp for name, file in found(place).items()} == {
            "submitted/s1/hw1/hw1.ipynb": "2026-03-14 11:00:00 UTC",
            "submitted/s1/hw1/own/x.ipynb": "2026-03-14 11:00:00 UTC",
        }


def test_links_pipes_and_large_files_are_lines(tmp_path, monkeypatch):
    secret = written(tmp_path / "secret.ipynb", b"secret")
    folder = tmp_path / "returned"
    written(folder / "s1/hw1.ipynb", b"x" * 100)
    os.symlink(secret, folder / "s1/link.ipynb")
    os.symlink(tmp_path, folder / "s1/folder")
    os.mkfifo(folder / "s1/pipe.ipynb")
    written(folder / "s1/large.ipynb", b"x" * 2000)
    monkeypatch.setitem(returned._READ, ".ipynb", 1000)
    assert problems(folder) == {
        "s1/folder": "a link, which is not followed",
        "s1/hw1.ipynb": "",
        "s1/large.ipynb": "larger than 0 MB: not read",
        "s1/link.ipynb": "a link, which is not followed",
        "s1/pipe.ipynb": "no plain file: not read",
    }


def test_a_file_that_becomes_a_link_or_a_pipe_is_not_opened(tmp_path):
    place = written(tmp_path / "s1.ipynb", b"x")
    (file,) = files_in(tmp_path)
    place.unlink()
    os.symlink("/etc/passwd", place)
    with pytest.raises(OSError, match="symbolic links"):
        file.content()
    place.unlink()
    os.mkfifo(place)
    with pytest.raises(OSError, match="no plain file"):
        file.content()


def test_a_file_that_grows_is_not_read_whole(tmp_path, monkeypatch):
    place = written(tmp_path / "s1.ipynb", b"x")
    (file,) = files_in(tmp_path)
    place.write_bytes(b"x" * 5000)
    monkeypatch.setitem(returned._READ, ".ipynb", 1000)
    assert len(file.content()) == 1001


def test_a_folder_without_end_is_not_followed_to_its_end(tmp_path, monkeypatch):
    written(tmp_path / "/".join("abcdefghijkl") / "hw1.ipynb", b"x")
    assert list(problems(tmp_path).values()) == ["a folder deeper than any LMS makes them: not looked into"]
    for at in range(9):
        written(tmp_path / f"{at}.ipynb", b"x")
    monkeypatch.setattr(returned, "_MOST_FILES", 5)
    assert list(problems(tmp_path).values())[-1] == "after 5 files the rest was not looked at"


def test_names_that_are_no_text_are_shown_as_text(tmp_path):
    os.close(os.open(os.fsencode(tmp_path) + b"/\xff\xfe.ipynb", os.O_CREAT | os.O_WRONLY))
    (file,) = files_in(tmp_path)
    file.name.encode()


def test_neither_a_folder_nor_a_zip_is_refused(tmp_path):
    for place in (tmp_path / "nowhere", written(tmp_path / "x.zip", b"no zip")):
        with pytest.raises(FsdpSymError, match="neither a folder nor a zip"):
            list(files_in(place))


# Zips.


def zipped(place: Path, members: dict[str, bytes], **rest: int) -> Path:
    with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            info = zipfile.ZipInfo("x")
            info.filename = name
            info.external_attr = rest.get("mode", stat.S_IFREG | 0o644) << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, content)
    return place


def test_a_zip_is_read_in_memory(tmp_path):
    member, stamped = "Ada Lovelace_1001_assignsubmission_file_/hw1.ipynb", "submitted/s1/hw1/"
    members = {member: b"abc", f"{stamped}timestamp.txt": b"2026-03-14", f"{stamped}x.ipynb": b"y"}
    place = zipped(tmp_path / "all.zip", members)
    content = {}
    for file in files_in(place):
        content[file.name] = (file.content(), file.timestamp)
    assert content == {member: (b"abc", ""), "submitted/s1/hw1/x.ipynb": (b"y", "2026-03-14")}
    assert sorted(p.name for p in tmp_path.iterdir()) == ["all.zip"]


OUTSIDE = [
    "../hw1.ipynb", "a/../../hw1.ipynb", "/etc/hw1.ipynb", "C:/hw1.ipynb", "c:hw1.ipynb", "..\\hw1.ipynb", "a\\..\\hw1.ipynb", "x\0.ipynb",
]  # fmt: skip


@pytest.mark.parametrize("name", OUTSIDE)
def test_a_name_that_leads_out_is_a_line(tmp_path, name):
    place = zipped(tmp_path / "all.zip", {name: b"x", "s1/hw1.ipynb": b"y"})
    assert list(problems(place).values()) == ["a name that leads out of the folder: not read", ""]


@pytest.mark.parametrize("name", ["con.ipynb", "s1/NUL.ipynb", "aux/hw1.ipynb", "COM1.ipynb"])
def test_the_name_of_a_device_is_a_line(tmp_path, name):
    assert list(problems(zipped(tmp_path / "all.zip", {name: b"x"})).values()) == ["the name of a device: not read"]


def test_a_link_in_a_zip_is_a_line(tmp_path):
    place = zipped(tmp_path / "all.zip", {"s1/hw1.ipynb": b"/etc/passwd"}, mode=stat.S_IFLNK | 0o777)
    assert list(problems(place).values()) == ["a link, which is not followed"]


def test_a_bomb_is_a_line(tmp_path):
    place = zipped(tmp_path / "all.zip", {"s1/bomb.ipynb": bytes(4_900_000), "s1/larger.ipynb": bytes(50_000_000), "s1/hw1.ipynb": b"y"})
    assert place.stat().st_size < 100_000
    said = problems(place)
    assert said["s1/bomb.ipynb"] == said["s1/larger.ipynb"] == "more than 200 times as large unpacked: not read"
    assert said["s1/hw1.ipynb"] == ""


def test_a_member_that_lies_about_its_size_is_not_read_beyond_it(tmp_path, monkeypatch):
    place = zipped(tmp_path / "all.zip", {"s1/hw1.ipynb": os.urandom(1000) * 40})
    raw = bytearray(place.read_bytes())
    for at in (raw.find(b"PK\x03\x04") + 22, raw.find(b"PK\x01\x02") + 24):
        raw[at : at + 4] = (1000).to_bytes(4, "little")
    place.write_bytes(raw)
    for file in files_in(place):
        with suppress(zipfile.BadZipFile):
            assert len(file.content()) <= 1000


def test_what_all_members_unpack_to_is_bounded(tmp_path, monkeypatch):
    monkeypatch.setattr(returned, "_MOST_UNPACKED", 2500)
    place = zipped(tmp_path / "all.zip", {f"s{at}.ipynb": os.urandom(1000) for at in range(9)})
    said = list(problems(place).values())
    assert said[:2] == ["", ""]
    assert "the rest are not read" in said[2]
    assert len(said) == 3


def test_a_list_of_members_without_end_is_refused_before_it_is_read(tmp_path, monkeypatch):
    place = zipped(tmp_path / "all.zip", {f"s{at}.ipynb": b"" for at in range(100)})
    monkeypatch.setattr(returned, "_MOST_DIRECTORY", 1000)
    with pytest.raises(FsdpSymError, match="unpack it"):
        list(files_in(place))
    monkeypatch.undo()
    raw = place.read_bytes()
    at = raw.rfind(b"PK\x05\x06")
    place.write_bytes(raw[:at] + b"PK\x06\x07" + bytes(16) + raw[at:])
    with pytest.raises(FsdpSymError, match=r"unpack it|cannot be read as a zip"):
        list(files_in(place))


def test_damaged_zips_are_refused_or_read_as_far_as_they_go(tmp_path):
    whole = zipped(tmp_path / "all.zip", {"s1/hw1.ipynb": os.urandom(5000), "s2/hw1.ipynb": b"y"}).read_bytes()
    for cut in range(0, len(whole), 200):
        for damaged in (whole[:cut], whole[:cut] + b"\xff" * 20 + whole[cut + 20 :]):
            place = written(tmp_path / "damaged.zip", damaged)
            with suppress(FsdpSymError, *DAMAGED):
                for file in files_in(place):
                    if file.open:
                        file.content()


def test_a_zip_within_a_zip_is_not_opened(tmp_path):
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr("s2/hw1.ipynb", b"x")
    assert problems(zipped(tmp_path / "all.zip", {"s1/own.zip": inner.getvalue()})) == {"s1/own.zip": "a zip within: not opened"}

"""Building the book: what it refuses, what it leaves alone, and the fonts that stand in its stylesheet."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from fsdp_sym.algebra.errors import FsdpSymError
from fsdp_sym.cli import NO, WRONG, main
from fsdp_sym.publishing.book import site as room
from fsdp_sym.publishing.book import vendored
from fsdp_sym.publishing.kernel import BuildRefused

PINNED = Path(vendored.__file__).parent


@pytest.fixture
def made_of_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Every step but the last ones is left out: no npm, no audit, no Sphinx."""
    monkeypatch.setattr(room, "find_spec", lambda _: True)
    monkeypatch.setattr(room, "fetched", lambda _: tmp_path)
    monkeypatch.setattr(room, "audited", lambda _: [])
    monkeypatch.setattr(room, "write_sources", lambda *_: None)
    monkeypatch.setattr(room, "_write_static", lambda *_: None)
    monkeypatch.setattr(room, "name_landmarks", lambda _: None)
    monkeypatch.setattr(room, "add_practice", lambda *_: None)


def pages(text: str):
    def make(_sources: Path, _static: Path, made: Path) -> None:
        (made / "_static").mkdir(parents=True)
        (made / "_static" / "book.css").write_text("")
        (made / "searchindex.js").write_text("")
        (made / "index.html").write_text(text)

    return make


def test_a_broken_link_fails_the_build_and_the_earlier_book_stays(made_of_nothing, monkeypatch, tmp_path):
    site = tmp_path / "site"
    monkeypatch.setattr(room, "make_pages", pages("first"))
    assert room.build_book(tmp_path, site, None) == 1
    monkeypatch.setattr(room, "make_pages", pages('<a href="gone.html">a</a>'))
    with pytest.raises(
        BuildRefused, match=r"^1 link\(s\) of the book are broken, first index.html: gone.html leads to no file of the site: "
    ):
        room.build_book(tmp_path, site, None)
    assert (site / "index.html").read_text() == "first"
    monkeypatch.setattr(room, "make_pages", pages("second"))
    assert room.build_book(tmp_path, site, None) == 1
    assert (site / "index.html").read_text() == "second"


def test_a_practice_page_that_cannot_be_prepared_fails_the_build(made_of_nothing, monkeypatch, tmp_path):
    def refuse(*_):
        raise BuildRefused("the practice page's Python cannot import it")

    monkeypatch.setattr(room, "make_pages", pages("first"))
    monkeypatch.setattr(room, "add_practice", refuse)
    with pytest.raises(BuildRefused, match=r"^the practice page's Python cannot import it$"):
        room.build_book(tmp_path, tmp_path / "site", None)
    assert not (tmp_path / "site").exists()


def test_a_folder_with_something_else_in_it_is_left_alone(made_of_nothing, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("all of it")
    with pytest.raises(FsdpSymError, match=r"mine holds something that is no book, thesis\.txt: move it away, or name another folder"):
        room.build_book(tmp_path, tmp_path / "mine", None)
    assert (tmp_path / "mine" / "thesis.txt").read_text() == "all of it"


def test_a_book_with_a_file_of_the_readers_own_is_left_alone(made_of_nothing, monkeypatch, tmp_path):
    site = tmp_path / "site"
    monkeypatch.setattr(room, "make_pages", pages("first"))
    room.build_book(tmp_path, site, None)
    (site / "notes").mkdir()
    (site / "notes" / "mine.txt").write_text("all of it")
    with pytest.raises(FsdpSymError, match=r"site holds something that is no book, notes/mine\.txt: move it away"):
        room.build_book(tmp_path, site, None)
    assert (site / "notes" / "mine.txt").read_text() == "all of it"


def test_what_is_laid_there_while_the_book_is_made_is_left_alone(made_of_nothing, monkeypatch, tmp_path):
    def late(*there: Path) -> None:
        pages("a book")(*there)
        (tmp_path / "site").mkdir()
        (tmp_path / "site" / "thesis.txt").write_text("all of it")

    monkeypatch.setattr(room, "make_pages", late)
    with pytest.raises(FsdpSymError, match=r"no book, thesis\.txt"):
        room.build_book(tmp_path, tmp_path / "site", None)
    assert (tmp_path / "site" / "thesis.txt").read_text() == "all of it"


@pytest.mark.parametrize(("name", "why"), [("x" * 300, "File name too long"), ("file/site", "Not a directory"), ("a\0b", "null byte")])
def test_a_name_that_no_folder_can_have_is_one_line(made_of_nothing, tmp_path, name, why):
    (tmp_path / "file").write_text("")
    with pytest.raises(FsdpSymError, match=f"cannot be the book's folder: .*{why}: name another folder"):
        room.build_book(tmp_path, tmp_path / name, None)


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "fsdp_sym").mkdir()
    monkeypatch.chdir(tmp_path)


def test_what_the_book_is_made_with_is_asked_for(checkout, monkeypatch, capsys):
    monkeypatch.setattr(room, "find_spec", lambda _: None)
    assert main(["build", "--book", "site"]) == WRONG
    assert capsys.readouterr().err.endswith("pip install 'fsdp_sym[book]'\n")


def test_a_refused_book_is_one_line_and_exits_with_no(checkout, monkeypatch, capsys):
    def refuse(*_):
        raise BuildRefused("1 link(s) of the book are broken")

    monkeypatch.setattr(room, "build_book", refuse)
    assert main(["build", "--book", "site"]) == NO
    assert capsys.readouterr().err == "fsdp-sym: 1 link(s) of the book are broken\n"


@pytest.mark.parametrize("argv", [["build", "--book", "site", "--check"], ["build", "--book", " "]])
def test_a_request_that_makes_no_sense_is_refused(checkout, argv, capsys):
    assert main(argv) == WRONG
    assert capsys.readouterr().err.count("\n") == 1


def test_without_npm_the_remedy_is_said(monkeypatch, tmp_path):
    monkeypatch.setattr(vendored.shutil, "which", lambda _: None)
    with pytest.raises(FsdpSymError, match=r"npm is missing, .*: install Node.js with npm"):
        vendored.fetched(tmp_path)


def test_packages_are_fetched_once_and_again_when_another_version_is_pinned(monkeypatch, tmp_path):
    ran = []
    monkeypatch.setattr(vendored.shutil, "which", lambda _: "npm")
    monkeypatch.setattr(vendored.subprocess, "run", lambda *a, **_: ran.append(a) or subprocess.CompletedProcess(a, 0, "", ""))
    assert vendored.fetched(tmp_path) == tmp_path / "build" / "vendored" / "node_modules"
    vendored.fetched(tmp_path)
    assert len(ran) == 1
    (tmp_path / "build" / "vendored" / "fetched").write_text("another")
    vendored.fetched(tmp_path)
    assert len(ran) == 2


def test_a_book_takes_its_place_whole_or_the_earlier_one_stays(monkeypatch, tmp_path):
    made, place = tmp_path / "made", tmp_path / "site"
    for folder, words in ((made, "new"), (place, "old")):
        folder.mkdir()
        (folder / "index.html").write_text(words)
    rename = Path.rename

    def fails(path, to):
        if path.name == "new":
            raise KeyboardInterrupt
        return rename(path, to)

    monkeypatch.setattr(Path, "rename", fails)
    with pytest.raises(KeyboardInterrupt):
        room._put_in_place(made, place)
    monkeypatch.setattr(Path, "rename", rename)
    assert (place / "index.html").read_text() == "old"
    room._put_in_place(made, place)
    assert (place / "index.html").read_text() == "new"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["made", "site"]


def test_a_fetch_that_fails_is_one_line_and_is_tried_again(monkeypatch, tmp_path):
    monkeypatch.setattr(vendored.shutil, "which", lambda _: "npm")
    monkeypatch.setattr(vendored.subprocess, "run", lambda *a, **_: subprocess.CompletedProcess(a, 1, "", "npm error no network\nmore\n"))
    with pytest.raises(FsdpSymError, match=r"npm could not fetch .*: npm error no network$"):
        vendored.fetched(tmp_path)
    assert not (tmp_path / "build" / "vendored" / "fetched").exists()


def test_every_package_is_pinned_to_one_version():
    wanted = json.loads((PINNED / "package.json").read_text())
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in {**wanted["dependencies"], **wanted["devDependencies"]}.values())


def test_the_stylesheet_holds_the_fonts_themselves(tmp_path):
    for face in vendored.FACES:
        (tmp_path / face.file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / face.file).write_bytes(b"font")
    text = vendored.fonts_css(tmp_path)
    assert text.count("data:font/woff2;base64,Zm9udA==") == len(vendored.FACES)
    assert "url(" not in text.replace('url("data:', "")

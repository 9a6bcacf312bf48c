"""The page as it is written: nothing from outside, every cell to choose, and a way to practise for those who cannot run it."""

from __future__ import annotations

import re
from html import escape
from pathlib import Path

import pytest

from fsdp_sym.algebra.errors import FsdpSymError
from fsdp_sym.publishing.book.check_links import broken_links
from fsdp_sym.publishing.practice_page import page, runtime
from fsdp_sym.publishing.practice_page.paper import paper_sources
from fsdp_sym.scenarios.cells import CELLS, READING_PATH
from fsdp_sym.teaching.drills import QUESTIONS, pose

ROOT = Path(__file__).parents[3]
ASSETS = sorted((Path(page.__file__).parent / "assets").iterdir())


@pytest.mark.parametrize("path", ASSETS, ids=lambda path: path.name)
def test_no_asset_names_an_outside_address_or_writes_html(path):
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"https?:|//\w+\.\w", text)
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b", text)


def test_the_page_has_every_cell_and_the_other_ways():
    text = page.practice_text()
    assert re.findall(r'<option id="\w+" value="(\w+)"', text) == list(READING_PATH)
    for cell in READING_PATH:
        assert f"{cell}. {escape(CELLS[cell].title)}" in text
        assert f'href="_practice/{cell}-practice.ipynb"' in text
    for words in ("<noscript>", "python3 -m http.server", "(/practice-on-paper.md)"):
        assert words in text


def test_what_lies_beside_it_is_all_that_it_names(monkeypatch, tmp_path):
    monkeypatch.setattr(page, "write_runtime", lambda *_: (tmp_path / "_practice").mkdir())
    page.add_practice(ROOT, tmp_path, tmp_path)
    skeleton = (Path(page.__file__).parent / "assets" / "practice.html").read_text(encoding="utf-8")
    (tmp_path / "practice.html").write_text(skeleton.replace("{cells}", ""))
    assert broken_links(tmp_path) == []
    for script in (tmp_path / "_practice").glob("*.js"):
        for name in re.findall(r'(?:from|import\() ?"\./([\w.]+)"', script.read_text(encoding="utf-8")):
            assert (tmp_path / "_practice" / name).is_file(), f"{script.name} imports {name}"


def test_paper_has_questions_of_every_cell_and_their_answers_elsewhere():
    sources = dict(paper_sources())
    questions, answers = sources["practice-on-paper"], sources["practice-on-paper-answers"]
    headings = re.findall(r"(?m)^### (.+)$", questions)
    assert headings == re.findall(r"(?m)^### (.+)$", answers)
    assert {name.partition("-")[0] for name in headings} == set(READING_PATH)
    drill = pose(QUESTIONS["D-steps"], 1)
    assert drill.posed.prompt in questions
    assert "39" in answers.split("### D-steps, number 1")[1].split("###")[0]
    assert "39" not in questions.split("### D-steps, number 1")[1].split("###")[0]


@pytest.mark.parametrize("pins", ["", "sympy==1.14.0\n", "# sympy==1.14.0\nmpmath==1.3.0\n", "sympy>=1.14\nmpmath==1.3.0\n"])
def test_a_library_without_a_pin_is_refused(pins):
    with pytest.raises(FsdpSymError, match=r"^constraints.txt must pin sympy and mpmath, which the practice page runs: "):
        runtime._pinned(pins)


def test_the_pins_are_those_that_everything_is_tested_with():
    assert runtime._pinned((ROOT / "constraints.txt").read_text(encoding="utf-8")) == ["mpmath==1.3.0", "sympy==1.14.0"]

"""The other pages: each holds all of what it is the catalogue of, from where that is said once."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path

import pytest
import typer

from fsdp_sym.algebra.vocabulary import LETTERS
from fsdp_sym.cli import app
from fsdp_sym.figures.picture import Picture, Table
from fsdp_sym.publishing.book import lesson_pages, matrix_map
from fsdp_sym.publishing.book.command_page import command_text
from fsdp_sym.publishing.book.landmarks import name_landmarks
from fsdp_sym.publishing.book.lesson_pages import lesson_notebook
from fsdp_sym.publishing.book.markdown import plain
from fsdp_sym.publishing.book.misconception_pages import misconception_sources
from fsdp_sym.publishing.book.new_cell_page import new_cell_text
from fsdp_sym.publishing.book.notation_page import notation_text
from fsdp_sym.publishing.book.uses import uses
from fsdp_sym.publishing.kernel import BuildRefused
from fsdp_sym.scenarios.cells import CELLS
from fsdp_sym.teaching.lessons import OURS
from fsdp_sym.teaching.misconceptions import MISCONCEPTIONS

ROOT = Path(__file__).parents[3]


def test_every_misconception_stands_once_with_its_thought_principle_sentence_and_where_it_is_met():
    text = "\n".join(text for _, text in misconception_sources(uses()))
    for one in MISCONCEPTIONS.values():
        assert text.count(f"## {one.id}\n") == 1
        section = text.partition(f"## {one.id}\n")[2].partition("\n## ")[0]
        assert all(plain(said) in section for said in (one.thinks, one.violates.says, one.tell))
        assert all(f"/{name}.md)" in section for name in one.about)
        assert uses().meeting[one.id], f"{one.id} is met in no question"


def test_every_letter_is_explained_once():
    rows = [line for line in notation_text().splitlines() if line.startswith("| $")]
    assert [row.split("$")[1] for row in rows] == [entry.tex for entry in LETTERS.values()]
    assert all(plain(entry.says) in row for row, entry in zip(rows, LETTERS.values(), strict=True))


def test_every_command_and_each_of_its_options_is_told():
    program = typer.main.get_command(app)
    text = command_text(program)
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == list(program.commands)
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert [row for row in rows if len(re.split(r"(?<!\\)\|", row)) != 4] == [], "a stroke in an option ends its cell"
    for command in program.commands.values():
        section = text.partition(f"\n## {command.name}\n")[2].partition("\n## ")[0]
        assert all(option in section for parameter in command.params for option in parameter.opts if option.startswith("--"))
        assert plain(command.help.split("\n\n")[0]) in section


def test_how_to_add_a_cell_is_taken_from_where_it_is_said():
    contributing = (ROOT / "CONTRIBUTING.md").read_text()
    text = new_cell_text(contributing)
    assert text.startswith("# A new cell in five minutes\n")
    assert "my-course/cells.py" in text
    assert "## Add a formula" not in text
    assert not re.search(r"\]\((?!https?:)", text), "a link to a file that the book does not have"
    with pytest.raises(BuildRefused, match="no section 'A new cell in five minutes'"):
        new_cell_text("# Another file\n")


def test_every_cell_is_a_place_of_the_map_that_leads_to_its_lesson():
    text = matrix_map.map_html()
    for cell in CELLS.values():
        (lesson,) = (lesson for lesson in OURS.values() if lesson.cell == cell.id)
        assert f'<a href="lessons/{lesson.id}.html"><b>{cell.id}</b>' in text
        assert cell.question in unescape(text)
        assert cell.edge in unescape(text)


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Pictures are not drawn here, which takes seconds, but their names are noted."""
    names = []

    class Blank(Picture):
        def svg(self) -> bytes:
            look = b'id="a" style="fill: #1a1a1a; stroke: #ffffff"'
            return b'<?xml?><svg %b><metadata>who</metadata><style type="x">* {}</style></svg>' % look

    def draw(name: str) -> Picture:
        names.append(name)
        return Blank(None, Table((), ()), f"what {name} shows")

    monkeypatch.setattr(lesson_pages, "draw", draw)
    return names


def test_a_lesson_is_shown_as_it_was_executed_with_its_pictures_as_outlines(drawn):
    lesson = OURS["D-communication-volume"]
    shown = json.loads(lesson_notebook(ROOT, lesson))
    committed = json.loads((ROOT / "notebooks" / "D-communication-volume.ipynb").read_text())
    assert drawn == ["all_gather_volume"]
    for cell, before in zip(shown["cells"], committed["cells"], strict=False):
        assert cell["source"] == before["source"]
        if cell["id"] == "picture":
            assert [list(out.get("data", {"text": 0})) for out in cell["outputs"]] == [["text/html"], ["text"]]
            assert "".join(cell["outputs"][0]["data"]["text/html"]) == (
                '<div class="picture"><svg class="drawn" role="img" aria-label="what all_gather_volume shows" id="all_gather_volume-a" '
                'style="fill: var(--picture-1a1a1a); stroke: var(--color-background-primary)"></svg></div>'
            )
        else:
            assert cell.get("outputs") == before.get("outputs")
    onward = "".join(shown["cells"][-1]["source"])
    assert "/formulas/communication/layer_traffic.md" in onward
    assert "#received-its-own-shard" in onward


def test_a_lesson_that_was_not_built_is_named(tmp_path):
    with pytest.raises(Exception, match=r"D-communication-volume.ipynb is no notebook .*: run fsdp-sym build first"):
        lesson_notebook(tmp_path, OURS["D-communication-volume"])


def test_a_theme_that_has_changed_is_noticed(tmp_path):
    (tmp_path / "index.html").write_text("<aside>")
    with pytest.raises(BuildRefused, match=r"index\.html has no <input .* to put a name to: look at the theme"):
        name_landmarks(tmp_path)


def test_a_lesson_leads_to_the_practice_of_its_cell():
    lesson = lesson_notebook(ROOT, OURS["D-communication-volume"]).decode()
    assert '<a href=\\"../practice.html#D\\">D</a>' in lesson

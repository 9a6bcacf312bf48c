"""The notebooks in notebooks/: nbval passes a cell that was never run, so that every cell was run is checked here."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import pytest

from fsdp_sym.publishing.build import counted_outputs
from fsdp_sym.publishing.exporters.notebook import ANSWER, SUFFIX, notebook
from fsdp_sym.teaching.lessons import LESSONS

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"


def test_there_is_one_for_each_lesson_and_no_other() -> None:
    assert {p.name for p in NOTEBOOKS.glob("*.ipynb")} == {lesson + SUFFIX for lesson in LESSONS}


@pytest.mark.parametrize("lesson", LESSONS)
def test_every_cell_ran_and_every_answer_is_the_counts(lesson: str) -> None:
    node = nbformat.read(NOTEBOOKS / f"{lesson}{SUFFIX}", as_version=4)
    nbformat.validate(node)
    assert (node.nbformat, node.nbformat_minor) == (4, 5)
    assert node.metadata.kernelspec.name == "python3"
    assert node.metadata.language_info == {"name": "python"}
    counts = counted_outputs(LESSONS[lesson])
    answers = 0
    for number, cell in enumerate((c for c in node.cells if c.cell_type == "code"), 1):
        assert cell.execution_count == number, cell.id
        assert "execution" not in cell.metadata
        assert not any(out.output_type == "error" or out.get("name") == "stderr" for out in cell.outputs), cell.id
        if ANSWER in cell.metadata.get("tags", ()):
            answers += 1
            assert [out.text for out in cell.outputs] == [counts[cell.id] + "\n"]
    assert answers == len(counts)
    assert all(re.fullmatch(r"[A-Za-z0-9-_]+", cell.id) for cell in node.cells)


@pytest.mark.parametrize("lesson", LESSONS)
def test_it_says_what_the_lesson_says(lesson: str) -> None:
    """Drift is seen here without a kernel in all but the outputs, which `fsdp-sym build --check` makes anew."""
    node = nbformat.read(NOTEBOOKS / f"{lesson}{SUFFIX}", as_version=4)
    made = notebook(LESSONS[lesson], "worked")
    said, meant = ([(c.id, c.cell_type, c.source, c.metadata) for c in cells] for cells in (node.cells, made.cells))
    assert said == meant


@pytest.mark.parametrize("lesson", LESSONS)
def test_pictures_have_alternative_text_and_a_table(lesson: str) -> None:
    node = nbformat.read(NOTEBOOKS / f"{lesson}{SUFFIX}", as_version=4)
    for cell in node.cells:
        for out in cell.get("outputs", ()):
            if "image/png" in out.get("data", {}):
                assert re.search(r"\d", out.metadata["image/png"]["alt"]), cell.id
                assert any(o.output_type == "stream" and len(o.text.splitlines()) > 1 for o in cell.outputs), cell.id

"""Sliders on a cell: in a kernel, without a browser, and never in a notebook that is committed."""

import json
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

import fsdp_sym
from fsdp_sym.algebra.errors import FsdpSymError
from fsdp_sym.publishing.explore import explore, figure, page
from fsdp_sym.teaching.explore import KNOBS, start

ROOT = Path(fsdp_sym.__file__).parent.parent


@pytest.mark.parametrize("cell", KNOBS)
def test_the_picture_stands_where_the_sliders_do(cell):
    picture = figure(start(cell))
    assert len(picture.table.rows) == len(start(cell).along())
    for name in KNOBS[cell].drawn:
        assert name in picture.alt
    assert picture.figure.axes[0].lines


def test_the_page_says_numbers_and_edges():
    said = page(start("G"))
    assert "<strong>3\N{NO-BREAK SPACE}(ZeRO-3)</strong>" in said
    assert "At the next stop, M_max = 15 GB, stage_for_budget turns from 3 to 2." in said
    assert "<script" not in said


def test_a_slider_moves_figure_numbers_and_the_other_sliders():
    box = explore("H")
    tensor, pipeline = (row.children[0] for row in box.children[1:3])
    picture, numbers = (box.children[at].value for at in (-2, -1))
    tensor.index = len(tensor.options) - 1
    assert (box.children[-2].value, box.children[-1].value) != (picture, numbers)
    assert "<strong>1</strong>" in box.children[-1].value
    assert [shown for shown, _ in pipeline.options] == ["1", "2", "4"]


def test_a_kernel_shows_it_as_a_widget_and_turns_it():
    lines = ("from fsdp_sym import explore", 'box = explore("G")', "box", "box.children[1].children[0].index = 0")
    said = "print(box.children[-1].value)"
    cells = [nbformat.v4.new_code_cell(code) for code in ("\n".join(lines[:3]), f"{lines[3]}\n{said}")]
    client = NotebookClient(nbformat.v4.new_notebook(cells=cells), timeout=60, kernel_name="python3")
    run = client.execute()
    model = run.cells[0].outputs[0].data["application/vnd.jupyter.widget-view+json"]["model_id"]
    assert client.widget_state[model]["_model_name"] == "VBoxModel"
    assert "N = 1. One rank holds everything" in run.cells[1].outputs[0].text


def test_without_ipywidgets_it_names_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    with pytest.raises(FsdpSymError, match=r"pip install 'fsdp_sym\[lab\]'"):
        explore("G")


def test_no_committed_notebook_calls_it():
    found = [*ROOT.glob("notebooks/**/*.ipynb"), *ROOT.glob("exercises/**/*.ipynb")]
    assert found
    for path in found:
        code = "".join("".join(c["source"]) for c in json.loads(path.read_text())["cells"] if c["cell_type"] == "code")
        assert "explore" not in code, path

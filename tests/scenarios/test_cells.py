"""What a cell says of itself is computed from its values, and what it says in words is so."""

from __future__ import annotations

import ast
import inspect
import re
from dataclasses import replace

import pytest

from fsdp_sym.algebra.errors import UnknownName
from fsdp_sym.algebra.vocabulary import A, G, N, N_p, N_t, P, S, T_b, T_comp, T_f, b_a, b_m, b_w, c, e, m, n_node
from fsdp_sym.scenarios import cells
from fsdp_sym.scenarios.cells import CELLS, READING_PATH
from fsdp_sym.scenarios.models import MODELS
from fsdp_sym.scenarios.plans import PLANS, WIDTHS

# What may be typed: definitions of units, names of formats, models and stages, an edge, a switch.
FIXED = (
    r"\[\[@\w+\]\]", r"10\^[69] b", r"2\^30 b", r"\b(fp16|bf16|fp32)\b", r"\b[\d.]+B model\b", r"GPT-3", r"\bstage [0-3]\b", r"\bN = 1\b",
    r"\br = [01]\b", r"3-D", r"\bdimension 0\b", r"\bfrom 0\b", r"\bFSDP2\b", r"\bLlama-\d-\d+B\b",
)  # fmt: skip


def typed_texts():
    """Every text of the file's cells as it is typed, before it is filled."""
    for node in ast.walk(ast.parse(inspect.getsource(cells))):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "Cell":
            for part in (*node.args[1:4], *node.args[6:]):
                yield from (x.value for x in ast.walk(part) if isinstance(x, ast.Constant) and isinstance(x.value, str))
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.value.value


def typed_numbers(text):
    for fixed in FIXED:
        text = re.sub(fixed, " ", text, flags=re.IGNORECASE)
    return re.findall(r"\S*\d\S*", text)


def test_no_text_of_a_cell_types_a_number_of_its_values():
    texts = list(typed_texts())
    assert len(texts) > 50
    assert [text for text in texts if typed_numbers(text)] == []


@pytest.mark.parametrize(
    ("text", "found"), [("4 + 4 + 8 + 4 bytes", ["4", "4", "8", "4"]), ("[[@b_w]] of fp32", []), ("stage 1 of a 7B model", [])]
)
def test_typed_numbers_are_told_from_names(text, found):
    assert typed_numbers(text) == found


def test_texts_are_filled_from_the_values():
    cell = replace(CELLS["A"], parts=(), given={b_w: 3, N: 5}, conventions=("It is [[@b_w]]",), source="on [[@N]] ranks", edge="[[@N]]?")
    assert (cell.conventions, cell.source, cell.edge) == (("It is 3 B/param",), "on 5 ranks", "5?")
    assert not any("[[" in text for cell in CELLS.values() for text in (cell.question, cell.edge, cell.source, *cell.conventions))
    with pytest.raises(UnknownName):
        replace(CELLS["A"], source="[[@nothing]]")


@pytest.mark.parametrize("cell", [cell for cell in CELLS.values() if b_w in cell.values], ids=lambda cell: cell.id)
def test_a_cell_says_each_width_it_keeps_by_name(cell):
    (said,) = (line for line in cell.conventions if line.startswith("Kept of each parameter"))
    named = {name: int(width) for name, width in re.findall(r"([a-z]+(?: copy)?) (\d+) B/param", said)}
    widths = [int(cell.values[width].value) for width in WIDTHS]
    names = ("itself", "gradient", "master copy", "momentum", "variance")
    assert named == {name: width for name, width in zip(names, widths, strict=False) if width}
    assert sum(named.values()) == sum(widths)


@pytest.mark.parametrize("cell", CELLS.values(), ids=CELLS)
def test_the_model_that_a_source_names_is_the_cells(cell):
    for name in re.findall(r"([\d.]+B) model", cell.source):
        assert MODELS[name] in cell.parts


def value(cell, symbol):
    return CELLS[cell].values[symbol].value


def test_what_is_said_in_words_is_so():
    assert value("C", T_b) == 2 * value("C", T_f)
    assert value("C", A) == value("C", c)
    assert (value("C", b_a), value("C", b_m)) == (2, 8)
    assert value("F", T_comp) == value("E", T_comp)
    assert value("G", S) == value("G", P) * value("G", b_w)
    assert (2 ** value("H", e), 2 ** value("H", m)) == (value("H", G), value("H", n_node))
    assert value("H", N_t) <= value("H", n_node)
    assert value("H", G) % (value("H", N_p) * value("H", N_t)) == 0
    assert value("E", b_m) == 2 * value("A", b_m), "wider than fp32"
    widths = {cell: [int(value(cell, w)) for w in WIDTHS] for cell in "AB"}
    assert set(widths["A"]) == {0, 4}, "all fp32"
    assert [int(value("I", w)) for w in WIDTHS] == [2, 4, 4, 4, 4, 0], "parameter in bf16, all else in fp32"
    assert (widths["B"][:2], set(widths["B"][2:5])) == ([2, 2], {4}), "the first two fp16, the others fp32"


@pytest.mark.parametrize(
    ("cell", "plan"),
    [("A", "fp32 Adam"), ("B", "ZeRO mixed precision"), ("C", "8-byte Adam"), ("E", "8-byte Adam"), ("G", "ZeRO mixed precision")],
)
def test_a_cell_has_the_plan_of_its_question(cell, plan):
    assert PLANS[plan] in CELLS[cell].parts


def test_the_reading_path_visits_every_cell_once():
    assert sorted(READING_PATH) == sorted(CELLS)

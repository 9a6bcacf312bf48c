"""Every picture: the same bytes each time, whatever the user has set, and nothing drawn that its table does not hold."""

from __future__ import annotations

import re
import subprocess
import sys
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import isclose

import pytest
from matplotlib.text import Text

from fsdp_sym.algebra.errors import UnknownName
from fsdp_sym.algebra.units import parse_amount
from fsdp_sym.figures import style
from fsdp_sym.figures.picture import Picture, draw, pictures
from fsdp_sym.reasoning.work import work

drawn = cache(draw)
every_picture = pytest.mark.parametrize("name", pictures())


def columns(picture: Picture) -> dict[str, tuple[str, ...]]:
    return dict(zip(picture.table.headers, zip(*picture.table.rows, strict=True), strict=True))


def number(text: str) -> float:
    """The number a cell of the table starts with."""
    found = float(Fraction(text.removeprefix("≈ ").split(" ")[0].removesuffix("%").replace(",", "")))
    return Rounded(found) if text.startswith("≈ ") else found


class Rounded(float):
    """A number of which the table has six digits."""


def is_number(text: str) -> bool:
    return re.fullmatch(r"(≈ )?[\d.,/e]+%?( [A-Za-z/]+)?", text) is not None


def same(one: float, other: float) -> bool:
    """Whether what is drawn is what the table says."""
    return isclose(one, other, rel_tol=1e-5 if isinstance(other, Rounded) else 1e-12, abs_tol=1e-12)


@every_picture
def test_table_is_rectangular_and_exact(name):
    table = drawn(name).table
    assert table.rows
    assert len(set(table.headers)) == len(table.headers)
    for row in table.rows:
        assert len(row) == len(table.headers)
        for text in row:
            assert text
            assert not re.search(r"\.\d{13,}|\de-|\d{3}/\d", text), text
            if is_number(text):
                parse_amount(text.removeprefix("≈ "))


@every_picture
def test_alt_text_says_the_numbers(name):
    alt = drawn(name).alt
    assert re.search(r"\d", alt)
    assert alt.endswith(".")
    assert len(alt) > 80
    assert not re.search(r"\.\d{13,}|Worked|Amount|Fraction", alt)


@every_picture
def test_same_bytes_whatever_the_user_has_set(name):
    import matplotlib

    before = drawn(name).png()
    theirs = {
        "font.size": 31, "font.family": "monospace", "axes.facecolor": "black", "lines.linewidth": 9, "savefig.dpi": 30,
        "savefig.bbox": "tight", "axes.spines.top": True, "xtick.labelsize": 3, "text.antialiased": False, "path.simplify": False,
    }  # fmt: skip
    with matplotlib.rc_context(theirs):
        assert draw(name).png() == before
        assert matplotlib.rcParams["font.size"] == 31, "the user's settings come back"


def test_same_svg_bytes_twice():
    assert draw("memory_against_ranks").svg() == draw("memory_against_ranks").svg()


@every_picture
def test_lines_are_columns_of_the_table(name):
    picture = drawn(name)
    table = columns(picture)
    for axes in picture.figure.axes:
        for line in axes.lines:
            y, _, x = line.get_label().partition(" against ")
            points = list(zip(*(map(number, table[header]) for header in ([x, y] if x else [y, y])), strict=True))
            for x_drawn, y_drawn in zip(*line.get_data(), strict=True):
                assert any(same(y_drawn, at[1]) and (not x or same(x_drawn, at[0])) for at in points), (line.get_label(), x_drawn, y_drawn)


@every_picture
def test_bars_are_columns_of_the_table(name):
    picture = drawn(name)
    table = columns(picture)
    for axes in picture.figure.axes:
        for bars in axes.containers:
            lengths = [bar.get_width() if bars.orientation == "horizontal" else bar.get_height() for bar in bars]
            rest = iter(map(number, table[bars.get_label()]))
            assert all(any(same(length, value) for value in rest) for length in lengths), (bars.get_label(), lengths)


def test_areas_are_columns_of_the_table():
    picture = drawn("memory_of_a_step")
    table = columns(picture)
    row = {number(x): at for at, x in enumerate(table["place"][: len(table["place"]) // 2])}
    for run, axes in enumerate(picture.figure.axes):
        assert len(axes.collections) == 3 * 6
        for area in axes.collections:
            part, _, x = area.get_label().partition(" against ")
            assert x == "place"
            edge = area.get_paths()[0].vertices
            for at in set(edge[:, 0]):
                heights = edge[edge[:, 0] == at, 1]
                here = row[at] + run * len(row)
                below = sum(number(table[other][here]) for other in picture.table.headers[2 : picture.table.headers.index(part)])
                assert same(heights.min(), below), (part, at)
                assert same(heights.max() - below, number(table[part][here])), (part, at)


@every_picture
def test_nothing_is_drawn_without_its_column(name):
    for axes in drawn(name).figure.axes:
        assert not axes.images
        assert not any(mark.get_label().startswith("_") for mark in (*axes.lines, *axes.containers, *axes.collections))


def test_band_is_between_two_slowdowns_of_the_table():
    picture = drawn("overlap")
    (band,) = (p for axes in picture.figure.axes for p in axes.patches if p.get_label() == "slowdown")
    slowdowns = [number(text) for text in columns(picture)["slowdown"]]
    assert all(any(same(edge, value) for value in slowdowns) for edge in (band.get_y(), band.get_y() + band.get_height()))


def boxes(picture: Picture) -> list[str]:
    """The label of every box of a diagram, one by one."""
    found = [patch.get_label() for axes in picture.figure.axes for patch in axes.patches]
    return found + [many.get_label() for axes in picture.figure.axes for many in axes.collections for _ in many.get_paths()]


def test_ring_draws_the_shards_of_its_table():
    picture = drawn("ring_all_gather")
    table = columns(picture)
    for moment in picture.table.headers[1:]:
        assert boxes(picture).count(f"{moment}: held") == sum(len(text.split()) for text in table[moment])
    assert [len(text.split()) for text in table["step 3"]] == [4] * 4
    assert len(picture.table.headers) - 2 == work({"N": 4}, "ring_steps").value.value


def test_training_step_draws_the_shards_of_its_table():
    picture = drawn("training_step")
    table = columns(picture)
    for buffer in ("parameters", "gradients", "momentum", "variance"):
        assert boxes(picture).count(f"{buffer}: held") == sum(map(int, table[buffer]))
    for action in ("all-gather", "compute", "reduce-scatter"):
        assert boxes(picture).count(action) == " ".join(table["done in turn"]).count(action)
    state = work({"P": 12, "N": 4, "b_w": 1, "b_g": 1, "b_c": 0, "b_m": 1, "b_v": 1, "b_x": 0}, "sharded_state")
    assert int(table["shards held"][-1]) == state.value.value


def test_a_step_draws_each_of_its_collectives():
    picture = drawn("collectives_of_a_step")
    table = columns(picture)
    for kind, header in (("gather of a block",) * 2, ("gather of the root group",) * 2, ("reduction", "reduce-scatters")):
        assert boxes(picture).count(kind) == sum(map(int, table[header]))
    assert [int(a) for a in table["all-gathers"]] == [
        int(b) + int(r) for b, r in zip(table["gather of a block"], table["gather of the root group"], strict=True)
    ]


def test_a_pipeline_draws_each_pass_and_leaves_the_bubble():
    picture = drawn("pipeline_schedule")
    table = columns(picture)
    for way in ("forward passes", "backward passes"):
        assert boxes(picture).count(way) == sum(map(int, table[way]))
    for at, axes in enumerate(picture.figure.axes):
        wide = {label: sum(p.get_width() for p in axes.patches if p.get_label() == label) for label in (*table, "bubble")}
        worked = wide["forward passes"] + wide["backward passes"]
        assert same(wide["bubble"], 4 * number(table["step"][4 * at]))
        assert same(100 * (1 - worked / wide["bubble"]), number(table["bubble of the total time"][4 * at]))


def test_split_draws_every_gpu():
    picture = drawn("split_of_1024")
    table = columns(picture)
    assert [int(m) * int(e) for m, e in zip(table["how many"], table["GPUs in each"], strict=True)] == [1024] * 3
    assert boxes(picture).count("GPU") == 1024
    assert boxes(picture).count("GPU of the replica") == int(table["GPUs in each"][0])


@every_picture
def test_texts_lie_apart_and_off_the_lines(name):
    figure = drawn(name).figure
    with style.settings():
        figure.draw_without_rendering()
        renderer = figure.canvas.get_renderer()
        found = [(text, None) for text in figure.texts]
        for axes in figure.axes:
            found += [(text, axes) for text in axes.texts if text.get_text()]
            if axes.axison:
                found += [(axis.label, axes) for axis in (axes.xaxis, axes.yaxis)]
                for axis in (axes.xaxis, axes.yaxis):
                    low, high = sorted(axis.get_view_interval())
                    found += [(t, axes) for t, at in zip(axis.get_ticklabels(), axis.get_ticklocs(), strict=True) if low <= at <= high]
        placed = [(text, axes, Text.get_window_extent(text, renderer)) for text, axes in found if text.get_text().strip()]
        width, height = figure.bbox.size
        for text, axes, box in placed:
            assert min(box.x0, box.y0, width - box.x1, height - box.y1) >= 0, f"{text.get_text()!r} leaves the figure"
            for line in axes.lines if axes else ():
                path = line.get_transform().transform_path(line.get_path())
                if line.get_linestyle() == "None":
                    assert not any(box.contains(*at) for at in path.vertices), f"{text.get_text()!r} lies on a point"
                    continue
                assert not path.intersects_bbox(box, filled=False), f"{text.get_text()!r} lies on {line.get_label()}"
        for (one, _, a), (other, _, b) in combinations(placed, 2):
            assert not a.overlaps(b), f"{one.get_text()!r} lies on {other.get_text()!r}"


def test_an_unknown_picture_names_its_neighbours():
    with pytest.raises(UnknownName, match="stages_against_budget"):
        draw("stage_against_budget")


def test_matplotlib_waits_until_it_is_drawn_and_pyplot_is_never_touched():
    code = (
        "import sys, importlib\n"
        "from fsdp_sym.figures.picture import draw, pictures\n"
        "for name in pictures(): importlib.import_module('fsdp_sym.figures.' + name)\n"
        "assert 'matplotlib' not in sys.modules\n"
        "draw('ring_all_gather').png()\n"
        "assert 'matplotlib.pyplot' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)

"""What people take away of a sweep: a file, a data frame, a picture that says its numbers."""

from __future__ import annotations

import sys
from base64 import b64decode

import numpy as np
import pytest

from fsdp_sym import sweep
from fsdp_sym.algebra.errors import FsdpSymError, OutOfRange
from fsdp_sym.algebra.vocabulary import letter, z_min, z_win
from fsdp_sym.figures.sweep_lines import draw_sweep
from fsdp_sym.reasoning.sweeps import blocks as module


def test_a_file_is_written_piece_by_piece_and_takes_its_place_whole(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "BLOCK", 4)
    made = sweep("all_gather", {"N": range(1, 11), "S": [7, 1000]})
    place = made.to_csv(tmp_path / "out.csv")
    text = place.read_text()
    assert text.splitlines()[:3] == ["N,S [B],V_ag [B]", "1,7,0", "1,1000,0"]
    assert len(text.splitlines()) == 21
    monkeypatch.setattr(type(made), "csv", lambda _: (str(1 // left) for left in (1, 0)))
    with pytest.raises(ZeroDivisionError):
        made.to_csv(place)
    assert place.read_text() == text
    assert [path.name for path in tmp_path.iterdir()] == ["out.csv"]


def test_without_pandas_the_array_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(FsdpSymError, match=r"pip install pandas, or take table\(\)"):
        sweep("all_gather", {"N": [1]}, S=1).to_pandas()


def test_a_picture_has_a_named_line_for_every_combination_and_says_its_ends():
    made = sweep("all_gather", {"N": [2, 4, 64, 256], "S": ["1 GB", "10 GB"]})
    picture = made.plot()
    (axes,) = picture.figure.axes
    assert len(axes.lines) == 2
    assert axes.get_xscale() == "log"
    assert axes.get_xlabel() == "N (logarithmic)"
    assert {text.get_text() for text in axes.texts} == {"V_ag (MB)", "S = 1 GB", "S = 10 GB"}
    assert "S = 10 GB: 5000 MB at 2, 9960.9375 MB at 256" in picture.alt
    assert len(picture.table.rows) == len(made)
    shown = picture._repr_mimebundle_()
    assert b64decode(shown["image/png"]) == picture.png()
    assert shown["text/plain"] == picture.alt


def test_ranks_that_double_stand_evenly_and_a_few_in_a_row_are_counted():
    doubled = sweep("sharded_state", {"N": [8, 16, 32, 64]}, "B").plot().figure.axes[0]
    assert doubled.get_xscale() == "log"
    counted = sweep("sharded_state", {"N": range(1, 5)}, "B").plot().figure.axes[0]
    assert counted.get_xscale() == "linear"
    assert all(tick == int(tick) for tick in counted.get_xticks())


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (lambda: sweep("all_gather", {"N": range(1, 9), "S": range(1, 9)}), "8 lines of 8 points cannot be read"),
        (lambda: sweep("all_gather", {"N": [1, 2], "S": [3, 4]}, together=True), "drawn over a grid"),
        (
            lambda: sweep("communication_hides", {"T_comp": ["1 ms", "2 ms"], "T_comm": ["1 ms", "2 ms", "3 ms"]}),
            "communication_hides answers yes or no: sweep two letters, over 3 values each or more, and it is drawn as a map",
        ),
    ],
)  # fmt: skip
def test_what_no_picture_could_show_is_refused(made, said):
    with pytest.raises(OutOfRange, match=said):
        draw_sweep(made())


def test_a_file_behind_a_link_is_written_and_the_link_stays(tmp_path):
    real, link = tmp_path / "real.csv", tmp_path / "link.csv"
    real.write_text("old")
    link.symlink_to(real)
    sweep("all_gather", {"N": [1]}, S=1).to_csv(link)
    assert link.is_symlink()
    assert real.read_text().startswith("N,V_ag [B]")


@pytest.mark.parametrize("axes", [{"N": range(1, 21)}, {"N": [1, 8], "P": [10**9, 10**10, 10**11]}])
def test_what_is_infinite_has_no_place_among_lines(axes):
    with pytest.raises(OutOfRange, match=r"is infinite at some of these points.*: sweep two letters, over 3 values"):
        sweep("stage_for_budget", axes, "G").plot()


STAGES = {"N": range(1, 65), "P": [10**9 * k for k in range(1, 41)]}


def test_a_decision_over_two_axes_is_a_map_with_a_name_on_every_region():
    made = sweep("stage_for_budget", STAGES, "G", M_max="80 GB")
    picture = made.plot()
    (axes,) = picture.figure.axes
    assert {text.get_text() for text in axes.texts} == {
        "P (logarithmic)", "data parallel\nM_0 ≤ M_max", "ZeRO-1\nM_1 ≤ M_max", "ZeRO-2\nM_2 ≤ M_max", "ZeRO-3", "none",
    }  # fmt: skip
    # A whole replica takes 16 bytes a parameter, however many ranks there are.
    assert "data parallel (M_0 ≤ M_max) at 320 of 2,560 points" in picture.alt
    assert [row[2] for row in picture.table.rows[4:6]] == ["data parallel", "∞"]
    assert len(picture.table.rows) == len(made)


def test_a_name_lies_in_its_region():
    made = sweep("stage_for_budget", STAGES, "G", M_max="80 GB")
    (axes,) = made.plot().figure.axes
    found = made.table()
    named = {name: number for number, name in enumerate(letter(z_min).called)}
    placed = [(text.xy, named[name]) for text in axes.texts if (name := text.get_text().partition("\n")[0]) in named]
    assert len(placed) == 4
    for (x, y), answer in placed:
        near = ((found["N"] - x) / x) ** 2 + ((found["P"] - y) / y) ** 2
        assert found["z_min"][near.argmin()] == answer


NODES = {"N": range(16, 513, 16), "P": [10**9 * k for k in range(2, 121)]}


def test_five_ways_to_train_have_a_region_each_and_the_inequality_that_decides():
    picture = sweep("winning_sharding", NODES, "P").plot()
    (axes,) = picture.figure.axes
    said = " ".join(text.get_text().replace("\n", " ") for text in axes.texts)
    for name in ("data parallel M_0 ≤ M_max", "ZeRO-1", "ZeRO-2", "ZeRO-3 M_3 ≤ M_max", "HSDP M_hyb ≤ M_max, T_hyb ≤ T_full", "none"):
        assert name in said
    assert {row[2] for row in picture.table.rows} == {"data parallel", "ZeRO-1", "ZeRO-2", "ZeRO-3", "HSDP", "∞"}
    assert "HSDP (M_hyb ≤ M_max and T_hyb ≤ T_full) at 653 of 3,808 points" in picture.alt


def test_a_name_and_its_inequality_lie_inside_their_region():
    made = sweep("winning_sharding", NODES, "P")
    figure = made.plot().figure
    (axes,) = figure.axes
    ways, found = letter(z_win).called, made.table()
    looked = 0
    for text in axes.texts:
        if (name := text.get_text().partition("\n")[0].partition(":")[0]) in ways:
            box = text.get_window_extent(figure.canvas.get_renderer())
            for x, y in axes.transData.inverted().transform([(box.x0, box.y0), (box.x0, box.y1), (box.x1, box.y0), (box.x1, box.y1)]):
                near = (np.log(found["N"] / x)) ** 2 + (np.log(found["P"] / y)) ** 2
                assert ways[found["z_win"][near.argmin()].astype(int)] == name
                looked += 1
    assert looked == 20


def test_a_map_of_thousands_of_points_is_a_file_that_opens_at_once():
    assert len(sweep("winning_sharding", NODES, "P").plot().svg()) < 300_000


def test_under_the_title_stands_all_that_is_the_same_at_every_point():
    picture = sweep("winning_sharding", NODES, "P").plot()
    _, setting = picture.figure.texts
    assert setting.get_text().endswith("T_net = 14 µs\n3,808 points, each in the middle of its cell")
    assert "M_max = 80 GB" in setting.get_text()
    box = setting.get_window_extent(picture.figure.canvas.get_renderer())
    assert box.x1 < 0.95 * picture.figure.bbox.x1
    (axes,) = picture.figure.axes
    assert box.y0 > axes.get_tightbbox().y1


def test_ranks_are_marked_at_powers_of_two_and_amounts_at_one_two_and_five():
    (axes,) = sweep("winning_sharding", NODES, "P").plot().figure.axes
    marked = []
    for axis, (low, high) in ((axes.xaxis, axes.get_xlim()), (axes.yaxis, axes.get_ylim())):
        marked.append([axis.get_major_formatter()(tick) for tick in axis.get_majorticklocs() if low <= tick <= high])
    assert marked == [["16", "32", "64", "128", "256", "512"], ["2e9", "5e9", "10e9", "20e9", "50e9", "100e9"]]
    (doubled,) = sweep("sharded_state", {"N": [2, 1024], "P": [10**9, 10**10]}, "B").plot().figure.axes
    assert [tick for tick in doubled.get_xticks() if 2 <= tick <= 1024] == [2**power for power in range(1, 11)]
    (wide,) = sweep("sharded_state", {"N": [1, 10**6], "P": [10**9, 10**12]}, "B").plot().figure.axes
    assert [f"{tick:.0f}" for tick in wide.get_xticks() if 1 <= tick <= 10**6] == [str(10**power) for power in range(7)]


def test_no_hair_of_paper_shows_between_the_boxes_of_a_map():
    """A renderer that smooths edges lets the ground shine through where two boxes meet, unless each has an edge of its colour."""
    (axes,) = sweep("winning_sharding", NODES, "P").plot().figure.axes
    boxes = [drawn for drawn in axes.collections if len(drawn.get_facecolor())]
    assert len(boxes) == 6
    for drawn in boxes:
        assert drawn.get_edgecolor().tolist() == drawn.get_facecolor().tolist()
        assert drawn.get_linewidth()[0] > 0


def test_yes_and_no_are_a_map_too():
    picture = sweep("communication_hides", {"T_comp": ["1 ms", "2 ms", "3 ms"], "T_comm": ["1 ms", "2 ms", "3 ms"]}).plot()
    assert {"yes", "no"} <= {text.get_text() for text in picture.figure.axes[0].texts}
    assert "no at 3 of 9 points; yes at 6 of 9 points" in picture.alt


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (lambda: sweep("world_size", {"N_d": [1, 2, 3], "N_p": [1, 2, 3]}, N_t=1), "world_size has 6 answers here"),
        (lambda: sweep("stage_for_budget", {"N": [8, 64, 1], "P": [1, 2, 3]}, "G"), "a map's axes ascend, and the values of N do not"),
        (lambda: sweep("stage_for_budget", {"N": [8, 9, 10], "P": [1, 2, 2]}, "G"), "a map's axes ascend, and the values of P do not"),
        (lambda: sweep("stage_for_budget", {"N": range(1, 401), "P": range(10**9, 10**9 + 101)}, "G"), "a map of 40,400 points"),
    ],
)
def test_a_map_that_could_not_be_read_is_refused(made, said):
    with pytest.raises(OutOfRange, match=said):
        made().plot()

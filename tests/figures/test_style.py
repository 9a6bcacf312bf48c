"""Colours that stay apart for everyone, on white, on black and in grey; figures that can be read at half their size."""

from __future__ import annotations

import re
from functools import cache
from itertools import combinations, pairwise

import numpy as np
import pytest
from matplotlib.colors import to_hex, to_rgb
from matplotlib.text import Text

from fsdp_sym.figures import style
from fsdp_sym.figures.picture import draw, pictures

drawn = cache(draw)
every_picture = pytest.mark.parametrize("name", pictures())
every_theme = pytest.mark.parametrize("theme", ["light", "dark"])

LINES = (style.BLUE, style.RED, style.QUIET, style.GREY, style.INK)
FILLS = (style.BLUE, style.SKY, style.ORANGE, style.YELLOW, style.RED, style.QUIET, style.GREY, style.PEACH, *style.STAGES)
PARTS = (style.BLUE, style.SKY, style.ORANGE, style.YELLOW, style.RED, style.QUIET)  # may all meet in one picture

# Machado, Oliveira and Fernandes (2009): what an eye without one kind of cone sees, of linear red, green and blue.
EYES = {
    "all cones": np.eye(3),
    "protanopia": np.array([[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]),
    "deuteranopia": np.array([[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]),
    "tritanopia": np.array([[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]),
}


def linear(colour: str) -> np.ndarray:
    parts = np.array(to_rgb(colour))
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def luminance(colour: str) -> float:
    return float(linear(colour) @ [0.2126, 0.7152, 0.0722])


def contrast(one: str, other: str) -> float:
    """As the Web Content Accessibility Guidelines define it."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def lab(colour: str, eye: str = "all cones") -> np.ndarray:
    """Lightness and two hues, in which distance is what an eye sees of it (CIE 1976, D65)."""
    seen = np.clip(EYES[eye] @ linear(colour), 0, 1)
    xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]) @ seen / [0.9505, 1, 1.089]
    x, y, z = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def in_theme(colour: str, theme: str) -> str:
    return style.DARK[to_hex(colour)] if theme == "dark" else to_hex(colour)


@every_theme
def test_lines_words_and_fills_stand_out_from_the_page(theme):
    page = in_theme(style.PAPER, theme)
    for colours, least in ((LINES, 3), ((style.INK, style.QUIET, style.BLUE, style.RED), 4.5), (FILLS, 1.5)):
        for colour in colours:
            assert contrast(in_theme(colour, theme), page) >= least, (colour, theme)


@every_theme
@pytest.mark.parametrize("eye", EYES)
def test_parts_stay_apart_for_every_eye(theme, eye):
    for one, other in combinations(PARTS, 2):
        apart = np.linalg.norm(lab(in_theme(one, theme), eye) - lab(in_theme(other, theme), eye))
        assert apart >= 15, (one, other, theme, eye, apart)


@cache
def neighbours(name: str) -> set[tuple[str, str]]:
    """The colours of parts that touch, in bars, in piled areas and in boxes side by side."""
    found = set()
    for axes in drawn(name).figure.axes:
        shapes = [(*patch.get_extents().extents, to_hex(patch.get_facecolor())) for patch in axes.patches]
        for (a, b, c, d, one), (e, f, g, h, other) in combinations(shapes, 2):
            wide, high = min(c, g) - max(a, e), min(d, h) - max(b, f)  # of what they share, in pixels
            if min(abs(wide), abs(high)) < 0.01 < max(wide, high) and min(c - a, d - b, g - e, h - f) > 0.01:
                found.add((one, other))
        piles: dict[float, list[str]] = {}
        for area in axes.collections:
            if " against " in area.get_label():
                edge = area.get_paths()[0].vertices
                thick = max(np.ptp(edge[edge[:, 0] == x, 1]) for x in edge[:, 0])
                piles.setdefault(edge[0, 0], []).extend([to_hex(area.get_facecolor()[0])] * int(thick > 0))
        found |= {pair for pile in piles.values() for pair in pairwise(pile)}
    return {pair for pair in found if pair[0] != pair[1]}


@every_theme
@every_picture
def test_neighbours_differ_in_lightness_so_that_grey_tells_them_apart(name, theme):
    for one, other in neighbours(name):
        if style.WASH not in (one, other):
            apart = abs(lab(in_theme(one, theme))[0] - lab(in_theme(other, theme))[0])
            assert apart >= 8, (one, other, theme, apart)


def test_neighbours_are_found():
    assert {tuple(sorted(pair)) for pair in neighbours("predicted_and_found")} == {tuple(sorted((style.BLUE, style.ORANGE)))}
    assert (style.RED, style.SKY) in neighbours("memory_of_a_step")
    assert (style.YELLOW, style.ORANGE) in neighbours("collectives_of_a_step")


@every_picture
def test_every_colour_has_a_counterpart_on_dark_pages(name):
    assert set(re.findall(r"#[0-9a-fA-F]{6}\b", drawn(name).svg().decode())) <= set(style.DARK)


def texts(name: str) -> list[tuple[Text, object]]:
    figure = drawn(name).figure
    found = [(text, None) for text in figure.texts]
    for axes in figure.axes:
        found += [(text, axes) for text in axes.texts]
        if axes.axison:
            ticks = [label for axis in (axes.xaxis, axes.yaxis) for label in axis.get_ticklabels()]
            found += [(text, None) for text in (axes.xaxis.label, axes.yaxis.label, *ticks)]
    return [(text, axes) for text, axes in found if text.get_text().strip()]


@every_picture
def test_words_can_be_read_at_half_the_size(name):
    for text, _ in texts(name):
        assert text.get_fontsize() / 2 >= 5, text.get_text()


@cache
def grounds(name: str) -> list[tuple[str, str, str]]:
    """Each text of a picture, its colour and that of what lies below its middle."""
    figure, found = drawn(name).figure, []
    with style.settings():
        figure.draw_without_rendering()
        renderer = figure.canvas.get_renderer()
        # Hardly any patch reaches a text, and a box tells sooner than an outline does.
        filled = {axes: [(patch, patch.get_window_extent()) for patch in axes.patches if patch.get_fill()] for axes in figure.axes}
        for text, axes in texts(name):
            box = Text.get_window_extent(text, renderer)
            middle = ((box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2)
            below = [p.get_facecolor() for p, around in filled.get(axes, ()) if around.contains(*middle) and p.contains_point(middle)]
            for area in axes.collections if axes else ():
                if " against " in area.get_label() and area.get_paths()[0].contains_point(axes.transData.inverted().transform(middle)):
                    below.append(area.get_facecolor()[0])
            found.append((text.get_text(), text.get_color(), to_hex(below[-1]) if below else style.PAPER))
    return found


@every_theme
@every_picture
def test_words_stand_out_from_what_they_are_written_on(name, theme):
    for text, colour, ground in grounds(name):
        stands_out = contrast(in_theme(colour, theme), in_theme(ground, theme))
        assert stands_out >= 4.5, (text, ground, theme, stands_out)


@every_picture
def test_what_a_mark_means_is_written_beside_it_and_not_in_a_legend(name):
    figure = drawn(name).figure
    assert not figure.legends
    assert not any(axes.get_legend() for axes in figure.axes)


@every_picture
def test_an_axis_of_numbers_says_what_they_are(name):
    for axes in drawn(name).figure.axes:
        if not axes.axison:
            continue
        above = axes.texts[0].get_text()
        for axis, label in ((axes.xaxis, axes.get_xlabel()), (axes.yaxis, above)):
            ticks = [text for text in axis.get_major_formatter().format_ticks(axis.get_majorticklocs()) if text]
            if ticks and all(re.fullmatch(r"[−\d.,/]+(: \w+)?", text) for text in ticks):
                assert label, (name, ticks)

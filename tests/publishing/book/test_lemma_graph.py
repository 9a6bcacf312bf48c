"""The lemma graph as it is drawn: every use is an arc, from what is used down to what uses it, and every neighbour a link."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from xml.etree import ElementTree

import pytest

from fsdp_sym.publishing.book.lemma_graph import picture, place
from fsdp_sym.publishing.book.places import formula_page
from fsdp_sym.reasoning.catalogue import formulas


@pytest.mark.parametrize("formula", formulas().values(), ids=lambda f: f.id)
def test_the_rows_are_what_it_rests_on_itself_and_its_users(formula):
    shown = place(formula)
    assert set(shown.rows) == {formula, *shown.direct, *shown.through, *shown.users}
    assert len(shown.rows) == len(set(shown.rows))
    assert shown.direct == formula.lemmas
    assert all(formula in user.lemmas for user in shown.users)
    names = [f.id for f in shown.rows]
    uses = {(lemma.id, f.id) for f in shown.rows for lemma in f.lemmas if lemma.id in names}
    assert {(names[above], names[below]) for above, below in shown.arcs} == uses
    assert all(above < below for above, below in shown.arcs)


@pytest.mark.parametrize("name", ["all_gather", "step_traffic", "best_peak"])
def test_the_picture_is_svg_with_an_arc_for_each_use_and_links_to_the_pages_of_the_others(name):
    shown = place(formulas()[name])
    drawn = ElementTree.fromstring(picture(shown))
    assert len(drawn.findall(".//path[@class]")) == 2 * len(shown.arcs)
    counts = [int(found) for found in re.findall(r"\b\d+\b", drawn.attrib["aria-label"])]
    assert counts == [len(shown.direct), len(shown.through), len(shown.users)]
    assert [text.text for text in drawn.iter("text")] == [f.id for f in shown.rows]
    here = PurePosixPath(formula_page(shown.formula)).parent
    wanted = {f"{formula_page(f)}.html" for f in shown.rows if f is not shown.formula}
    found = set()
    for link in drawn.iter("a"):
        parts = []
        for part in (here / link.attrib["href"]).parts:
            parts = parts[:-1] if part == ".." else [*parts, part]
        found.add("/".join(parts))
    assert found == wanted


def test_nothing_is_drawn_outside_of_the_picture():
    for formula in formulas().values():
        drawn = picture(place(formula))
        _, _, width, height = map(int, re.search(r'viewBox="(\d+) (\d+) (\d+) (\d+)"', drawn).groups())
        bends = [float(x) for x in re.findall(r"C(-?[\d.]+),", drawn)]
        # A curve reaches three quarters of the way to its handles.
        left = int(re.search(r'cx="(\d+)"', drawn)[1])
        assert all(left - (left - bend) * 0.75 >= 0 for bend in bends), formula.id
        assert all(0 < int(y) < height for y in re.findall(r'cy="(\d+)"', drawn))
        assert width > left

"""Turning a cell's givens: every notch means something, what must move does, and the edges are explained."""

import pytest

from fsdp_sym.algebra.errors import FsdpSymError, UnknownName
from fsdp_sym.algebra.units import show
from fsdp_sym.algebra.vocabulary import read_value, symbol_named
from fsdp_sym.scenarios.cells import CELLS, READING_PATH
from fsdp_sym.teaching.explore import KNOBS, start


def value(name, text):
    return read_value(symbol_named(name), text)


def turned(cell, **to):
    here = start(cell)
    for name, text in to.items():
        here = here.turned(name, value(name, text))
    return here


def test_every_cell_of_ours_can_be_turned():
    assert list(KNOBS) == [c for c in CELLS if c in READING_PATH]


@pytest.mark.parametrize("cell", KNOBS)
def test_every_notch_means_something_and_the_cell_is_one_of_them(cell):
    here = start(cell)
    assert here.means_something
    assert set(here.knobs.drawn) <= set(here.knobs.shows)
    for name in here.knobs.turned:
        notches = here.choices(name)
        assert len(notches) > 1
        assert here.values[name] in notches
        assert all(here.turned(name, notch).values[name] == notch for notch in (notches[0], notches[-1]))


@pytest.mark.parametrize("cell", [c for c in KNOBS if KNOBS[c].turned[0] == "N"])
def test_one_rank_is_explained(cell):
    assert turned(cell, N=1).edges[0] == f"N = 1. {KNOBS[cell].alone}"


def test_the_stage_that_changes_is_told_and_turns():
    assert "At the next stop, M_max = 15 GB, stage_for_budget turns from 3 to 2." in start("G").edges
    assert turned("G", M_max="15 GB").worked["stage_for_budget"].shown() == "2"
    assert turned("G", M_max="1 GB", N=1).worked["stage_for_budget"].shown() == "∞"


def test_an_assumption_that_fails_is_told():
    assert any(line.startswith("all_gather: Not so here: N divides S.") for line in turned("D", N=3).edges)
    assert not any("Not so here" in line for line in turned("D", N=4).edges)


def test_only_what_divides_is_offered_and_the_others_follow():
    assert [show(a) for a in start("H").choices("N_t")] == ["1", "2", "4", "8", "16", "32", "64", "128", "256"]
    whole = turned("H", N_t=256)
    assert {show(a) for a in whole.choices("N_p")} == {"1", "2", "4"}
    moved = turned("M", n_rank=12, N=4)
    assert show(moved.values["n_rank"]) == "3"
    assert show(moved.values["N"]) == "4"


def test_what_cannot_be_turned_is_refused_by_name():
    with pytest.raises(UnknownName, match="no cell is called 'Z'"):
        start("Z")
    with pytest.raises(UnknownName, match="slider of cell G"):
        start("G").turned("s", value("s", 8))
    with pytest.raises(FsdpSymError, match="means nothing at n_rank"):
        start("N").turned("n_rank", value("n_rank", 10**7))

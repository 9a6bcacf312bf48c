"""What a formula and a worked formula look like where they are the last line of a cell."""

from __future__ import annotations

from dataclasses import replace
from html.parser import HTMLParser

import pytest
from IPython.core.formatters import DisplayFormatter
from IPython.lib.pretty import pretty

from fsdp_sym import formula, work
from fsdp_sym.algebra import derivation
from fsdp_sym.algebra.errors import MissingValue
from fsdp_sym.algebra.formula import Source
from fsdp_sym.reasoning.catalogue import formulas


class Balanced(HTMLParser):
    """Every element is closed, nothing runs and nothing is loaded."""

    def __init__(self, said):
        super().__init__()
        self.open, self.words, self.tags = [], [], []
        self.feed(said)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        assert tag not in ("script", "img", "link", "iframe")
        assert {name for name, _ in attrs} <= {"style", "scope"}
        self.open.append(tag)
        self.tags.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)


@pytest.mark.parametrize("name", ["all_gather", "stage_for_budget", "best_interval", "communication_hides", "world_size"])
def test_a_formula_shows_its_statement_its_steps_and_their_verdicts(name):
    shown = formula(name)
    page = Balanced(shown._repr_html_())
    said = "".join(page.words)
    assert f"{shown.title}." in said
    assert rf"$\displaystyle {shown.latex}$" in said
    assert str(shown.source) in said
    assert said.count("✓\N{NO-BREAK SPACE}proved") == len(shown.steps)
    assert all(step.because in said for step in shown.steps)
    assert all(h.latex in said for h in shown.hypotheses + shown.where)
    assert page.tags.count("table") == 2
    assert shown._repr_latex_() == rf"$\displaystyle {shown.latex}$"


def test_a_refuted_step_is_shown_with_its_witness():
    true = formula("all_gather")
    wrong = replace(true, steps=(*true.steps[:1], replace(true.steps[1], to=true.steps[1].to * 2), *true.steps[2:]))
    assert "✗\N{NO-BREAK SPACE}refuted: " in wrong._repr_html_()
    assert "[refuted]" in pretty(wrong)


def test_a_hostile_source_stays_a_text():
    wrong = replace(formula("all_gather"), source=Source("<script>alert(1)</script>", "x\u202ey"))
    assert "alert(1)" in "".join(Balanced(wrong._repr_html_()).words)


def test_nothing_is_checked_before_it_is_shown(monkeypatch):
    asked = []
    monkeypatch.setattr(derivation, "verify_steps", lambda f: asked.append(f.id) or derivation.refuted("x"))
    one = replace(formula("all_gather"))
    assert str(one)
    assert one._repr_latex_()
    assert asked == []


def test_in_a_terminal_a_formula_is_its_derivation_and_in_a_list_its_name():
    assert pretty(formula("all_gather")) == formula("all_gather").derivation.text
    assert pretty([formula("all_gather")]) == "[<Formula communication/all_gather>]"
    assert str(formula("all_gather")) == "V_ag = (N - 1)/N·S, where N divides S"
    assert str(formula("communication_hides")) == "T_comm/T_comp ≤ 1"


@pytest.mark.parametrize("name", formulas())
def test_every_statement_is_written(name):
    assert formula(name).latex
    assert str(formula(name))


def test_a_worked_formula_shows_the_numbers_with_their_units_and_what_fails():
    said = "".join(Balanced(work("D", "all_gather", N=7, S="36 GB")._repr_html_()).words)
    assert r"\frac{36\,\mathrm{GB}}{7}" in said
    assert "result30.857142858 GB" in said
    assert "Not so here: N divides S. Under that assumption it would be 216/7 GB ≈ 30.8571428571 GB." in said
    assert "S = 36 GB" in said
    assert str(work("D", "all_gather", N=7, S="36 GB")) in pretty(work("D", "all_gather", N=7, S="36 GB"))


@pytest.mark.parametrize("case", [("G", "stage_for_budget", {}), ("D", "all_gather", {"N": "oo"}), ("E", "communication_hides", {})])
def test_every_kind_of_result_is_shown(case):
    cell, name, at = case
    assert Balanced(work(cell, name, **at)._repr_html_()).tags.count("table") == 2


def test_a_notebook_is_given_html_latex_and_text():
    shown, _ = DisplayFormatter().format(work("D", "all_gather"))
    assert set(shown) == {"text/html", "text/latex", "text/plain"}


def test_an_assumption_that_fails_without_effect_is_said_calmly():
    one = work({"A": "1 GB", "L": 8, "N_p": 4, "K_mb": 7, "n_chk": 2}, "first_stage_activations")
    assert one.remarks() == ["The derivation assumes that 2·N_p is at most K_mb. It is not so here, and the value is the same."]


def test_a_work_that_lacks_a_letter_is_told_in_text_alone():
    lacking = work("B", "all_gather")
    assert (lacking._repr_html_(), lacking._repr_latex_()) == (None, None)
    with pytest.raises(MissingValue, match="all_gather needs S"):
        str(lacking)

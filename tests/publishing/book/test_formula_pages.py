"""A formula's page holds its whole derivation with the verdicts, and everything that is known of it."""

from __future__ import annotations

import re
from functools import cache

import pytest

from fsdp_sym.algebra.derivation import verify_steps
from fsdp_sym.algebra.printing import to_latex
from fsdp_sym.publishing.book.formula_pages import formula_sources, formula_text
from fsdp_sym.publishing.book.markdown import plain
from fsdp_sym.publishing.book.uses import uses
from fsdp_sym.reasoning.audit import Finding
from fsdp_sym.reasoning.catalogue import formulas
from fsdp_sym.reasoning.evidence import records_of
from fsdp_sym.teaching.misconceptions import about


@cache
def finding(name: str) -> Finding:
    """What the audit finds, but for the counting, which is tried elsewhere."""
    formula = formulas()[name]
    return Finding(formula, verify_steps(formula), counted=24, published=len(formula.published), records=0, problems=())


@pytest.fixture(scope="module")
def sources() -> dict[str, str]:
    return dict(formula_sources({name: finding(name) for name in formulas()}, uses()))


def test_every_formula_has_a_page_and_every_topic_lists_its_own(sources):
    for formula in formulas().values():
        assert f"/formulas/{formula.topic}/{formula.id}.md" in sources[f"formulas/{formula.topic}"]
        assert f"formulas/{formula.topic}/{formula.id}" in sources
    assert len(sources) == len(formulas()) + len({f.topic for f in formulas().values()}) + 1


@pytest.mark.parametrize("name", formulas())
def test_a_page_holds_every_step_with_its_verdict_and_all_that_is_known(sources, name):
    formula = formulas()[name]
    text = sources[f"formulas/{formula.topic}/{name}"]
    table = text.partition("| state | because | verdict |")[2].partition("## Hypotheses")[0]
    rows = [line for line in table.splitlines() if line.startswith("| $")]
    assert len(rows) == len(formula.steps) + 1
    for row, step, verdict in zip(rows[1:], formula.steps, finding(name).steps, strict=True):
        assert to_latex(step.to) in row
        assert step.because in row
        assert row.endswith(f"| {verdict.kind} |")
    assert plain(formula.title) in text
    assert plain(str(formula.source)) in text
    assert all(f"${h.latex}$" in text for h in (*formula.hypotheses, *formula.where))
    assert all(plain(str(row.source)) in text for row in formula.published)
    assert all(plain(record.what) in text for record in records_of(name))
    assert all(f"#{m.id})" in text for m in about(name))
    assert all(f"/{lemma.id}.md" in text for lemma in formula.lemmas)


def test_a_table_has_as_many_cells_in_each_row_as_it_has_headers(sources):
    for name, text in sources.items():
        for block in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
            wide = {len(re.findall(r"(?<!\\)\|", line)) for line in block.splitlines() if "$" not in line}
            assert len(wide) == 1, f"{name}: {block[:200]}"


def test_what_the_audit_says_is_on_the_page():
    found = finding("all_gather")
    assert "**proved**" in formula_text(found, uses())
    refuted = Finding(found.formula, found.steps, 0, 0, 0, ("all_gather, step 1: no",))
    assert "**REFUTED**" in formula_text(refuted, uses())

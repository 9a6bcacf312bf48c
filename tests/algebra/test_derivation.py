"""A derivation says what each step assumes, also what a lemma brings with it."""

import re

import pytest

from fsdp_sym.algebra.derivation import Derivation
from fsdp_sym.algebra.steps import Same, Using
from fsdp_sym.reasoning.catalogue import formula, formulas


def reasons(name, edition="text"):
    """The reason of each step, in words."""
    shown = Derivation(formula(name))
    if edition == "text":
        return re.findall(r"^      (.*?)  \[", shown.text, re.MULTILINE)
    return [row.split(" | ")[1] for row in shown.markdown.split("\n") if row.startswith("| $")][1:]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("stage_for_budget", ["", "where N divides P", "where N divides P", "where N divides P"]),
        ("marginal_saving", ["where N divides P", "where N + 1 divides P", ""]),
        ("all_gather", ["", "where N divides S", ""]),
    ],
)
def test_a_step_says_what_it_assumes(name, said):
    found = [reason[at:] if (at := reason.find("where ")) >= 0 else "" for reason in reasons(name)]
    assert found == said


def test_markdown_says_it_as_mathematics():
    assert [reason.endswith(r", where $N \mid P$") for reason in reasons("stage_for_budget", "markdown")] == [False, True, True, True]


@pytest.mark.parametrize("name", formulas())
def test_no_hypothesis_is_left_unsaid(name):
    for step, reason in zip(formula(name).steps, reasons(name), strict=True):
        given = step.given if isinstance(step, Same) else step.hypotheses if isinstance(step, Using) else ()
        assert [h.text for h in given if h.text not in reason] == []
        assert step.because in reason
        assert not isinstance(step, Using) or f"(by {step.lemma.id})" in reason

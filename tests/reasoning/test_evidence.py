"""Every record agrees with its formula, and a wrong convention is noticed."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from fsdp_sym.evidence.form import Record
from fsdp_sym.reasoning.catalogue import formula
from fsdp_sym.reasoning.evidence import disagreement, records, records_of
from fsdp_sym.reasoning.work import values_at


@pytest.mark.parametrize("record", records().values(), ids=list(records()))
def test_a_record_is_what_its_formula_gives(record):
    assert disagreement(record) is None
    assert set(values_at(dict(record.at), {})) >= set(formula(record.formula).letters)


@pytest.mark.parametrize("record", records().values(), ids=list(records()))
def test_a_figure_off_by_a_percent_is_noticed(record):
    assert disagreement(replace(record, value=Fraction(record.value) * Fraction(102, 100)))


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("llama-7b-64-ranks", {"b_v": 0}),  # a moment forgotten
        ("gathers-reshard", {"r": 0}),  # kept where it was resharded
        ("scatters-deferred", {"u_sync": 1}),
        ("gpt3-dropout", {"b_n": 4}),  # statistics in fp32
        ("deepspeed-29.01", {"b_g": 2}),
        ("all-gather-4", {"N": 5}),
    ],
)
def test_a_wrong_convention_is_noticed(name, wrong):
    record = records()[name]
    assert disagreement(replace(record, at={**record.at, **wrong}))


def test_a_printed_gib_is_not_a_gb():
    record = records()["deepspeed-29.01"]
    assert "printed 29.01" in (disagreement(replace(record, unit="GB")) or "")


def test_a_record_that_cannot_be_worked_says_why():
    broken = Record("x", "all_gather", {"S": "1 GB"}, 1, "a gather", "1", "nowhere")
    assert "all_gather needs N" in (disagreement(broken) or "")
    with pytest.raises(ValueError, match="needs what it is, a version and a source"):
        Record("x", "all_gather", {}, 1, "", "1", "nowhere")


def test_formulas_find_their_records():
    assert {r.id for r in records_of("all_reduce")} == {"all-reduce-2", "all-reduce-3", "all-reduce-4"}

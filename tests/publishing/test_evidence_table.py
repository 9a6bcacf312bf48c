"""Records beside predictions: the found column is the records' own, the predicted one the formulas' or their counts'."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from fsdp_sym import measured
from fsdp_sym.algebra.errors import FsdpSymError
from fsdp_sym.algebra.units import parse_amount
from fsdp_sym.publishing import evidence_table as room
from fsdp_sym.publishing.evidence_table import by_counting, evidence_rows
from fsdp_sym.reasoning.evidence import predicted, records, records_in

GROUPS = sorted({record.group or "printed" for record in records().values()})


@pytest.mark.parametrize("group", GROUPS)
def test_every_record_of_a_group_has_its_row_and_what_was_found_is_the_records(group):
    for record, row in zip(records_in(group), evidence_rows(group), strict=True):
        assert (row.what, row.formula) == (record.what, record.formula)
        if record.digits is None:
            assert parse_amount(row.found).value == record.value
            assert (row.predicted == row.found) == (row.nearness == "exact"), record.id
        else:
            assert row.predicted.removeprefix("≈ ") == row.found, record.id


@pytest.mark.parametrize("group", GROUPS)
def test_counting_predicts_what_the_formula_does(group):
    assert evidence_rows(group, by_counting) == evidence_rows(group, predicted)


def test_a_prediction_that_is_not_exact_says_to_which_side():
    assert {row.nearness.rpartition(" ")[2] for row in evidence_rows("peaks")} == {"exact", "above"}
    assert {row.nearness.rpartition(" ")[2] for row in evidence_rows("wire")} == {"exact", "below"}


def test_a_record_that_its_formula_denies_is_no_row(monkeypatch):
    wrong = [replace(record, value=record.value + 1) for record in records_in("printed") if record.id == "deepspeed-stage-2"]
    monkeypatch.setattr(room, "records_in", lambda _: wrong)
    with pytest.raises(FsdpSymError, match=r"deepspeed-stage-2: .*: measure again, or mend the formula"):
        evidence_rows("printed")


def test_an_unknown_group_is_refused_with_those_there_are():
    with pytest.raises(FsdpSymError, match=r"no group of records is called 'collective': did you mean collectives\?"):
        measured("collective")


def test_it_is_printed_as_a_table(capsys):
    measured("printed")
    said = capsys.readouterr().out
    assert re.search(r"29\.01 GiB\s+29\.01 GiB\s+right to 4 digits", said)

"""Moodle's Responses report, read back with the bank's index into what was answered to which variant."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from io import StringIO

import pytest

from fsdp_sym.algebra.errors import FsdpSymError
from fsdp_sym.teaching.classroom.responses import Response, read_responses
from fsdp_sym.teaching.drills import Variant, diagnose, restore

ALL_GATHER = Variant("D-all-gather", (("S", "700 MB"), ("N", "24")))
OTHER = Variant("D-all-gather", (("S", "1.2 GB"), ("N", "40")))
PRINCIPLE = Variant("A-principle", (("step", "0"), ("choices", "x,y,z,w")))
BANK = json.dumps(
    {
        "fsdp_sym": "0",
        "title": "t",
        "questions": {
            "D-all-gather-001": {"question": "D-all-gather", "drawn": [["S", "700 MB"], ["N", "24"]], "choices": {}},
            "D-all-gather-002": {"question": "D-all-gather", "drawn": [["S", "1.2 GB"], ["N", "40"]], "choices": {}},
            "A-principle-001": {
                "question": "A-principle",
                "drawn": [["step", "0"], ["choices", "x,y,z,w"]],
                "choices": {"A count is whole.": "a", "It's a limit,  not a value.": "b"},
            },
        },
    }
).encode()
# The columns of Moodle 4.4 and later; before, State, Started on and Time taken stood for Status, Started and Duration.
HEADER = ["Last name", "First name", "Email address", "Status", "Started", "Completed", "Duration", "Grade/3.00"]
PLACES = ["Question 1", "Response 1", "Right answer 1", "Question 2", "Response 2", "Right answer 2"]
ANNA = ["Anna", "A.", "anna@example.org", "Finished", "1 May 2026  10:00 AM", "1 May 2026  10:20 AM", "20 mins", "2.00"]
BEN = ["Ben", "B.", "ben@example.org", "Finished", "1 May 2026  10:00 AM", "1 May 2026  10:20 AM", "20 mins", "0.00"]


def table(*rows: Sequence[str], header: Sequence[str] = (*HEADER, *PLACES), bom: bool = True) -> bytes:
    text = StringIO()
    csv.writer(text).writerows([header, *rows])
    return text.getvalue().encode("utf-8-sig" if bom else "utf-8")


def asked(code: str) -> str:
    return f"A tensor is sharded. How many bytes?\nQuestion {code}"


def test_each_response_is_read_with_the_variant_that_was_asked():
    principle = asked("A-principle-001") + ": A count is whole.; It's a limit, not a value."
    anna = [*ANNA, asked("D-all-gather-001"), "670.8 MB", "670833341 B", principle, "It's a limit, not a value.", "A count is whole."]
    ben = [*BEN, asked("D-all-gather-002"), "1200 MB, I think", "1170000000 B", principle, "-", "A count is whole."]
    read = read_responses(table(anna, ben), BANK)
    assert read == (
        Response("D-all-gather", ALL_GATHER, "670.8 MB"),
        Response("A-principle", PRINCIPLE, "b"),
        Response("D-all-gather", OTHER, "1200 MB, I think"),
        Response("A-principle", PRINCIPLE, ""),
    )
    assert diagnose(restore(read[0].variant), read[0].text).verdict == "right"


def test_nothing_of_a_student_is_kept():
    read = read_responses(table([*ANNA, asked("D-all-gather-001"), "1 MB", "", "", "-", ""]), BANK)
    assert "anna" not in repr(read).casefold()


@pytest.mark.parametrize("bom", [True, False])
def test_other_columns_and_a_missing_right_answer_are_read_too(bom):
    header = ["Question 1a", "Response 1a", "State"]
    read = read_responses(table([asked("D-all-gather-001"), "1 MB", "Finished"], header=header, bom=bom), BANK)
    assert [r.text for r in read] == ["1 MB"]


def test_a_code_in_a_response_or_a_name_is_no_question():
    forged = [asked("D-all-gather-002"), *ANNA[1:], asked("D-all-gather-001"), asked("D-all-gather-002"), "500 MB", "another", "1", "2"]
    assert [r.variant for r in read_responses(table(forged), BANK)] == [ALL_GATHER]


def test_short_rows_and_other_questions_are_passed_over():
    anna = [*ANNA, asked("D-all-gather-001"), "1 MB", "", asked("X-other-001"), "2", ""]
    read = read_responses(table(["Overall average", "1.00"], anna), BANK)
    assert [r.text for r in read] == ["1 MB"]


@pytest.mark.parametrize(
    ("responses", "bank", "complaint"),
    [
        (b"\xff\xfe\x00", BANK, "no table of comma-separated values"),
        (b"", BANK, "no columns 'Question 1'"),
        (table(ANNA, header=HEADER), BANK, "show the question text"),
        (table([*ANNA, "Other", "1", "", "", "", ""]), BANK, "no question of this bank"),
        (b'"' + b"a" * 200_000 + b'"', BANK, "no table of comma-separated values"),
        (table(), b"{", "not a bank.json"),
        (table(), b"[]", "not a bank.json"),
        (table(), b"[" * 100_000, "not a bank.json"),
        (table(), json.dumps({"questions": {"a": {"question": "b", "drawn": [["c"]], "choices": {}}}}).encode(), "not a bank.json"),
    ],
)
def test_what_cannot_be_read_is_refused_in_one_line(responses, bank, complaint):
    with pytest.raises(FsdpSymError, match=complaint) as refused:
        read_responses(responses, bank)
    assert "\n" not in str(refused.value)

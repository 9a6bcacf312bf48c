"""Corrections: what moves, what never moves down, and what is refused."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest
from returning import header, keys, sheet, thinking, written

from fsdp_sym.algebra.errors import FsdpSymError
from fsdp_sym.teaching.classroom.corrections import Corrections, read_corrections, refuse_unfit
from fsdp_sym.teaching.classroom.desk import Chosen
from fsdp_sym.teaching.classroom.marks import mark
from fsdp_sym.teaching.classroom.results import Result

ADA = sheet("s1", "Ada Lovelace")
HEAD = header()
DRILLS = ADA.drills(HEAD)
RIGHT = keys(ADA)
FIRST_OF_Q5 = min(field for field in RIGHT if field.startswith("Q5."))


def corrections(tmp_path: Path, found: object, lower: bool = False) -> Corrections:
    return read_corrections(written(tmp_path / "c.json", json.dumps(found).encode()), lower)


def marked(tmp_path: Path, typed: dict[str, str], found: object, lower: bool = False, status: str = "marked") -> Result:
    rows = corrections(tmp_path, found, lower)
    refuse_unfit(rows, HEAD, DRILLS)
    chosen = Chosen(status, typed if status == "marked" else {})  # type: ignore[arg-type]
    return mark(HEAD, ADA, chosen, rows, DRILLS if status == "marked" else ())


def for_all(label: str, **what: object) -> dict[str, object]:
    return {"questions": {label: what}}


def for_ada(field: str, mark: object, reason: str = "as agreed") -> dict[str, object]:
    return {"students": {"s1": {field: {"mark": mark, "reason": reason}}}}


def because(result: Result) -> dict[str, str]:
    return {q.label: q.because for q in result.questions if q.because}


def test_a_thought_is_accepted_in_every_variant(tmp_path):
    typed = RIGHT | {"Q1": thinking(ADA, "s-is-the-shard", "Q1")}
    found = marked(tmp_path, typed, for_all("Q1", also="s-is-the-shard", reason="the text was unclear"))
    assert (found.before, found.mark) == (10, 12)
    assert because(found) == {"Q1": "s-is-the-shard is accepted too: the text was unclear"}
    (part,) = found.questions[0].parts
    assert (part.verdict, part.thoughts, part.earned) == ("right", (), 1)
    other = RIGHT | {"Q1": thinking(ADA, "received-one-shard", "Q1")}
    assert marked(tmp_path, other, for_all("Q1", also="s-is-the-shard")).mark == 10


def test_a_value_is_accepted_as_it_is_read(tmp_path):
    for typed in ("5 GB", "5000 MB", "5.001 GB"):
        assert marked(tmp_path, RIGHT | {"Q1": typed}, for_all("Q1", also=["1 GB", "5 GB"])).mark == 12
    for typed in ("5.1 GB", "5", "5 s", "x"):
        assert marked(tmp_path, RIGHT | {"Q1": typed}, for_all("Q1", also="5 GB")).mark == 10


def test_a_formula_a_count_and_an_option_are_accepted(tmp_path):
    assert marked(tmp_path, RIGHT | {"Q2": "2*S*N"}, for_all("Q2", also="N*S*2")).mark == 12
    assert marked(tmp_path, RIGHT | {"Q4": "7777"}, for_all("Q4", also="7777")).mark == 12
    assert marked(tmp_path, RIGHT | {"Q4": "7778"}, for_all("Q4", also="7777")).mark == 10
    wrong = next(letter for letter in "abcd" if letter != RIGHT["Q6"])
    assert marked(tmp_path, RIGHT | {"Q6": wrong}, for_all("Q6", also=wrong)).mark == 12


def test_a_part_is_accepted_alone(tmp_path):
    typed = RIGHT | {FIRST_OF_Q5: "5 GB", "Q3.1": "yes" if RIGHT["Q3.1"] == "no" else "no"}
    before = marked(tmp_path, typed, {})
    after = marked(tmp_path, typed, for_all(FIRST_OF_Q5, also="5 GB"))
    assert before.mark is not None
    assert after.mark is not None
    assert after.mark > before.mark
    assert after.questions[2] == before.questions[2]


def test_two_that_accept_two_parts_add_up(tmp_path):
    fields = [field for field in RIGHT if field.startswith("Q5.")]
    typed = RIGHT | dict.fromkeys(fields, "5 GB")
    both = {"questions": {field: {"also": "5 GB"} for field in fields}}
    assert marked(tmp_path, typed, both).mark == 12


def test_full_marks_are_for_all_that_is_marked(tmp_path):
    assert marked(tmp_path, RIGHT | {"Q1": ""}, for_all("Q1", full=True)).mark == 12
    assert marked(tmp_path, {}, for_all("Q1", full=True), status="missing").mark is None


def test_what_is_dropped_leaves_the_rest_for_all_the_points(tmp_path):
    found = marked(tmp_path, RIGHT | {"Q1": "7"}, for_all("Q1", drop=True))
    assert (found.before, found.mark, found.out_of) == (10, 12, 12)
    assert because(found) == {"Q1": "dropped"}


def test_dropping_lowers_nobody_unless_it_may(tmp_path):
    typed = RIGHT | {"Q2": "7"}
    kept = marked(tmp_path, typed, for_all("Q1", drop=True))
    assert (kept.mark, kept.kept) == (10, ("without Q1: not lowered to 9.6",))
    assert marked(tmp_path, typed, for_all("Q1", drop=True), lower=True).mark == Fraction(48, 5)


def test_a_mark_by_hand(tmp_path):
    found = marked(tmp_path, RIGHT | {"Q1": "about 5 GB"}, for_ada("Q1", 1.5))
    assert found.mark == Fraction(23, 2)
    assert because(found) == {"Q1": "marked by hand: as agreed"}
    assert marked(tmp_path, RIGHT, {"students": {"s2": {"Q1": {"mark": 0, "reason": "x"}}}}, lower=True).mark == 12


def test_a_lower_mark_by_hand_needs_leave(tmp_path):
    kept = marked(tmp_path, RIGHT, for_ada("Q1", 1))
    assert (kept.mark, because(kept), kept.kept) == (12, {}, ("Q1: not lowered to 1: as agreed",))
    assert marked(tmp_path, RIGHT, for_ada("Q1", 1), lower=True).mark == 11


@pytest.mark.parametrize("status", ["missing", "flagged", "exempt"])
def test_a_whole_sheet_can_be_marked_by_hand(tmp_path, status):
    found = marked(tmp_path, {}, for_ada("sheet", 7), status=status)
    assert (found.status, found.mark, found.before, found.because) == ("by hand", 7, None, "marked by hand: as agreed")
    assert marked(tmp_path, {}, for_ada("Q1", 1), status=status).mark is None


def test_a_whole_sheet_is_not_lowered_without_leave(tmp_path):
    kept = marked(tmp_path, RIGHT, for_ada("sheet", 7))
    assert (kept.mark, kept.kept) == (12, ("sheet: not lowered to 7: as agreed",))
    assert marked(tmp_path, RIGHT, for_ada("sheet", 7), lower=True).mark == 7


def test_a_table_says_the_same(tmp_path):
    table = "student,question,correction,value,reason\n,Q1,also,5 GB,unclear\n,Q2,drop,,\n,Q4,full,,\n"
    table += "s1,Q6,mark,1,late doctor\ns1,sheet,mark,9,\n"
    as_json = {
        "questions": {"Q1": {"also": ["5 GB"], "reason": "unclear"}, "Q2": {"drop": True}, "Q4": {"full": True}, "Q5": {"drop": False}},
        "students": {"s1": {"Q6": {"mark": "1", "reason": "late doctor"}, "sheet": {"mark": 9, "reason": "x"}}},
    }
    with pytest.raises(FsdpSymError, match="needs a reason"):
        read_corrections(written(tmp_path / "c.csv", table.encode()))
    for separator in ",;\t":
        text = (table[:-1] + "x\n").replace(",", separator)
        assert read_corrections(written(tmp_path / "c.csv", text.encode())) == corrections(tmp_path, as_json)


REFUSED = [
    ([], "is no file of corrections"),
    ({"question": {}}, "neither questions nor students"),
    ({"questions": {"Q1": {"accept": "7"}}}, "'accept' is no correction"),
    ({"questions": {"Q1": {"mark": 1}}}, "one student's"),
    ({"questions": {"Q1": {"also": ""}}}, "say what is accepted"),
    ({"questions": {"sheet": {"drop": True}}}, "name a question"),
    ({"questions": {"": {"drop": True}}}, "name a question"),
    ({"students": {"s1": {"Q1": {"drop": True}}}}, "a student gets a mark"),
    ({"students": {"s1": {"Q1": {"mark": 1}}}}, "needs a reason"),
    (for_ada("Q1", -1), "is no mark"),
    (for_ada("Q1", "1/0"), "is no mark"),
    (for_ada("Q1", "one"), "is no mark"),
    (for_ada("Q1", 3), "more than the 2 points"),
    (for_ada("Q9", 1), "no question is called 'Q9'"),
    (for_all("Q9", drop=True), "no question is called 'Q9'"),
    (for_all("Q5", also="5 GB"), "no answer is called 'Q5'"),
    (for_all("Q1", also="seven"), "no answer to it, and no misconception"),
    (for_all("Q1", also="forgot-everything"), "no answer to it, and no misconception"),
]


@pytest.mark.parametrize(("found", "says"), REFUSED, ids=[says for _, says in REFUSED])
def test_what_is_no_correction_is_refused(tmp_path, found, says):
    with pytest.raises(FsdpSymError, match=says):
        refuse_unfit(corrections(tmp_path, found), HEAD, DRILLS)


@pytest.mark.parametrize("content", [b"", b"\xff", b"[" * 30_000, b"student,question\n", b'"' * 99, b" " * 5_000_001], ids=range(6))
@pytest.mark.parametrize("suffix", ["json", "csv"])
def test_a_damaged_file_is_refused(tmp_path, content, suffix):
    with pytest.raises(FsdpSymError, match=r"is no file of corrections|too large"):
        read_corrections(written(tmp_path / f"c.{suffix}", content))


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(FsdpSymError, match="cannot be read"):
        read_corrections(tmp_path / "none.csv")

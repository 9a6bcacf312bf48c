"""The class report: its counts, its figures, and whom it names."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest
from test_feedback_page import HOSTILE, Parsed

from fsdp_sym.publishing.class_figures import columns_of
from fsdp_sym.publishing.class_report import class_report, median
from fsdp_sym.teaching.classroom.results import PartResult, QuestionResult, Result
from fsdp_sym.teaching.classroom.tally import Tally
from fsdp_sym.teaching.misconceptions import MISCONCEPTIONS

ONE, OTHER = "forgot-the-master-copy", "one-moment-only"
WHOLE = Fraction(1)


def question(label: str, verdict: str, *thoughts: str, typed: str = "7", says: str = "why: remedy") -> QuestionResult:
    part = PartResult(label, typed, "", verdict, thoughts, (says,), WHOLE * (verdict == "right"))  # type: ignore[arg-type]
    return QuestionResult(label, "A-bytes-per-parameter", WHOLE, (part,), part.earned, part.earned)


def student(name: str, *questions: QuestionResult, status: str = "marked", **rest: object) -> Result:
    mark = sum((q.counts for q in questions), Fraction(0)) if status == "marked" else None
    return Result(f"hw1-{name}", name, f"Name {name}", status, mark, mark, Fraction(3), questions, **rest)  # type: ignore[arg-type]


def tally(*results: Result) -> Tally:
    found = Tally()
    for result in results:
        found.add(result)
    return found


CLASS = tally(
    student("a", question("Q1", "wrong", ONE), question("Q2", "right")),
    student("b", question("Q1", "wrong", ONE, "gib-for-gb"), question("Q2", "wrong", ONE, OTHER)),
    student("c", question("Q1", "wrong"), question("Q2", "invalid", typed="seven <b>", says="no number: write 7")),
    student("d", question("Q1", "right"), question("Q2", "right"), late=5),
    student("e", status="missing"),
    student("f", status="flagged", notes=("sent another's",)),
    student("g", status="exempt"),
)


def test_it_counts_what_is_sure_and_what_is_not_apart():
    said = " ".join(Parsed(class_report("hw1", CLASS)).text.split())
    assert f"“{MISCONCEPTIONS[ONE].thinks.rstrip('.')}.” {ONE}" in said
    assert f"2 for sure, in Q1; 1 that may be this or another, in Q2: {OTHER} leads to the same answer." in said
    assert f"1 that may be this or another, in Q2: {ONE} leads to the same answer." in said
    assert MISCONCEPTIONS[ONE].violates.says in said
    assert MISCONCEPTIONS[ONE].tell in said
    assert "no known thought explains 1 of the wrong answers" in said
    assert "Met twice, in Q1." in said
    assert "Fewer than half were right in Q1." in said


def test_it_counts_students():
    said = " ".join(Parsed(class_report("hw1", CLASS)).text.split())
    for fact in ("4 of 7students marked", "1nothing returned", "1flagged, not marked", "1exempt", "1late", "1answers to look at"):
        assert fact in said
    assert "0.5 of 3points, the median" in said


def test_figures_have_their_numbers_in_words():
    parsed = Parsed(class_report("hw1", CLASS))
    figures = [value for name, value in parsed.attributes if name == "aria-label"]
    assert "Students by points, of 3. 0 points: 2, 1 points: 1, 2 points: 1." in figures
    assert "Q1: right 25 %, not right 75 %." in figures
    assert f"{ONE}: 2 for sure, 1 this or another." in figures
    assert parsed.tags.count("svg") == len(figures)


def test_nobody_is_named_unless_it_is_asked():
    without, named = Parsed(class_report("hw1", CLASS)).text, Parsed(class_report("hw1", CLASS, names=True)).text
    assert "Name" not in without
    assert "hw1-c" in without
    assert "Name c" in named
    assert "Name f" in named
    assert "sent another's" in named
    assert "sent another's" not in without


def test_answers_to_look_at_are_gathered_by_their_reason():
    many = tally(*(student(f"s{at}", question("Q1", "invalid", typed=f"{at}", says=f"no unit: such as {at} GB")) for at in range(9)))
    said = Parsed(class_report("hw1", many)).text
    assert "no unit" in said
    assert "hw1-s4" in said
    assert "hw1-s5" not in said
    (found,) = many.review.values()
    assert (found.count, len(found.examples)) == (9, 5)


def test_it_does_not_grow_with_the_class():
    many = tally(*(student(f"s{at}", question("Q1", "invalid", typed="x", says=f"reason {at}")) for at in range(500)))
    assert len(many.review) == 101
    assert sum(found.count for found in many.review.values()) == 500
    assert len(class_report("hw1", many)) < 200_000


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_texts_from_outside_are_texts(text):
    hostile = student("x", question("Q1", "invalid", text, typed=text, says=text), notes=(text,))
    flagged = Result(text, text, text, "flagged", None, None, WHOLE, notes=(text,))
    for names in (False, True):
        parsed = Parsed(class_report(text, tally(hostile, flagged), names))
        assert not {"script", "img"} & set(parsed.tags)
        assert parsed.tags.count("h1") == 1
        assert not [name for name, _ in parsed.attributes if name.startswith("on")]


def test_an_empty_class_has_a_report_too():
    assert "Questions" in Parsed(class_report("hw1", Tally())).text
    assert "1nothing returned" in Parsed(class_report("hw1", tally(student("e", status="missing")))).text


@pytest.mark.parametrize(
    ("marks", "middle"), [([1], "1"), ([1, 2], "3/2"), ([1, 1, 5], "1"), ([1, 4, 5], "4"), ([0, 1, 2, 10], "3/2"), ([3, 3], "3")]
)
def test_the_median(marks, middle):
    assert median(Counter(map(Fraction, marks))) == Fraction(middle)


def test_columns_are_few_and_hold_everybody():
    for out_of in (1, 3, 20, 21, 40, 99, 1000, 12345):
        marks = Counter(Fraction(at * out_of, 7) for at in range(8))
        found = columns_of(marks, Fraction(out_of))
        assert len(found) <= 21
        assert sum(count for _, count in found) == 8
    assert columns_of(Counter([Fraction(5, 2)]), Fraction(3)) == [("0", 0), ("1", 0), ("2", 1), ("3", 0)]
    assert columns_of(Counter([Fraction(45)]), Fraction(50))[-3:] == [("40+", 0), ("45+", 1), ("50+", 0)]

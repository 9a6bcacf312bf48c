"""The same questions for everybody, other numbers for each; and a proof of how different the sheets are."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from fsdp_sym.algebra.errors import FsdpSymError
from fsdp_sym.teaching.classroom import assignment, distinct
from fsdp_sym.teaching.classroom.assignment import checked_name, chosen, drawn, named, sheet_of
from fsdp_sym.teaching.classroom.distinct import fingerprint, least_difference, spread
from fsdp_sym.teaching.classroom.record import Asked, Header, SheetRecord
from fsdp_sym.teaching.drills import QUESTIONS, pose

KEY = bytes(range(32))
TEN = chosen(("A", "B", "D"), 10)


def test_questions_are_spread_over_cells_and_kinds() -> None:
    assert [q.cell for q in TEN] == ["A", "B", "D", "A", "B", "D", "A", "B", "D", "A"]
    assert len({q.id for q in TEN}) == 10
    for cell in "ABD":
        kinds = [q.kind for q in TEN if q.cell == cell]
        there = {q.kind for q in QUESTIONS.values() if q.cell == cell}
        assert len(set(kinds)) == min(len(kinds), len(there))
    assert chosen(("A", "B", "D"), 10) == TEN
    assert len(chosen(tuple("ABCDEFGH"), 20)) == 20


def test_a_question_that_is_the_same_for_everybody_is_passed_over() -> None:
    of_d = [question for question in QUESTIONS.values() if question.cell == "D"]
    varied = [question for question in of_d if len({fingerprint(pose(question, at).posed) for at in range(12)}) > 1]
    assert {q.id for q in of_d} - {q.id for q in varied} >= {"D-write-all-gather"}
    assert {q.id for q in chosen(("D",), len(varied))} == {q.id for q in varied}
    with pytest.raises(FsdpSymError, match=f"cells D have {len(varied)} questions, not {len(varied) + 1}"):
        chosen(("D",), len(varied) + 1)
    assert named(["D-write-all-gather"])[0].id == "D-write-all-gather"


@pytest.mark.parametrize(
    ("cells", "count", "words"),
    [
        (["Z"], 1, "no cell is called 'Z'"),
        (["A", "A"], 1, "cell A is named twice"),
        ([], 1, "at least one question of at least one cell"),
        (["B"], 0, "at least one question"),
        (["B"], 999, r"cells B have \d+ questions, not 999: ask for as many, or name more cells"),
    ],
)
def test_cells_that_cannot_be_asked(cells: list[str], count: int, words: str) -> None:
    with pytest.raises(FsdpSymError, match=words):
        chosen(cells, count)


def test_questions_by_name() -> None:
    assert [q.id for q in named(["D-steps", "A-shard"])] == ["D-steps", "A-shard"]
    with pytest.raises(FsdpSymError, match="D-steps is named twice"):
        named(["D-steps", "A-shard", "D-steps"])
    with pytest.raises(FsdpSymError, match="did you mean D-steps"):
        named(["D-step"])


@pytest.mark.parametrize("name", ["", "../hw1", "hw 1", "hw.1", "-hw", "h" * 41, "hw1\n", "Übung"])
def test_names_that_cannot_begin_a_sheets_id(name: str) -> None:
    with pytest.raises(FsdpSymError, match="is no name for an assignment"):
        checked_name(name)
    assert checked_name("hw1") == "hw1"


def test_a_students_numbers_belong_to_key_assignment_and_student() -> None:
    def numbers(key: bytes, name: str, student: str) -> list[object]:
        return [drill.variant for drill in drawn(key, name, TEN, student)]

    mine = numbers(KEY, "hw1", "s1")
    assert numbers(KEY, "hw1", "s1") == mine
    for other in ((bytes(32), "hw1", "s1"), (KEY, "hw2", "s1"), (KEY, "hw1", "s2")):
        assert numbers(*other) != mine
    assert [drill.variant for drill in drawn(KEY, "hw1", TEN, "s1", sheet=1)] != mine
    # What a student gets does not depend on which other questions are asked.
    assert drawn(KEY, "hw1", TEN[3:4], "s1")[0].variant == mine[3]


def test_no_two_questions_of_a_kind_share_all_their_givens() -> None:
    alike = named(["D-all-gather", "D-reduce-scatter", "D-all-reduce", "A-bytes-per-parameter", "D-limit"])
    met = 0
    for student in range(150):
        givens = [(d.posed.kind, frozenset(d.posed.givens)) for d in drawn(KEY, "hw1", alike, f"s{student}")]
        assert len(set(givens)) == len(alike)
        plain = [pose(q, assignment.seed(KEY, "hw1", f"s{student}", q.id, 0, 0)).posed.givens for q in alike[:3]]
        met += len(set(map(frozenset, plain))) < 3
    assert met, "no clash was drawn, so none was avoided: try more students"


def test_givens_that_cannot_differ_are_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = named(["D-all-gather", "D-reduce-scatter"])
    real = assignment.pose
    monkeypatch.setattr(assignment, "pose", lambda question, _: real(question, 1) if question is one else real(other, SAME))
    with pytest.raises(FsdpSymError, match="D-reduce-scatter finds no other givens than D-all-gather has: leave one of them out"):
        drawn(KEY, "hw1", (one, other), "s1")


ONE = pose(QUESTIONS["D-all-gather"], 1).posed.givens
SAME = next(at for at in range(100_000) if pose(QUESTIONS["D-reduce-scatter"], at).posed.givens == ONE)


@pytest.mark.parametrize(
    ("due", "extension", "printed"),
    [
        ("", "", ""),
        ("2026-03-14", "", "2026-03-14"),
        ("2026-03-14 23:59", "", "2026-03-14 23:59 UTC"),
        ("2026-03-14", "2026-03-20 12:00 Europe/Berlin", "2026-03-20 12:00 Europe/Berlin"),
        ("2026-03-14T08:00+01:00", "", "2026-03-14T08:00+01:00"),
    ],
)
def test_a_sheet_says_when_it_is_due_for_this_student(due: str, extension: str, printed: str) -> None:
    drills = drawn(KEY, "hw1", TEN[:1], "s1")
    record = SheetRecord("hw1-0", "s1", "", due, extension, False, (drills[0].variant.drawn,))
    sheet = sheet_of(Header("hw1", (Asked("Q1", TEN[0].id),), ""), record, [("Q1", drills[0])], large_print=True)
    assert (sheet.due, sheet.student, sheet.large_print) == (printed, "s1", True)
    assert sheet.questions == (("Q1", drills[0].posed),)


# How different the sheets of a class are.


def slowly(sheets: list[list[int]]) -> int:
    return min(sum(a != b for a, b in zip(one, other, strict=True)) for one, other in combinations(sheets, 2))


@pytest.mark.parametrize("variants", [1, 2, 3, 5, 20, 1000])
def test_the_least_difference_is_the_one_that_pairs_show(variants: int) -> None:
    uniform = random.Random(variants).random
    there = [[int(uniform() * 2**64) for _ in range(variants)] for _ in range(6)]
    prints = [[column[int(uniform() * variants)] for column in there] for _ in range(40)]
    assert least_difference(prints) == (slowly(prints), True)


def test_a_bound_is_proved_where_the_search_would_take_long(monkeypatch: pytest.MonkeyPatch) -> None:
    uniform = random.Random(5).random
    prints = [[int(uniform() * 2**64) for _ in range(8)] for _ in range(50)]
    monkeypatch.setattr(distinct, "_MOST_WORK", 50 * (1 + 8 + 28))
    assert least_difference(prints) == (3, False)
    prints[7][2:] = prints[11][2:]
    assert least_difference(prints) == (2, True)
    prints[7][:] = prints[11]
    assert least_difference(prints) == (0, True)


def test_spread_counts_variants_and_the_commonest() -> None:
    assert spread([[1, 5], [1, 6], [2, 7]]) == [(2, 2), (3, 1)]


def test_a_shuffle_is_no_other_question() -> None:
    posed = pose(QUESTIONS["A-principle"], 3).posed
    texts = [line.partition(" ")[2] for line in posed.lines]
    turned = type(posed)(**vars(posed) | {"lines": tuple(f"{x}) {text}" for x, text in zip("abcd", reversed(texts), strict=True))})
    other = type(posed)(**vars(posed) | {"prompt": posed.prompt + "?"})
    assert fingerprint(turned) == fingerprint(posed) != fingerprint(other)

"""The rules by which returned work is laid beside what was handed out."""

from __future__ import annotations

import pytest

from fsdp_sym.teaching.classroom.desk import Chosen, Desk
from fsdp_sym.teaching.classroom.lists import participants
from fsdp_sym.teaching.classroom.record import SheetRecord
from fsdp_sym.teaching.classroom.returned import Sender
from fsdp_sym.teaching.classroom.submissions import Submission

DUE = "2026-03-14 12:00"
SHEETS = (
    SheetRecord("hw1-a", "s1", "Ada Lovelace", DUE, "", False, ()),
    SheetRecord("hw1-b", "s2", "Ben Bitdiddle", DUE, "2026-03-15 12:00", False, ()),
    SheetRecord("hw1-c", "s3", "Ben Bitdiddle", DUE, "", False, ()),
    SheetRecord("", "s4", "Eve Exempt", DUE, "", True, ()),
    SheetRecord("hw1-e", "s5", "", DUE, "", False, ()),
)
ADA, BEN, THIRD, EVE, NAMELESS = range(5)


def work(sheet: str, answer: str = "7", *problems: str) -> Submission:
    return Submission(sheet, {"Q1": answer}, problems)


class Class:
    """A desk, and what of it is looked at."""

    def __init__(self) -> None:
        self.desk = Desk(SHEETS)

    def lay(self, file: str, sender: Sender | str | None, submission: Submission, submitted: str = "") -> Class:
        self.desk.lay(file, Sender(sender) if isinstance(sender, str) else sender, submission, submitted)
        return self

    def of(self, at: int) -> Chosen:
        return self.desk.chosen(at, SHEETS[at])

    @property
    def notes(self) -> list[str]:
        return [f"{place}: {says}" for place, says in self.desk.notes()]


@pytest.fixture
def here() -> Class:
    return Class()


def test_work_is_its_senders(here):
    here.lay("f", "s1", work("hw1-a", "7", "odd"), "2026-03-14 11:00")
    assert here.of(ADA) == Chosen("marked", {"Q1": "7"}, "f", "2026-03-14 11:00", 0, (), ("odd",))
    assert here.of(BEN) == Chosen("missing", {})
    assert here.of(EVE) == Chosen("exempt", {})
    assert here.notes == []


@pytest.mark.parametrize("name", ["s1", "S1", "Ada Lovelace", "Lovelace, Ada", "ada  LOVELACE", "Ádá Lovelace"])
def test_a_sender_is_known_by_id_or_name(here, name):
    assert here.lay("f", name, work("hw1-a")).of(ADA).status == "marked"
    assert here.desk.knows(name)


def test_without_a_sender_the_sheet_says_whose_it_is(here):
    assert here.lay("f", None, work("hw1-a")).of(ADA).status == "marked"


def test_without_a_sheet_the_sender_does(here):
    found = here.lay("f", "s1", work("")).of(ADA)
    assert found.status == "marked"
    assert found.problems == ("it names no sheet, and is marked as its sender's own",)


def test_without_either_it_is_nobodys(here):
    here.lay("f", None, work(""))
    assert here.notes == ["f: it names no sheet, and nothing says whose it is: not marked"]


def test_a_neighbours_sheet_is_flagged_and_changes_nothing_for_the_neighbour(here):
    here.lay("f1", "s1", work("hw1-a", "right"), "2026-03-14 10:00")
    here.lay("f2", "s2", work("hw1-a", "wrong"), "2026-03-14 11:00")
    assert here.of(ADA) == Chosen("marked", {"Q1": "right"}, "f1", "2026-03-14 10:00")
    assert here.of(BEN).status == "flagged"
    assert here.of(BEN).notes == ("f2: s2 sent it, and it answers hw1-a, the sheet of s1",)
    assert here.notes == ["f2: s2 sent it, and it answers hw1-a, the sheet of s1: not marked"]


def test_ones_own_sheet_is_marked_even_beside_a_neighbours(here):
    here.lay("f1", "s2", work("hw1-a")).lay("f2", "s2", work("hw1-b", "own"))
    assert here.of(BEN).answers == {"Q1": "own"}
    assert here.of(BEN).notes == ("f1: s2 sent it, and it answers hw1-a, the sheet of s1",)
    assert here.of(ADA).status == "missing"


def test_somebody_who_is_not_in_class_hands_in_nobodys_sheet(here):
    here.lay("f", "mallory", work("hw1-a"))
    assert here.of(ADA).status == "missing"
    assert "mallory sent it" in here.notes[0]


def test_a_foreign_sheet_is_a_line_and_a_flag(here):
    here.lay("f", "s1", work("hw0-z"))
    assert here.notes == ["f: it answers hw0-z, which is no sheet of this assignment: not marked"]
    assert here.of(ADA).status == "flagged"


def test_a_damaged_file_flags_its_sender_unless_a_good_one_came_too(here):
    here.lay("f", "s1", Submission(problems=("this cannot be read",)))
    assert (here.of(ADA).status, here.of(ADA).notes) == ("flagged", ("f: this cannot be read",))
    here.lay("g", "s1", work("hw1-a"))
    assert here.of(ADA).status == "marked"
    assert here.notes == ["f: this cannot be read"]


def test_of_two_with_one_name_either_may_have_sent_it(here):
    here.lay("f", Sender("Ben Bitdiddle", "7"), work("hw1-c"))
    assert (here.of(THIRD).status, here.of(BEN).status) == ("marked", "missing")
    here.lay("g", Sender("Ben Bitdiddle", "8"), work(""))
    assert here.notes == ["g: it names no sheet, and nothing says whose it is: not marked"]


def test_the_latest_counts(here):
    here.lay("f1", "s1", work("hw1-a", "early"), "2026-03-14 10:00")
    here.lay("f3", "s1", work("hw1-a", "late"), "2026-03-14 13:00")
    here.lay("f2", "s1", work("hw1-a", "between"), "2026-03-14 12:00")
    found = here.of(ADA)
    assert (found.answers, found.file, found.late) == ({"Q1": "late"}, "f3", 60)
    assert found.notes == ("passed over, as another return counts: f1, f2",)


def test_an_extension_counts(here):
    here.lay("f", "s2", work("hw1-b"), "2026-03-15 11:00")
    assert here.of(BEN).late == 0


def test_where_no_time_tells_what_differs_is_flagged(here):
    here.lay("f1", "s1", work("hw1-a", "one")).lay("f2", "s1", work("hw1-a", "two"))
    assert here.of(ADA).status == "flagged"
    assert here.of(ADA).notes == ("f1, f2 differ, and nothing says which is the latest: keep one of them",)


def test_what_is_alike_or_empty_is_no_matter(here):
    here.lay("f0", "s1", work("hw1-a", "")).lay("f1", "s1", work("hw1-a", "one")).lay("f2", "s1", work("hw1-a", "one"))
    assert here.of(ADA).file == "f1"
    here.lay("g", "s2", work("hw1-b", ""))
    assert here.of(BEN).status == "marked"


def test_a_time_that_cannot_be_read_is_said(here):
    here.lay("f", "s1", work("hw1-a"), "yesterday")
    assert here.of(ADA).problems == ("its time 'yesterday' cannot be read: whether it is late is not known",)
    assert here.of(ADA).late == 0


def test_where_several_send_one_sheet_and_none_is_its_owner_all_is_flagged(here):
    # The record has no name for s5, so that the name of a folder is not held against it.
    here.lay("f1", Sender("Some Body", "1"), work("hw1-e"))
    assert here.of(NAMELESS).status == "marked"
    here.lay("f2", Sender("Else Body", "2"), work("hw1-e"))
    assert here.of(NAMELESS).status == "flagged"
    assert "Some Body, Else Body" in here.of(NAMELESS).notes[0]


def test_where_moodle_hides_the_names_the_sheet_says_whose_it_is(here):
    here.lay("f1", Sender("", "7"), work("hw1-a"))
    assert here.of(ADA).status == "marked"
    here.lay("f2", Sender("", "8"), work("hw1-a"))
    assert here.of(ADA).status == "flagged"


def test_own_work_counts_before_work_from_who_knows_where(here):
    here.lay("f1", None, work("hw1-a", "loose")).lay("f2", "s1", work("hw1-a", "own"))
    assert here.of(ADA).answers == {"Q1": "own"}


MOODLE = """Identifier,Full name,ID number,Email address,Status,Grade,Maximum Grade,Last modified (submission),Last modified (grade)
Participant 7,Ben Bitdiddle,s2,ben@example.org,Submitted for grading,,100.00,"Saturday, 14 March 2026, 1:00 PM",-
Participant 8,Ben Bitdiddle,s3,ben2@example.org,Submitted for grading,,100.00,"Sunday, 15 March 2026, 1:00 PM",-
Participant 9,Ada Lovelace,,s1@example.org,No submission,,100.00,-,-
"""


def test_moodles_worksheet_tells_who_and_when(here):
    here.desk.register(participants(MOODLE.splitlines(keepends=True), "moodle"))
    here.lay("f", Sender("Ben Bitdiddle", "8"), work("hw1-b")).lay("g", Sender("Ben Bitdiddle", "7"), work("hw1-b"))
    assert here.of(BEN) == Chosen("marked", {"Q1": "7"}, "g", "Saturday, 14 March 2026, 1:00 PM", number="7")
    assert here.of(THIRD).status == "flagged"
    assert here.desk.listed(ADA, "moodle")["Identifier"] == "Participant 9"
    assert here.desk.listed(NAMELESS, "moodle") == {}
    assert here.desk.columns("moodle")[:2] == ["Identifier", "Full name"]
    assert here.desk.columns("canvas") == []


def test_names_that_look_like_sql_are_names(here):
    name = "x'); DROP TABLE handed; --"
    here.lay(name, name, work(name))
    assert here.of(ADA).status == "missing"
    assert len(here.notes) == 1

"""Times as records and learning systems write them, and what is late."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from fsdp_sym.teaching.classroom.times import minutes_late, minutes_text, moment

READ = {
    "2025-11-21": (2025, 11, 21, 0, 0),
    "2025-11-21 22:15": (2025, 11, 21, 22, 15),
    " 2025-11-21T22:15:00 ": (2025, 11, 21, 22, 15),
    "2025-11-21 22:15:00.000000 UTC": (2025, 11, 21, 22, 15),
    "2025-11-21 22:15:00Z": (2025, 11, 21, 22, 15),
    "2025-11-21 22:15 +02:00": (2025, 11, 21, 20, 15),
    "2025-11-21 22:15 America/New_York": (2025, 11, 22, 3, 15),
    "Friday, 21 November 2025, 10:15 PM": (2025, 11, 21, 22, 15),
    "21 November 2025, 12:05 AM": (2025, 11, 21, 0, 5),
    "21 November 2025, 22:15": (2025, 11, 21, 22, 15),
}


@pytest.mark.parametrize(("text", "when"), READ.items(), ids=READ)
def test_it_is_read(text, when):
    assert moment(text) == datetime(*when, tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    ["", "-", "soon", "2025-02-30", "2025-11-21 25:00", "3/4/2026", "21 Brumaire 2025, 10:15 PM", "2025-11-21 10:00 No/Where",
     "2025-11-21 10:00 ../../etc/passwd", "2025-11-21 10:00 +99:00", "x" * 100_000],
)  # fmt: skip
def test_it_is_not_read(text):
    assert moment(text) is None


LATE = [
    ("2026-03-14 12:00", "2026-03-14 12:00", "", 0),
    ("2026-03-14 12:00:01", "2026-03-14 12:00", "", 1),
    ("2026-03-14 13:30", "2026-03-14 12:00", "", 90),
    ("2026-03-14 23:59:59", "2026-03-14", "", 0),
    ("2026-03-15 00:01", "2026-03-14", "", 2),
    ("2026-03-15 00:01", "2026-03-14", "2026-03-15", 0),
    ("2026-03-16 00:01", "2026-03-14", "2026-03-15", 2),
    ("2026-03-14 12:30 UTC", "2026-03-14 13:00 Europe/Berlin", "", 30),
    ("2026-03-14 12:30", "2026-03-14 13:00 Europe/Berlin", "", 0),
    ("Saturday, 14 March 2026, 11:30 PM", "2026-03-14 23:59 America/New_York", "", 0),
    ("Sunday, 15 March 2026, 12:30 AM", "2026-03-14 23:59 America/New_York", "", 31),
    ("2026-03-15 23:30", "2026-03-14 23:59 America/New_York", "2026-03-15 23:59", 0),
    ("2026-03-16 04:30 UTC", "2026-03-14 23:59 America/New_York", "2026-03-15 23:59", 31),
    ("2026-03-15 04:30 UTC", "2026-03-14 Europe/Berlin", "", 331),
    ("2026-03-14 12:00", "", "", 0),
]


@pytest.mark.parametrize(("submitted", "due", "extension", "minutes"), LATE)
def test_minutes_late(submitted, due, extension, minutes):
    assert minutes_late(submitted, due, extension) == minutes


def test_without_a_time_nothing_is_late():
    assert minutes_late("", "2026-03-14", "") == minutes_late("soon", "2026-03-14", "") == 0


def test_minutes_are_said_as_people_say_them():
    said = {1: "1 min", 60: "1 h", 486: "8 h 6 min", 1440: "1 d", 3065: "2 d 3 h", 0: "0 min"}
    assert {minutes: minutes_text(minutes) for minutes in said} == said

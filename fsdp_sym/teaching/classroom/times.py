"""When work was due and when it came, as records and learning systems write it.

A time without a zone is UTC, but when work came is told in the zone of its due date, where that has one: a learning system's lists
have none. Of a due date without a time the whole day counts.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

_MONTHS: Final = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
)  # fmt: skip
# "Friday, 21 November 2025, 10:15 PM", as Moodle's grading worksheet has it in English.
_SPOKEN: Final = re.compile(r"(?:\w+,\s*)?(\d{1,2})\s+([A-Za-z]+)\s+(\d{4}),?\s+(\d{1,2}):(\d{2})(?::(\d{2}))?\s*([AaPp][Mm])?")
# "2025-11-21 22:15:00.123456 UTC", as nbgrader's timestamp.txt and other programs have it.
_WRITTEN: Final = re.compile(r"(\d{4}-\d{2}-\d{2})(?:[T ]+(\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?))?\s*(Z|[+-]\d{2}:?\d{2}|[A-Za-z][\w/+-]*)?")


def moment(text: str, whole_day: bool = False, zone: str = "") -> datetime | None:
    """The time that a text says, in UTC; None where it cannot be read.

    Parameters
    ----------
    text : str
    whole_day : bool
        A date alone is its last moment, not its first.
    zone : str
        Where the text names none.
    """
    text = text.strip()
    try:
        if found := _SPOKEN.fullmatch(text):
            return _zoned(_spoken(*found.groups(default="")), zone)
        if found := _WRITTEN.fullmatch(text):
            day, clock, own = found.groups(default="")
            read = datetime.fromisoformat(f"{day} {clock}" if clock else day)
            if whole_day and not clock:
                read += timedelta(days=1, microseconds=-1)
            return _zoned(read, own or zone)
    except (ValueError, KeyError, OverflowError, OSError):  # no such day, no such zone
        pass
    return None


def _spoken(day: str, month: str, year: str, hour: str, minute: str, second: str, half: str) -> datetime:
    hours = int(hour) % 12 + 12 * (half.lower() == "pm") if half else int(hour)
    return datetime(int(year), _MONTHS.index(month.lower()) + 1, int(day), hours, int(minute), int(second or 0))


def _zoned(read: datetime, zone: str) -> datetime:
    if zone in ("", "Z", "UTC", "GMT"):
        return read.replace(tzinfo=UTC)
    if zone[0] in "+-":
        return datetime.fromisoformat(f"{read.isoformat()}{zone}").astimezone(UTC)
    return read.replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)


def minutes_late(submitted: str, due: str, extension: str) -> int:
    """Whole minutes, rounded up, after the student's own last moment; 0 where it was in time or nothing is known."""
    zone = _zone_of(extension) or _zone_of(due)
    last, came = moment(extension or due, whole_day=True, zone=zone), moment(submitted, zone=zone)
    if came is None or last is None:
        return 0
    return max(0, -((last - came) // timedelta(minutes=1)))


def _zone_of(text: str) -> str:
    found = _WRITTEN.fullmatch(text.strip())
    return found[3] or "" if found else ""


def minutes_text(minutes: int) -> str:
    """So many minutes, as people say it: ``8 h 6 min``, ``2 d 3 h``."""
    days, hours, rest = minutes // 1440, minutes // 60 % 24, minutes % 60
    said = [f"{count:,} {unit}" for count, unit in ((days, "d"), (hours, "h"), (rest, "min")) if count]
    return " ".join(said[:2]) or "0 min"

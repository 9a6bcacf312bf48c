"""The classroom, handing out: assign, check."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..algebra.errors import FsdpSymError, UnknownName
from .options import JsonTable, examples
from .show import DONE, NO, print_json, print_lines, progress

if TYPE_CHECKING:
    from ..teaching.classroom.check import Checked
    from ..teaching.drills import Question

commands = typer.Typer()

_NEW = "fsdp-sym assign --new-key course.key"
_ASSIGN = "fsdp-sym assign --cells A,B,D --questions 10 --roster roster.csv --key-file course.key --to notebook,pdf --out hw1"


@commands.command(epilog=examples(_NEW, _ASSIGN))
def assign(
    cells: Annotated[str | None, typer.Option(metavar="A,B,...", help="Cells to take questions from, in turn.")] = None,
    questions: Annotated[int | None, typer.Option(metavar="COUNT", help="How many questions of these cells.")] = None,
    question_ids: Annotated[str | None, typer.Option(metavar="ID,ID,...", help="These questions, in place of --cells.")] = None,
    roster: Annotated[Path | None, typer.Option(help="CSV: id, name; perhaps due, extension, format (large print), exempt.")] = None,
    key_file: Annotated[Path | None, typer.Option(help="The course's key, which the numbers are drawn with.")] = None,
    to: Annotated[str, typer.Option(metavar="FORMAT,...", help="notebook, pdf, markdown.")] = "notebook",
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Where the hand-out goes; made if it is missing.")] = None,
    name: Annotated[str | None, typer.Option(help="The assignment's name; without it the folder's.")] = None,
    due: Annotated[str, typer.Option(metavar="DATE", help="For whom the roster says nothing: 2026-03-14 23:59 Europe/Berlin.")] = "",
    jobs: Annotated[int, typer.Option(min=1, help="How many processes work on it.", show_default="one a core")] = os.cpu_count() or 1,
    new_key: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a new key into this file, and do nothing else.")] = None,
) -> int:
    """Hand out a sheet for each student. The same questions in the same order, with numbers drawn for each.

    Nobody without the key file can tell another's numbers. DIR/sheets is for the students; DIR/keys, with the record that
    grading needs, for you alone. What was handed out is never written over; run it again to go on, or to add students.
    """
    if new_key is not None:
        from ..teaching.classroom.secret import new_key as write_key

        write_key(new_key)
        print(f"{new_key} holds a new key: keep it to yourself, for as long as the course lasts")
        return DONE
    if roster is None or key_file is None or out is None:
        missing = "--roster" if roster is None else f"--key-file, which {_NEW} writes" if key_file is None else "--out"
        raise FsdpSymError(f"assign needs {missing}: {_ASSIGN}")
    if key_file.resolve().is_relative_to(out.resolve()):
        raise FsdpSymError(f"{key_file} lies in what is handed out: keep the key outside {out}")
    from ..publishing import assign as handing_out
    from ..teaching.classroom.assignment import checked_name
    from ..teaching.classroom.roster import read_roster
    from ..teaching.classroom.secret import read_key

    formats = tuple(dict.fromkeys(_listed(to)))
    for known in formats:
        if known not in handing_out.FORMATS:
            raise UnknownName("format of a sheet", known, handing_out.FORMATS, f"there are {', '.join(handing_out.FORMATS)}")
    students = read_roster(roster, due)
    chosen = _questions(cells, questions, question_ids)
    order = handing_out.Order(checked_name(name or out.resolve().name), chosen, students, read_key(key_file), formats)
    with progress() as told:
        done = handing_out.assign(out, order, jobs, told)
    print(f"{order.name}: {done.says}")
    print(f"{out / handing_out.SHEETS} (for the students): {done.written:,} written, {done.there:,} there already")
    print(f"{out / handing_out.KEYS} (for you alone): the record that grading needs, the keys, the rubric")
    if done.exempt:
        print(f"exempt, and handed no sheet: {done.exempt:,}")
    if done.gone:
        print(f"on the record and not on this roster: {done.gone:,}; what they were handed stays")
    return DONE


def _questions(cells: str | None, count: int | None, ids: str | None) -> tuple[Question, ...]:
    from ..teaching.classroom.assignment import chosen, named

    if ids is not None and cells is None and count is None:
        return named(_listed(ids))
    if ids is None and cells is not None and count is not None:
        return chosen(_listed(cells), count)
    raise FsdpSymError("assign needs either --cells with --questions, or --question-ids: such as --cells A,B,D --questions 10")


def _listed(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


@commands.command(epilog=examples("fsdp-sym check hw1.ipynb"))
def check(
    sheet: Annotated[Path, typer.Argument(metavar="FILE", help="Your notebook, saved.", show_default=False)], as_json: JsonTable = False
) -> int:
    """Show how each answer on your sheet is read. Whether it is right is not said; exit 1 where one is missing or cannot be read."""
    from ..teaching.classroom.check import check as check_sheet

    found = check_sheet(sheet)
    if as_json:
        rows = [{"answer": r.field, "state": r.state, "says": list(r.says)} for r in found.readings]
        print_json({"sheet": found.sheet, "answers": rows, "problems": list(found.problems)})
        return DONE if found.complete else NO
    print_lines(_told(found))
    return DONE if found.complete else NO


def _told(found: Checked) -> Iterator[str]:
    width = max(len(r.field) for r in found.readings)
    for reading in found.readings:
        first, *more = reading.says
        yield f"{reading.field:<{width}}  {_SAID[reading.state]}{first}"
        yield from (f"{'':<{width}}    {line}" for line in more)
    yield from found.problems
    states = [r.state for r in found.readings]
    counts = [f"{states.count(state)} {words}" for state, words in _COUNTED.items() if state in states]
    yield f"{found.sheet or 'no sheet is named'}: {len(states)} answers, {', '.join(counts)}"


_SAID = {"read": "read as ", "invalid": "cannot be read: ", "not answered": "not answered: ", "not known": ""}
_COUNTED = {"read": "read", "invalid": "that cannot be read", "not answered": "missing", "not known": "not looked at"}

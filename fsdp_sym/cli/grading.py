"""The classroom, what comes back: grade, report."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..algebra.errors import FsdpSymError, UnknownName
from .cluster import Scheduler, cluster
from .options import examples
from .show import DONE, print_lines, progress

if TYPE_CHECKING:
    from ..teaching.classroom.corrections import Corrections
    from ..teaching.classroom.grade import Workers

commands = typer.Typer()

_GRADE = "fsdp-sym grade hw1 returned --out graded --format plain,moodle"
_WHY = "fsdp-sym grade hw1 returned --why s123 Q7"
_CORRECT = "fsdp-sym grade hw1 returned --corrections corrections.csv"
_RESPONSES = "fsdp-sym report --responses responses.csv --bank bank"

HandedOut = Annotated[Path, typer.Argument(metavar="HANDED_OUT", help="The folder that assign wrote.", show_default=False)]
Returned = Annotated[Path, typer.Argument(metavar="RETURNED", help="A folder or a zip of what came back.", show_default=False)]
Names = Annotated[bool, typer.Option("--names", help="Name students in the class report.")]


@commands.command(epilog=examples(_GRADE, _CORRECT, _WHY))
def grade(
    handed_out: HandedOut, returned: Returned,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where everything goes; made if it is missing.")] = Path("graded"),
    formats: Annotated[str, typer.Option("--format", metavar="FORMAT,...", help="Gradebooks: plain, canvas, moodle.")] = "plain",
    corrections: Annotated[Path | None, typer.Option(metavar="FILE", help="JSON or CSV: what is also right, dropped, or marked.")] = None,
    allow_lower: Annotated[bool, typer.Option("--allow-lower", help="Let corrections lower a mark too.")] = False,
    why: Annotated[tuple[str, str] | None, typer.Option(metavar="STUDENT QUESTION", help="Tell how this mark came about.")] = None,
    jobs: Annotated[int, typer.Option(min=1, help="How many processes work on it.", show_default="one a core")] = os.cpu_count() or 1,
    scheduler: Scheduler = None,
    names: Names = False,
) -> int:  # fmt: skip
    """Mark what came back. Nothing that a student wrote is run; whatever cannot be read is a line in a report.

    RETURNED holds notebooks, JSON or CSV, as Moodle or nbgrader lays them out or all in one folder. Moodle's grading worksheet or
    Canvas's gradebook, put into it too, tells when each was submitted, and comes back with the marks.

    Corrections, as CSV, have the columns student, question, correction, value and reason. For everybody, with no student: also (a
    value, an option or a misconception's id is accepted too), drop, full. For one student: mark, of a question or of the sheet.
    """
    from ..teaching.classroom.corrections import NONE, read_corrections

    if allow_lower and corrections is None:
        raise FsdpSymError("--allow-lower says what corrections may do: give them with --corrections FILE")
    chosen = NONE if corrections is None else read_corrections(corrections, allow_lower)
    if why is not None:
        return _why(handed_out, returned, chosen, *why)
    from ..publishing.graded import grade as grade_into
    from ..teaching.classroom.gradebook import GRADEBOOKS

    listed = tuple(dict.fromkeys(name.strip() for name in formats.split(",") if name.strip()))
    for name in listed:
        if name not in GRADEBOOKS:
            raise UnknownName("gradebook", name, GRADEBOOKS, f"there are {', '.join(GRADEBOOKS)}")
    with _workers(jobs, scheduler) as workers, progress() as told:
        done = grade_into(handed_out, returned, out, workers, listed, chosen, names, told)
    print_lines([*done.says, f"{out}: the gradebook, feedback for each student, class-report.html"])
    return DONE


def _why(handed_out: Path, returned: Path, corrections: Corrections, student: str, question: str) -> int:
    from ..publishing.assign import KEYS
    from ..teaching.classroom.record import RECORD
    from ..teaching.classroom.why import why

    print_lines(why(handed_out / KEYS / RECORD, returned, corrections, student, question))
    return DONE


@contextmanager
def _workers(jobs: int, scheduler: str | None) -> Iterator[Workers]:
    """Processes of this machine, or a Dask cluster."""
    from ..teaching.classroom.grade import Workers
    from ..teaching.classroom.jobs import processes

    if scheduler is None:
        with processes(jobs) as executor:
            yield Workers(executor, max(8, 2 * jobs))
    else:
        with cluster(scheduler) as (executor, threads):
            yield Workers(executor, max(8, 2 * threads))


@commands.command(epilog=examples("fsdp-sym report graded", _RESPONSES))
def report(
    graded: Annotated[Path | None, typer.Argument(metavar="GRADED", help="The folder that grade wrote.", show_default=False)] = None,
    responses: Annotated[Path | None, typer.Option(metavar="FILE", help="Moodle's responses to a quiz, as CSV.")] = None,
    bank: Annotated[Path | None, typer.Option(metavar="DIR", help="The bank that was exported for that quiz.")] = None,
    names: Names = False,
) -> int:
    """Make the class report. Of a graded class it is made again; of a quiz in Moodle, from its responses and the exported bank."""
    from ..publishing.graded import report as report_again

    if graded is not None and responses is None and bank is None:
        print_lines([str(report_again(graded, names))])
        return DONE
    if graded is not None or responses is None or bank is None:
        raise FsdpSymError(f"report needs a folder that grade wrote, or --responses with --bank: {_RESPONSES}")
    from ..publishing.graded import REPORT, report_of_responses
    from ..teaching.classroom.responses import read_responses

    place = responses.parent / REPORT
    found = read_responses(_content(responses), _content(bank / "bank.json"))
    report_of_responses(responses.stem, found, place)
    print_lines([f"{len(found):,} answers", str(place)])
    return DONE


def _content(place: Path) -> bytes:
    try:
        return place.read_bytes()
    except OSError as error:
        raise FsdpSymError(f"{place} cannot be read: {error.strerror}: name another one") from None

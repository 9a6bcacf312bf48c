"""The lessons as notebooks: build, learn."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..algebra.errors import FsdpSymError
from .options import examples
from .show import DONE, NO, complain, progress

if TYPE_CHECKING:
    from ..teaching.course import Course

commands = typer.Typer()

_NOTEBOOKS = Path("notebooks")


@commands.command(
    epilog=examples(
        "fsdp-sym build", "fsdp-sym build --check", "fsdp-sym build --book site", "fsdp-sym --course my-course build --to my-notebooks"
    )
)
def build(
    context: typer.Context,
    check: Annotated[bool, typer.Option("--check", help="Write nothing; exit 1 where a file would change.")] = False,
    to: Annotated[str | None, typer.Option(metavar="DIR", help="Where a course's notebooks go; into its notebooks/ without it.")] = None,
    book: Annotated[str | None, typer.Option(metavar="DIR", help="Make the book of the built notebooks there instead.")] = None,
) -> int:
    """Make the notebooks and exercises of a checkout, or the notebooks of a course; or the book that shows ours.

    They come from the lessons and questions, are executed, and are confirmed by counting.
    """
    place = _place(context.obj, to)
    if book is not None:
        if context.obj is not None or check:
            raise FsdpSymError("--book makes the book of this package, from nothing: leave out --course and --check")
        return _book(place, book, context)
    from ..publishing import build as builder
    from ..publishing.kernel import BuildRefused

    try:
        with progress() as say:
            found = (builder.check if check else builder.build)(place, say, context.obj)
    except BuildRefused as refused:
        return complain(str(refused), NO)
    for line in found:
        print(line if context.obj is None else f"{place}/{line}")
    if check:
        what = "notebooks/ and exercises/ are" if context.obj is None else f"{place}/ is"
        print(f"{len(found)} to build anew: run fsdp-sym build" if found else f"{what} what the lessons make")
        return NO if found else DONE
    print(f"{len(found)} written" if found else "nothing changed")
    return DONE


def _book(checkout: Path, to: str, context: typer.Context) -> int:
    from ..publishing.book.site import build_book
    from ..publishing.kernel import BuildRefused

    if not to.strip():
        raise FsdpSymError("--book needs a folder with a name, such as site")
    try:
        with progress() as say:
            made = build_book(checkout, Path(to), context.find_root().command, say)
    except BuildRefused as refused:
        return complain(str(refused), NO)
    print(f"{made} pages: open {Path(to) / 'index.html'}")
    return DONE


def _place(course: Course | None, to: str | None) -> Path:
    """Where the notebooks go."""
    if course is None:
        if to is not None:
            raise FsdpSymError(f"--to {to} is for the notebooks of a course: write fsdp-sym --course DIR build --to {to}")
        if not Path("fsdp_sym").is_dir():
            raise FsdpSymError(f"{Path.cwd()} is no checkout, whose notebooks are built: run this in the folder that holds fsdp_sym/")
        return Path()
    if not course.lessons:
        raise FsdpSymError(f"{course.folder} has no lesson to make a notebook of: write one in its lessons.py")
    if to is not None and not to.strip():
        raise FsdpSymError("--to needs a folder with a name, or a dot for the one you are in")
    return course.folder / _NOTEBOOKS if to is None else Path(to)


@commands.command(epilog=examples("fsdp-sym learn", "fsdp-sym learn my-lessons --no-browser"))
def learn(
    directory: Annotated[str, typer.Argument(metavar="DIR", help="Where your copies live.")] = "fsdp_sym-lessons",
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Hand the lessons out, and do not start Jupyter.")] = False,
) -> int:
    """Hand out the lessons and their practice, and open them in Jupyter where you left off. What you edited is never overwritten."""
    from ..publishing import learn as handing_out

    if not directory.strip():
        raise FsdpSymError("learn needs a folder with a name: fsdp-sym learn my-lessons, or a dot for the one you are in")
    folder = Path(directory)
    with progress() as say:
        say("preparing the lessons")
        handout = handing_out.hand_out(folder, handing_out.editions())
    print("\n".join([*handout.lines, *filter(None, [handing_out.due(folder)])]))
    print(f"To open it by hand: {handing_out.by_hand(handout.opens)}")
    sys.stdout.flush()
    if no_browser:
        return DONE
    if not handing_out.has_jupyter():
        return complain("Jupyter Lab is not installed beside fsdp_sym, so the lessons are not opened: pip install 'fsdp_sym[lab]'", NO)
    ended = handing_out.open_in_jupyter(handout.opens)
    if ended:
        return complain(f"Jupyter Lab ended with exit code {ended}: what it printed above says why", NO)
    print(f"Jupyter has stopped; your work is in {folder}")
    return DONE

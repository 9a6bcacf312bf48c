"""The command line: parse, call, print, exit.

Exit codes: 0 done, 1 the answer is no (a check failed, nothing fits), 2 the request is wrong. An error is one line on stderr.
A module holds a group of commands, as ``commands``. The mathematics is imported inside them, so that ``--help`` does not wait for it.
"""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, Any

import typer

from .. import __version__
from ..algebra.errors import FsdpSymError, disk_remedy
from . import accounts, classroom, exports, formulas, grading, lessons, measuring, planning, practice, sweeping
from .options import Course, examples, of_an_open_course, open_for_this_command
from .show import DONE, NO, WRONG, complain

__all__ = ["DONE", "NO", "WRONG", "app", "main"]

_BUG, _INTERRUPTED, _PIPE_CLOSED = 70, 130, 141
_WRITTEN = ("formulas", "scenarios", "teaching", "figures")  # wings that grow by files
# What parsing raises, by whichever name this typer carries it.
_UsageError: Any = typer.BadParameter.__base__

app = typer.Typer(
    add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False, context_settings={"help_option_names": ["-h", "--help"]}
)


@app.callback(invoke_without_command=True, epilog=examples("fsdp-sym learn", "fsdp-sym explain D --set N=8"))
def overview(
    context: typer.Context,
    course: Course = None,
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
) -> int:
    """The arithmetic of sharded training: checked formulas, worked scenarios, and the lessons made of them.

    Exit codes: 0 done; 1 the answer is no (a check failed, nothing fits); 2 the request is wrong.
    """
    if version:
        print(f"fsdp-sym {__version__}")
        raise typer.Exit
    if course is not None:
        context.obj = open_for_this_command(course)
    if context.invoked_subcommand is None:
        print(context.get_help())
    return DONE


app.add_typer(formulas.commands)
app.add_typer(sweeping.commands)
app.add_typer(planning.commands)
app.add_typer(accounts.commands)
app.add_typer(measuring.commands)
app.add_typer(practice.commands)
app.add_typer(lessons.commands)
app.add_typer(classroom.commands)
app.add_typer(grading.commands)
app.add_typer(exports.commands)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code; nothing is raised."""
    # Python has none where it was closed before the start; the exit code still answers.
    sys.stdout, sys.stderr = (stream or open(os.devnull, "w") for stream in (sys.stdout, sys.stderr))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that knows no ⌈ ⌉ still gets the rest of the line
    try:
        code = _run(sys.argv[1:] if argv is None else list(argv))
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return complain("stopped", _INTERRUPTED)
    except BrokenPipeError:
        _forget_output()
        return _PIPE_CLOSED
    except OSError as error:
        _forget_output()
        return complain(f"{error.filename or 'the output'}: {error.strerror or error}: {disk_remedy(error)}", WRONG)


def _run(argv: list[str]) -> int:
    try:
        command = typer.main.get_command(app)
        with command.make_context("fsdp-sym", argv) as context:
            return int(command.invoke(context))
    except typer.Exit as done:
        return done.exit_code
    except FsdpSymError as error:
        return complain(str(error), WRONG)
    except _UsageError as error:
        at = error.ctx.command_path if error.ctx else "fsdp-sym"
        said = error.format_message().rstrip(".").replace("Value error, ", "")
        return complain(f"{said}: see {at} --help", WRONG)
    except OSError:
        raise
    except Exception as error:
        if place := _written_at(error):
            return complain(f"{place}: {type(error).__name__}: {getattr(error, 'msg', error)}: mend the file and run this again", WRONG)
        return complain(f"a fault of fsdp-sym, not yours: {type(error).__name__} {error}: please report it with the command", _BUG)


def _written_at(error: Exception) -> str | None:
    """The file and line of a lesson, formula or the like that could not even be imported: whoever writes one meets this first.

    Of a course's own rows it is told wherever they fail, for their rivals and counts are run later.
    """
    trace = traceback.extract_tb(error.__traceback__)
    frames = [(f.filename, f.lineno) for f in trace if f.name == "<module>" or of_an_open_course(f.filename)]
    if isinstance(error, SyntaxError) and error.filename:
        frames.append((error.filename, error.lineno))
    file, line = frames[-1] if frames else ("", None)
    wings = [str(Path(__file__).parents[1] / wing) + os.sep for wing in _WRITTEN]
    return f"{file}, line {line}" if file.startswith(tuple(wings)) or of_an_open_course(file) else None


def _forget_output() -> None:
    """Nothing more can be written: keep the interpreter from trying at its end."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

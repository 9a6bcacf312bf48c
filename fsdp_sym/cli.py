"""The command line: parse, call, print, exit.

Exit codes: 0 done, 1 the answer is no (a check failed, nothing fits), 2 the request is wrong. An error is one line on stderr.
The mathematics is imported inside the commands, so that ``--help`` does not wait for it.
"""

from __future__ import annotations

import json
import os
import sys
import textwrap
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from enum import StrEnum
from io import TextIOWrapper
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Annotated, Any

import typer

from . import __version__
from .algebra.errors import FsdpSymError, disk_remedy

if TYPE_CHECKING:
    from .algebra.formula import Formula

DONE, NO, WRONG = 0, 1, 2
_BUG, _INTERRUPTED, _PIPE_CLOSED = 70, 130, 141
_NOTEBOOKS = Path("notebooks")
_DEGREES = ["N_d", "N_p", "N_t"]
_WRITTEN = ("formulas", "scenarios", "teaching", "figures")  # wings that grow by files

# What parsing raises, by whichever name this typer carries it.
_UsageError: Any = typer.BadParameter.__base__

app = typer.Typer(
    add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False, context_settings={"help_option_names": ["-h", "--help"]}
)


class Kind(StrEnum):
    """What can be listed."""

    CELLS = "cells"
    LESSONS = "lessons"
    FORMULAS = "formulas"
    LETTERS = "letters"
    MODELS = "models"
    MACHINES = "machines"
    PLANS = "plans"


_SET_HELP = "A letter's value as people write it: N=8, P=7B, S='80 GB', N=oo. Repeat it for more letters."
Set = Annotated[list[str], typer.Option("--set", metavar="NAME=VALUE", default_factory=list, show_default=False, help=_SET_HELP)]
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON: exact value, base unit, nearest float.")]
JsonTable = Annotated[bool, typer.Option("--json", help="Print the table as JSON, a record for each row.")]
CellOption = Annotated[str | None, typer.Option("--cell", metavar="CELL", help="Start from a cell's values, A to H; --set changes them.")]
FormulaName = Annotated[str, typer.Argument(metavar="FORMULA", help="A formula's name: fsdp-sym list formulas.", show_default=False)]
UnitOption = Annotated[str | None, typer.Option("--unit", metavar="UNIT", help="Show the result in this unit, such as GiB.")]
Digits = Annotated[int | None, typer.Option(min=1, max=50, help="Round to so many significant digits, marked by ≈; exact without it.")]
Equals = Annotated[str | None, typer.Option(metavar="AMOUNT", help="The formula gives exactly this; yes or no for a comparison.")]
AtMost = Annotated[str | None, typer.Option(metavar="AMOUNT", help="The formula gives this or less.")]
AtLeast = Annotated[str | None, typer.Option(metavar="AMOUNT", help="The formula gives this or more.")]
_FOR_HELP = "The letter asked for; N_d,N_p,N_t lists every split of world_size."


def _examples(*lines: str) -> str:
    return "\n".join(["\b", "For example:", *(f"  {line}" for line in lines)])


@app.callback(invoke_without_command=True, epilog=_examples("fsdp-sym learn", "fsdp-sym explain D --set N=8"))
def overview(
    context: typer.Context, version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False
) -> int:
    """The arithmetic of sharded training: checked formulas, worked scenarios, and the lessons made of them.

    Exit codes: 0 done; 1 the answer is no (a check failed, nothing fits); 2 the request is wrong.
    """
    if version:
        print(f"fsdp-sym {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        print(context.get_help())
    return DONE


@app.command("list", epilog=_examples("fsdp-sym list", "fsdp-sym list formulas"))
def list_(
    kind: Annotated[Kind | None, typer.Argument(help="One kind only.", show_default=False)] = None, as_json: JsonTable = False
) -> int:
    """Show the cells, lessons, formulas and letters there are."""
    kinds = list(Kind) if kind is None else [kind]
    found = {str(k): list(_listed(k)) for k in kinds}
    if as_json:
        return _print_json(found)
    for at, rows in enumerate(found.values()):
        if at:
            print()
        _print_table([list(rows[0]), *(list(row.values()) for row in rows)])
    return DONE


def _listed(kind: Kind) -> Iterator[dict[str, str]]:
    from .algebra.vocabulary import LETTERS
    from .reasoning.catalogue import formulas
    from .scenarios.cells import CELLS
    from .scenarios.machines import MACHINES
    from .scenarios.models import MODELS
    from .scenarios.plans import PLANS
    from .teaching.lessons import LESSONS

    match kind:
        case Kind.CELLS:
            yield from ({"cell": cell.id, "title": cell.title, "question": cell.question} for cell in CELLS.values())
        case Kind.LESSONS:
            yield from ({"lesson": lesson.id, "title": lesson.title} for lesson in LESSONS.values())
        case Kind.FORMULAS:
            yield from ({"formula": f.id, "topic": f.topic, "title": f.title} for f in formulas().values())
        case Kind.LETTERS:
            for entry in LETTERS.values():
                yield {"letter": entry.name, "range": entry.range_text, "typed": entry.typed, "what it is": entry.says}
        case Kind.MODELS | Kind.MACHINES | Kind.PLANS:
            rows = {Kind.MODELS: MODELS, Kind.MACHINES: MACHINES, Kind.PLANS: PLANS}[kind]
            for row in rows.values():
                values = ", ".join(f"{s.name}={amount}" for s, amount in row.values.items() if amount.value != 0)
                yield {kind.value[:-1]: row.name, "values": values, "source": row.source}


@app.command(epilog=_examples("fsdp-sym explain D --set N=8", "fsdp-sym explain all_gather --set S='700 MB' --set N=4"))
def explain(
    name: Annotated[str, typer.Argument(metavar="CELL|FORMULA", help="A cell's letter or a formula's name.", show_default=False)],
    settings: Set, as_json: Json = False,
) -> int:
    """Show a derivation and its numbers. For a cell: its question, conventions and givens, and all its lesson works.

    A letter that --set changes wins over the cell, and everything is derived and worked again.
    """
    from .publishing.explanation import explained

    found = explained(name, _read_settings(settings))
    if as_json:
        return _print_json(found.record)
    print(found.text)
    return DONE


@app.command(
    epilog=_examples(
        "fsdp-sym evaluate all_gather --set S='700 MB' --set N=4 --unit MiB --digits 4",
        "fsdp-sym evaluate all_gather --cell D --set N=oo",
    )
)
def evaluate(
    formula: FormulaName, settings: Set, cell: CellOption = None, unit: UnitOption = None, digits: Digits = None, as_json: Json = False
) -> int:
    """Give a formula numbers. The result is exact; where a hypothesis fails both readings are said."""
    from .algebra.units import unit_size
    from .publishing.explanation import violated_text
    from .publishing.record import worked_record
    from .reasoning.catalogue import formula as formula_named
    from .reasoning.work import show_result, work

    chosen = formula_named(formula)
    worked = work(cell or {}, chosen, **_settings_of(chosen, settings))
    if unit is not None:
        unit_size(unit)
        if isinstance(worked.value, bool):
            raise FsdpSymError(f"{chosen.id} answers yes or no: it has no unit, drop --unit {unit}")
    if as_json:
        return _print_json(worked_record(worked, unit, digits))
    print("\n".join([show_result(worked.value, unit, digits), *violated_text(worked, unit, digits)]))
    return DONE


@app.command(
    epilog=_examples(
        "fsdp-sym solve sharded_state --cell B --for N --at-most '2 GB'",
        "fsdp-sym solve world_size --for N_d,N_p,N_t --equals 1024 --set N_p=4 --set N_t_at_most=8",
    )
)
def solve(
    formula: FormulaName, settings: Set,
    unknown: Annotated[str, typer.Option("--for", metavar="NAME", help=_FOR_HELP)],
    cell: CellOption = None, equals: Equals = None, at_most: AtMost = None, at_least: AtLeast = None, as_json: Json = False,
) -> int:
    """Find the letter that makes a formula fit. With a bound it is the extreme one that meets it; exit 1 where there is none.

    With --for N_d,N_p,N_t every ordered split of a GPU count is listed; --set N_p=4 then fixes a degree and --set N_t_at_most=8 bounds one.
    """
    from .publishing.record import solution_record
    from .reasoning.catalogue import formula as formula_named
    from .reasoning.solve import solve as solve_formula
    from .reasoning.work import work

    chosen = formula_named(formula)
    if sum(target is not None for target in (equals, at_most, at_least)) != 1:
        raise FsdpSymError(f"{chosen.id} needs exactly one target: --equals, --at-most or --at-least")
    if "," in unknown:
        if chosen.id != "world_size" or unknown.replace(" ", "").split(",") != _DEGREES:
            raise FsdpSymError(f"--for {unknown} asks for several letters: only world_size has them, as --for {','.join(_DEGREES)}")
        if cell is not None or equals is None:
            raise FsdpSymError(f"--for {unknown} lists splits: it takes --equals and --set, not --cell, --at-most or --at-least")
        return _print_splits(equals, _read_settings(settings), as_json)
    values = _settings_of(chosen, settings)
    if unknown in values:
        raise FsdpSymError(f"{unknown} is what --for asks: drop --set {unknown}={values[unknown]}, or ask for another letter")
    found = solve_formula(cell or {}, chosen, unknown, equals=equals, at_most=at_most, at_least=at_least, **values)
    checked = None if found.value is None else work(cell or {}, chosen, **values, **{unknown: found.value})
    if as_json:
        _print_json(solution_record(found, checked))
    elif found.value is None:
        print(f"{found.shown()}: {found.reason}")
    else:
        print(f"{unknown} = {found.shown()}\n{found.reason}")
    return NO if found.never else DONE


def _print_splits(total: str, settings: dict[str, str], as_json: bool) -> int:
    from .reasoning.solve import splits

    found = splits(total, **settings)
    shown = f"{len(found)} ordered split{'' if len(found) == 1 else 's'}" if found else "never"
    if as_json:
        rows = [dict(zip(_DEGREES, split, strict=True)) for split in found]
        _print_json({"formula": "world_size", "for": _DEGREES, "value": rows or None, "shown": shown, "violated": []})
    elif found:
        _print_table([_DEGREES, *([str(degree) for degree in split] for split in found)])
        print(shown)
    else:
        print(f"never: no split of {total} meets {' and '.join(f'{k}={v}' for k, v in settings.items())}")
    return DONE if found else NO


@app.command(epilog=_examples("fsdp-sym drill D", "fsdp-sym drill D --seed 3 --answer '525 MB'"))
def drill(
    cell: Annotated[str | None, typer.Argument(metavar="CELL", help="A cell, A to H; all in turn without it.", show_default=False)] = None,
    seed: Annotated[int | None, typer.Option(help="The variant; without it what is due, else the next.")] = None,
    answer: Annotated[str | None, typer.Option(metavar="TEXT", help="Judge this answer and keep it in the folder's progress.")] = None,
    as_json: Json = False,
) -> int:
    """Pose a question, or judge an answer to it.

    The numbers belong to the seed. A wrong answer is told the thought that leads to it; exit 1 where an answer is not right.
    """
    from .teaching.practice import practice

    posed = practice(cell, seed)
    if answer is None:
        if as_json:
            return _print_json({"question": posed.question, "seed": posed.seed, "prompt": posed.prompt, "givens": dict(posed.givens)})
        print(f"{posed}\nAnswer with: fsdp-sym drill {posed.cell} --seed {posed.seed} --answer '...'")
        return DONE
    judged = posed.judge(answer)
    if as_json:
        record = {"verdict": judged.verdict, "echo": judged.echo, "diagnosis": sorted(judged.diagnosis), "says": list(judged.says)}
        _print_json({"question": posed.question, "seed": posed.seed} | record)
    else:
        print(posed.told(judged))
    return DONE if judged.verdict == "right" else NO


@app.command(epilog=_examples("fsdp-sym progress", "fsdp-sym progress --json"))
def progress(as_json: JsonTable = False) -> int:
    """Show what was tried in this folder.

    Each question's answers, how many were right, and what the last one was taken for.
    """
    from .teaching.progress import load

    kept = load(Path())
    rows = kept.table()
    if as_json:
        return _print_json(rows)
    if not rows:
        print("nothing was tried in this folder: begin with fsdp-sym drill")
        return DONE
    _print_table([list(rows[0]), *(list(row.values()) for row in rows)])
    if due := kept.due():
        print(f"due again: {due}")
    return DONE


@app.command(epilog=_examples("fsdp-sym audit"))
def audit(as_json: JsonTable = False) -> int:
    """Check every formula. Its steps, their dimensions, its count and what was published; exit 1 unless all hold."""
    from .reasoning.audit import audit as audit_all

    findings = audit_all()
    if as_json:
        _print_json(
            [
                {
                    "formula": f.formula.id, "status": f.status, "steps": [v.kind for v in f.steps], "counted": f.counted,
                    "published": f.published, "problems": list(f.problems),
                }
                for f in findings
            ]
        )  # fmt: skip
    else:
        rows = [[f.formula.id, f.status, str(len(f.steps)), str(f.counted), str(f.published)] for f in findings]
        _print_table([["formula", "verdict", "steps", "points counted", "known values"], *rows])
        for problem in (p for f in findings for p in f.problems):
            print(problem)
        print(f"{sum(f.ok for f in findings)} of {len(findings)} formulas hold")
    return DONE if all(f.ok for f in findings) else NO


@app.command(epilog=_examples("fsdp-sym build", "fsdp-sym build --check"))
def build(check: Annotated[bool, typer.Option("--check", help="Write nothing; exit 1 where a file would change.")] = False) -> int:
    """Make the notebooks of a checkout. They come from the lessons, are executed, and are confirmed by counting."""
    if not Path("fsdp_sym").is_dir():
        raise FsdpSymError(f"{Path.cwd()} is no checkout, whose {_NOTEBOOKS}/ is built: run this in the folder that holds fsdp_sym/")
    from .publishing import build as builder

    try:
        with _progress() as progress:
            found = builder.check(_NOTEBOOKS, progress) if check else builder.build(_NOTEBOOKS, progress)
    except builder.BuildRefused as refused:
        return _complain(str(refused), NO)
    for line in found:
        print(f"{_NOTEBOOKS}/{line}")
    if check:
        print(f"{len(found)} to build anew: run fsdp-sym build" if found else f"{_NOTEBOOKS}/ is what the lessons make")
        return NO if found else DONE
    print(f"{len(found)} written" if found else "nothing changed")
    return DONE


@app.command(epilog=_examples("fsdp-sym learn", "fsdp-sym learn my-lessons --no-browser"))
def learn(
    directory: Annotated[str, typer.Argument(metavar="DIR", help="Where your copies live.")] = "fsdp_sym-lessons",
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Hand the lessons out, and do not start Jupyter.")] = False,
) -> int:
    """Hand out the lessons and open them in Jupyter. What you edited is never overwritten."""
    from .publishing import learn as handing_out

    if not directory.strip():
        raise FsdpSymError("learn needs a folder with a name: fsdp-sym learn my-lessons, or a dot for the one you are in")
    folder = Path(directory)
    with _progress() as progress:
        progress("preparing the lessons")
        handout = handing_out.hand_out(folder, handing_out.editions())
    print("\n".join(handout.lines))
    print(f"To open it by hand: {handing_out.by_hand(handout.opens)}")
    sys.stdout.flush()
    if no_browser:
        return DONE
    if not handing_out.has_jupyter():
        return _complain("Jupyter Lab is not installed beside fsdp_sym, so the lessons are not opened: pip install 'fsdp_sym[lab]'", NO)
    ended = handing_out.open_in_jupyter(handout.opens)
    if ended:
        return _complain(f"Jupyter Lab ended with exit code {ended}: what it printed above says why", NO)
    print(f"Jupyter has stopped; your work is in {folder}")
    return DONE


# Reading what was typed.


def _read_settings(pairs: Sequence[str]) -> dict[str, str]:
    """``["N=8", "S=80 GB"]`` as a dictionary; nothing twice, nothing empty."""
    read: dict[str, str] = {}
    for pair in pairs:
        name, _, value = (part.strip() for part in pair.partition("="))
        if not name or not value:
            raise FsdpSymError(f"--set {pair!r} gives no letter a value: write it like --set N=8")
        if name in read:
            raise FsdpSymError(f"--set gives {name} twice, as {read[name]} and as {value}: give it once")
        read[name] = value
    return read


def _settings_of(formula: Formula, pairs: Sequence[str]) -> dict[str, str]:
    """The settings, all of which the formula must use."""
    from .publishing.explanation import letters_of, refuse_unused

    settings = _read_settings(pairs)
    refuse_unused(settings, formula.id, letters_of(formula))
    return settings


# Printing.


def _print_json(record: Any) -> int:
    print(json.dumps(record, indent=2, allow_nan=False))
    return DONE


def _print_table(rows: Sequence[Sequence[str]]) -> None:
    """Columns two spaces apart; on a terminal the last one is wrapped to its width, in a pipe a row is a line."""
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]) - 1)]
    margin = sum(width + 2 for width in widths)
    room = max(20, get_terminal_size().columns - margin) if sys.stdout.isatty() else None
    for *cells, last in rows:
        head = "".join(f"{cell:<{width}}  " for cell, width in zip(cells, widths, strict=True))
        lines = textwrap.wrap(last, room) if room else [last]
        print(head + f"\n{' ' * margin}".join(lines))


@contextmanager
def _progress() -> Iterator[Callable[[str], None]]:
    """A line that tells what is being done, on a terminal alone."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console

    with Console(stderr=True).status("starting") as status:
        yield status.update


def _complain(line: str, code: int) -> int:
    """One line on stderr, whatever was in the message."""
    said = "".join(c if c.isprintable() else "?" for c in " ".join(line.split()))
    with suppress(OSError):
        print(f"fsdp-sym: {said}", file=sys.stderr)
    return code


# Running: every way to fail becomes one line and an exit code.


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
        return _complain("stopped", _INTERRUPTED)
    except BrokenPipeError:
        _forget_output()
        return _PIPE_CLOSED
    except OSError as error:
        _forget_output()
        return _complain(f"{error.filename or 'the output'}: {error.strerror or error}: {disk_remedy(error)}", WRONG)


def _run(argv: list[str]) -> int:
    try:
        command = typer.main.get_command(app)
        with command.make_context("fsdp-sym", argv) as context:
            return int(command.invoke(context))
    except typer.Exit as done:
        return done.exit_code
    except FsdpSymError as error:
        return _complain(str(error), WRONG)
    except _UsageError as error:
        at = error.ctx.command_path if error.ctx else "fsdp-sym"
        said = error.format_message().rstrip(".").replace("Value error, ", "")
        return _complain(f"{said}: see {at} --help", WRONG)
    except OSError:
        raise
    except Exception as error:
        if place := _written_at(error):
            return _complain(f"{place}: {type(error).__name__}: {getattr(error, 'msg', error)}: mend the file and run this again", WRONG)
        return _complain(f"a fault of fsdp-sym, not yours: {type(error).__name__} {error}: please report it with the command", _BUG)


def _written_at(error: Exception) -> str | None:
    """The file and line of a lesson, formula or the like that could not even be imported: whoever writes one meets this first."""
    frames = [(f.filename, f.lineno) for f in traceback.extract_tb(error.__traceback__) if f.name == "<module>"]
    if isinstance(error, SyntaxError) and error.filename:
        frames.append((error.filename, error.lineno))
    file, line = frames[-1] if frames else ("", None)
    wings = [str(Path(__file__).parent / wing) + os.sep for wing in _WRITTEN]
    return f"{file}, line {line}" if file.startswith(tuple(wings)) else None


def _forget_output() -> None:
    """Nothing more can be written: keep the interpreter from trying at its end."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

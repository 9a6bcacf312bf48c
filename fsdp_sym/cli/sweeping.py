"""A formula over many points, and the best of many choices: sweep, choose."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..algebra.errors import FsdpSymError
from .cluster import Scheduler, cluster
from .options import CellOption, FormulaName, JsonTable, Set, examples, read_settings, settings_of
from .show import DONE, NO, print_json, print_lines, print_table, progress

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from ..publishing.sweeping import PublishedSweep

commands = typer.Typer()

_MOST_PRINTED = 200
_MOST_VALUES = 10_000_000
_WHOLE = re.compile(r"(\d+)(?:e(\d+))?")
_MOST_DIGITS = 30
_RANGE = re.compile(r"(.*?)\.\.([^*+]*)(?:([*+])(.*))?")
_OVER_HELP = (
    "A letter and its values: N=1..64, N=8..1024*2 (doubling), P=1e9..64e9+1e9 (in steps), S='1 GB,10 GB'. Repeat it; every combination "
    "is a point."
)
Over = Annotated[list[str], typer.Option("--over", metavar="NAME=VALUES", default_factory=list, show_default=False, help=_OVER_HELP)]

_SUCH_THAT = "'sharded_state <= 10 GB', 'N_t divides a', tensor_group_fits_node. Repeat it for more."
_FEWEST = "fsdp-sym choose --cell B --over N=1..1024 --smallest N --such-that 'sharded_state <= 10 GB'"
_SPLIT = (
    "fsdp-sym choose --over N_d=1..64 --over N_t=1..16*2 --over N_p=1..64 --largest N_t "
    "--such-that 'world_size = 1024' --such-that tensor_group_fits_node --set n_node=8"
)
SuchThat = Annotated[
    list[str], typer.Option("--such-that", metavar="CONDITION", default_factory=list, show_default=False, help=_SUCH_THAT)
]
_BEST = "fsdp-sym sweep sharded_state --cell B --over N=1..1024 --over P=1e9,7e9,70e9 --best 5"


@commands.command(epilog=examples("fsdp-sym sweep all_gather --over N=2..256*2 --set S='1 GB'", _BEST))
def sweep(
    formula: FormulaName, over: Over, settings: Set, cell: CellOption = None,
    best: Annotated[int | None, typer.Option(min=1, metavar="COUNT", help="Only the points with the smallest values.")] = None,
    largest: Annotated[bool, typer.Option("--largest", help="With --best: those with the largest.")] = False,
    csv: Annotated[Path | None, typer.Option(metavar="FILE", help="Write every point as CSV, however many there are.")] = None,
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw it, as .svg or .png.")] = None,
    floats: Annotated[bool, typer.Option("--floats", help="Let whole numbers be rounded, where 64 bits do not hold them.")] = False,
    jobs: Annotated[int, typer.Option(min=1, help="With --best: how many processes work on it.")] = 1,
    scheduler: Scheduler = None,
    as_json: JsonTable = False,
) -> int:  # fmt: skip
    """Work a formula over many points: a table, the best of them, a file, or a picture. Values are in base units.

    Whole numbers stay exact, and what 64 bits do not hold is refused. Points outside the formula's range are left out.
    """
    from ..publishing.sweeping import published_sweep
    from ..reasoning.catalogue import formula as formula_named

    chosen = formula_named(formula)
    if scheduler is not None and best is None:
        raise FsdpSymError("--scheduler sends the search for the best to a cluster: give --best COUNT too")
    if largest and best is None:
        raise FsdpSymError("--largest says which are the best: give --best COUNT too")
    if plot is not None and plot.suffix not in (".svg", ".png"):
        raise FsdpSymError(f"--plot {plot} is neither .svg nor .png: name it so")
    if csv is not None and csv == plot:
        raise FsdpSymError(f"{csv} cannot be both: give --csv and --plot a file each")
    values: dict[str, Any] = dict(settings_of(chosen, settings))
    made = published_sweep(chosen, _over(over), cell, floats=floats, **values)
    made.refuse_empty()
    if csv is not None:
        with progress() as told:
            told(f"{len(made):,} points")
            _written(csv, made.to_csv)
    if plot is not None:
        _written(plot, made.to_picture)
    if best is not None:
        with _workers(jobs, scheduler) as executor, progress() as told:
            told(f"{len(made):,} points")
            return _print(made, made.best(best, largest, executor), as_json)
    if csv is not None or plot is not None:
        return DONE
    if len(made) > _MOST_PRINTED and not as_json:
        raise FsdpSymError(f"{len(made):,} points are too many to print: ask for the best with --best 10, or write them with --csv FILE")
    return _print(made, made.table(), as_json)


@commands.command(epilog=examples(_FEWEST, _SPLIT))
def choose(
    over: Over, settings: Set, such_that: SuchThat, cell: CellOption = None,
    smallest: Annotated[str | None, typer.Option(metavar="NAME", help="The letter or formula to make small.")] = None,
    largest: Annotated[str | None, typer.Option(metavar="NAME", help="The letter or formula to make large.")] = None,
    as_json: JsonTable = False,
) -> int:  # fmt: skip
    """Find the best of many choices under conditions, and say which condition binds. Exit 1 where none meets them all.

    A condition compares a formula or a letter with a value or another (<=, >=, =), says that one divides another, or is a formula
    that answers yes or no. It binds where a better choice would do without it.
    """
    from ..publishing.record import choice_record
    from ..reasoning.sweeps.choose import choose as choose_best

    found = choose_best(
        _over(over), cell, smallest=smallest, largest=largest, such_that=such_that, **read_settings(settings)
    )  # fmt: skip
    if as_json:
        print_json(choice_record(found))
    else:
        print(found.text)
    return DONE if found.best is not None else NO


def _values(pair: str) -> tuple[str, object]:
    name, _, text = (part.strip() for part in pair.partition("="))
    if not name or not text:
        raise FsdpSymError(f"--over {pair!r} gives no letter values: write it like --over N=1..64")
    found = _RANGE.fullmatch(text)
    if found is None:
        return name, [part.strip() for part in text.split(",")]
    first, last = _whole(found[1], "first value", pair), _whole(found[2], "last value", pair)
    step = 1 if found[3] is None else _whole(found[4], "factor" if found[3] == "*" else "step", pair)
    if found[3] == "*":
        if first < 1 or step < 2:
            raise FsdpSymError(f"--over {pair} grows by no factor: start at 1 or more, and multiply by 2 or more, like --over N=8..1024*2")
        return name, list(_growing(first, last, step))
    if not step:
        raise FsdpSymError(f"--over {pair} goes on by no step: write it like --over N=8..1024+8")
    count = max(0, (last - first) // step + 1)
    if not 0 < count <= _MOST_VALUES:
        raise FsdpSymError(f"--over {pair[:60]} has {count:,} values: give from one to {_MOST_VALUES:,}")
    return name, range(first, last + 1, step)


def _whole(text: str, part: str, pair: str) -> int:
    """A whole number of a range, perhaps with zeros by their number."""
    found = _WHOLE.fullmatch(text)
    if found is None:
        raise FsdpSymError(
            f"--over {pair[:60]} has {text[:20]!r} as its {part}: give a whole number in base units, like N=8..64+8 or W=10e9..90e9+1e9"
        )
    digits, zeros = found[1], found[2] or "0"
    if len(digits) > _MOST_DIGITS or len(zeros) > 2:
        raise FsdpSymError(f"--over {pair[:60]} has {text[:20]} as its {part}, which is too large: give a number that 64 bits hold")
    return int(digits + int(zeros) * "0")


def _over(pairs: Sequence[str]) -> dict[str, object]:
    """Every letter with its values, none twice."""
    read: dict[str, object] = {}
    for name, values in map(_values, pairs):
        if name in read:
            raise FsdpSymError(f"--over gives {name} twice: give all of its values at once, such as {name}=1,2,8")
        read[name] = values
    return read


def _growing(first: int, last: int, factor: int) -> Iterator[int]:
    while first <= last:
        yield first
        first *= factor


def _written(place: Path, write: Callable[[Path], Path]) -> None:
    try:
        print_lines([str(write(place))])
    except OSError as error:
        raise FsdpSymError(f"{place} cannot be written: {error.strerror}: name another one") from None


@contextmanager
def _workers(jobs: int, scheduler: str | None) -> Iterator[Executor | None]:
    """Processes of this machine, or a Dask cluster."""
    from ..teaching.classroom.jobs import processes

    if scheduler is None:
        with processes(min(jobs, os.cpu_count() or 1)) as executor:
            yield executor
    else:
        with cluster(scheduler) as (executor, _):
            yield executor


def _print(made: PublishedSweep, rows: Any, as_json: bool) -> int:
    from ..algebra.vocabulary import letter

    if as_json:
        return print_json([dict(zip(rows.dtype.names, map(_finite, row), strict=True)) for row in rows.tolist()])
    names = letter(made.formula.defines)
    print_table([made.headers, *([*map(_text, at), _text(value, names.named(value))] for *at, value in rows.tolist())])
    return DONE


def _finite(value: float) -> float | None:
    """JSON has no word for infinity."""
    return value if isfinite(value) else None


def _text(value: float, name: str = "") -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if name:
        return f"{value:,.0f} ({name})"
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:,.10g}" if isfinite(value) else "∞" if value > 0 else "-"

"""What real runs say: measure, and record what was measured."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..algebra.errors import FsdpSymError
from .options import JsonTable, examples
from .show import DONE, NO, print_json, print_table, progress

if TYPE_CHECKING:
    from ..measure.reading import Reading

commands = typer.Typer()

_EXAMPLES = ("fsdp-sym measure --only persistent,collectives", "fsdp-sym measure --config config.json --gpus 64")
_ONLY = "Groups, between commas: persistent, peaks, wire, counts, collectives, activations, parallel, optimizer."


@commands.command(epilog=examples(*_EXAMPLES))
def measure(
    only: Annotated[str | None, typer.Option(metavar="GROUPS", help=_ONLY, show_default=False)] = None,
    config: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A Hugging Face config.json of your own, in place of the groups.")
    ] = None,
    gpus: Annotated[int | None, typer.Option(help="With --config: the GPUs that share the model.", show_default=False)] = None,
    record: Annotated[bool, typer.Option("--record", help="Write what was measured over what was recorded, and say what changed.")] = False,
    as_json: JsonTable = False,
) -> int:
    """Run the real thing on this machine, predicted beside measured.

    Exit 1 where a prediction is off or a measurement is not what was recorded. It takes about a minute on two cores and needs
    PyTorch: pip install torch==2.13.0, then 'fsdp_sym[verify]'.
    """
    from ..measure.run import record as write

    if (config is None) != (gpus is None):
        raise FsdpSymError("measure takes --config and --gpus together: fsdp-sym measure --config config.json --gpus 64")
    if config is not None and (only is not None or record):
        raise FsdpSymError("a configuration of your own is measured alone: drop --only and --record, or --config")
    found = _of_groups(only) if config is None or gpus is None else _of_config(config, gpus)
    changes = write(found) if record else [_changed(one) for one in found if one.changed]
    if as_json:
        print_json([_record(one) for one in found])
    else:
        for group, readings in groupby(found, lambda one: one.group):
            print_table([["", "predicted", "measured", "difference", f"of {group}" if group else "of what"], *map(_row, readings)])
            print()
        for line in changes:
            print(f"changed: {line}")
        print(f"{sum(one.ok for one in found)} of {len(found)} predictions hold")
    return NO if not all(one.ok for one in found) or (changes and not record) else DONE


def _of_groups(only: str | None) -> list[Reading]:
    from ..measure.run import chosen, measure

    groups = chosen(only)
    with progress() as say:
        return list(measure(groups, say))


def _of_config(config: Path, gpus: int) -> list[Reading]:
    from ..measure.run import torch_version

    if gpus < 1:
        raise FsdpSymError(f"--gpus {gpus} shares the model among nobody: give at least 1")
    torch_version()
    from ..measure.own import readings
    from ..measure.worlds import quietly

    with progress() as say, quietly():
        say(f"measuring {config}")
        return list(readings(config, gpus))


def _changed(one: Reading) -> str:
    return f"{one.id}: {one.recorded} was recorded, {one.measured} is measured: look why, then fsdp-sym measure --record"


def _row(one: Reading) -> Sequence[str]:
    return ["" if one.ok else "✗", _number(one.predicted), _number(one.measured), one.difference, one.what]


def _number(value: Fraction) -> str:
    return f"{int(value):,}" if value.denominator == 1 else f"{float(value):,.2f}"


def _record(one: Reading) -> dict[str, Any]:
    return {
        "id": one.id or None, "what": one.what, "predicted": str(one.predicted), "measured": str(one.measured),
        "recorded": None if one.recorded is None else str(one.recorded), "holds": one.ok,
    }  # fmt: skip

"""One rank's account of a model: every buffer, the phases of a step, and whether it fits."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..algebra.errors import FsdpSymError
from .options import Json, examples
from .show import DONE, NO, print_json, print_table

if TYPE_CHECKING:
    from ..reasoning.account import Account
    from ..scenarios.shapes import Shape

commands = typer.Typer()

_EXAMPLES = ("fsdp-sym account Llama-2-7B --gpus 8 --budget '80 GB'", "fsdp-sym account --config config.json --gpus 64 --tokens 8192")


@commands.command(epilog=examples(*_EXAMPLES))
def account(
    model: Annotated[str | None, typer.Argument(metavar="MODEL", help="A model's name, such as Llama-2-7B.", show_default=False)] = None,
    gpus: Annotated[int, typer.Option(help="The shard group: the GPUs that share the model.")] = 8,
    config: Annotated[Path | None, typer.Option(metavar="FILE", help="A Hugging Face config.json in place of a name.")] = None,
    convention: Annotated[str, typer.Option(help="What is kept of each parameter.")] = "FSDP2",
    batch: Annotated[int, typer.Option(help="Sequences of a micro-batch on each GPU.")] = 1,
    tokens: Annotated[int, typer.Option(help="Tokens of a sequence.")] = 2048,
    recompute: Annotated[str, typer.Option(help="none, or full: every block keeps its input alone.")] = "none",
    optimizer: Annotated[str, typer.Option(help="fused, foreach or for-loop.")] = "foreach",
    rank: Annotated[int, typer.Option(help="Which rank's account, from 0.")] = 0,
    budget: Annotated[str | None, typer.Option(metavar="AMOUNT", help="A device's memory; exit 1 where the peak does not fit.")] = None,
    as_json: Json = False,
) -> int:
    """Give one rank's account. Every buffer to the byte, phase by phase, and the phase that peaks."""
    from ..reasoning.account import Step
    from ..reasoning.account import account as account_of

    shape = _shape(model, config)
    step = Step(batch=batch, tokens=tokens, recompute=recompute, optimizer=optimizer)  # type: ignore[arg-type]
    found = account_of(shape, gpus, step, convention=convention, rank=rank)
    room = None if budget is None else found.headroom(_bytes(budget))
    if as_json:
        print_json(_record(found, room))
    else:
        _print(found, room, budget)
    return NO if room is not None and room < 0 else DONE


def _shape(model: str | None, config: Path | None) -> Shape:
    from ..scenarios.config import read_config
    from ..scenarios.shapes import shape_named

    if (model is None) == (config is None):
        raise FsdpSymError("account needs a model: its name, as fsdp-sym account Llama-2-7B, or --config FILE, and not both")
    return read_config(config) if config is not None else shape_named(str(model), "give --config FILE")


def _bytes(text: str) -> int:
    from ..algebra.vocabulary import M_max, read_value

    return int(read_value(M_max, text).value)


def _both(size: int) -> str:
    """A size in both gigabytes, since neither is what everybody means."""
    return f"{_thousandths(size, 10**9)} GB = {_thousandths(size, 2**30)} GiB"


def _thousandths(size: int, unit: int) -> str:
    """So many units with three decimals, rounded once, however large the number is."""
    whole, rest = divmod(round(Fraction(1000 * size, unit)), 1000)
    return f"{whole:,}.{rest:03}"


def _print(found: Account, room: int | None, budget: str | None) -> None:
    from ..reasoning.account import NOT_COUNTED

    of = f"rank {found.rank} of {found.ranks}"
    print(f"{found.shape.name}, {found.shape.parameters:,} parameters, {of}; bytes a parameter: {found.convention.said}")
    for phase in found.phases:
        mark = "  <- the peak" if phase is found.peak else ""
        when = f", when {phase.moment}" if phase.moment else ""
        print(f"\n{phase.name}{when}: {_both(phase.size)}{mark}")
        print_table([[f"  {part.name}", f"{part.size:,} B", part.formula] for part in phase.parts])
    print(f"\nNot counted: {NOT_COUNTED}.")
    if room is not None and room >= 0:
        print(f"It fits {budget}, with {_both(room)} to spare for that.")
    elif room is not None:
        print(f"It does not fit {budget}: the {found.peak.name} wants {_both(-room)} more.")


def _record(found: Account, room: int | None) -> dict[str, Any]:
    return {
        "model": found.shape.name, "parameters": found.shape.parameters, "rank": found.rank, "ranks": found.ranks,
        "convention": found.convention.name, "bytes a parameter": found.convention.said,
        "persistent": sum(part.size for part in found.persistent), "peak": {"phase": found.peak.name, "bytes": found.peak.size},
        "phases": {p.name: {part.name: part.size for part in p.parts} for p in found.phases}, "headroom": room,
    }  # fmt: skip

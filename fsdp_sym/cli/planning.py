"""What to run: the fastest layouts of a model on so many GPUs, and why."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..algebra.errors import FsdpSymError
from .options import JsonTable, examples
from .show import DONE, NO, print_json, print_lines, print_table, progress

if TYPE_CHECKING:
    from ..reasoning.planner.asked import Planned

commands = typer.Typer()

_PUBLISHED = "fsdp-sym plan Llama-3-405B --seq-len 8192 --gpus 16384 --tokens-per-step 16777216 --explain-not 'tensor=8 pipeline=16'"
_FEWEST = "fsdp-sym plan Llama-2-70B --seq-len 8192 --gpus fewest --memory '80 GB' --tokens-per-step 4e6 --why"


@commands.command(epilog=examples(_PUBLISHED, _FEWEST))
def plan(
    model: Annotated[str | None, typer.Argument(metavar="MODEL", help="A model's name, such as Llama-2-7B.", show_default=False)] = None,
    config: Annotated[Path | None, typer.Option(metavar="FILE", help="A Hugging Face config.json in place of a name.")] = None,
    seq_len: Annotated[int, typer.Option(help="Tokens of a sequence.")] = 8192,
    gpus: Annotated[str, typer.Option(metavar="COUNT", help="GPUs in all, or fewest.")] = "8",
    tokens_per_step: Annotated[str, typer.Option(metavar="COUNT", help="Tokens of an optimizer step, at most.")] = "4e6",
    machine: Annotated[str, typer.Option(help="The node: a100-node, h100-node, h100-96gb-node or h200-node.")] = "h100-node",
    memory: Annotated[str | None, typer.Option(metavar="AMOUNT", help="A GPU's memory, in place of the machine's.")] = None,
    margin: Annotated[str | None, typer.Option(metavar="AMOUNT", help="What of it is left for what is not counted; else 4 GB.")] = None,
    link: Annotated[str | None, typer.Option(metavar="RATE", help="A GPU's link out of its node, one way, such as '25 GB/s'.")] = None,
    attention: Annotated[str, typer.Option(help="fused, or plain: scores are kept, and dropout with them.")] = "fused",
    precision: Annotated[str, typer.Option(help="bf16, or fp8: of the products with a layer's matrices.")] = "bf16",
    best: Annotated[int, typer.Option(min=1, max=1000, help="How many layouts to show.")] = 5,
    why: Annotated[bool, typer.Option("--why", help="The best beside the runner-up, part by part, with the formulas.")] = False,
    explain_not: Annotated[
        str | None, typer.Option(metavar="SPLIT", help="What becomes of a split, such as 'tensor=8 pipeline=16'; shard takes what is left.")
    ] = None,
    calibrate: Annotated[Path | None, typer.Option(metavar="FILE", help="Measured runs, as CSV, to fit the constants of time to.")] = None,
    as_json: JsonTable = False,
) -> int:  # fmt: skip
    """Rank every layout of a model on so many GPUs by a step's time for each sequence, and say what binds. Exit 1 where it does not fit.

    Counts and bytes are exact for what is counted. Times are nominal until they are calibrated, and say how far off they may be.
    Experts are shared out over ranks of shard and context degree, as in torchtitan and Megatron: their degree takes no GPUs.
    """
    from ..reasoning.planner.asked import plan as planned
    from ..reasoning.planner.job import attention_named, precision_named

    if (model is None) == (config is None):
        raise FsdpSymError("plan needs a model: its name, as fsdp-sym plan Llama-2-7B, or --config FILE, and not both")
    if as_json and (why or explain_not is not None):
        raise FsdpSymError("--json has the plan with its parts: leave --why and --explain-not out")
    with progress() as told:
        told("looking at every layout")
        found = planned(
            model or str(config), _world(gpus), seq_len=seq_len, tokens_per_step=tokens_per_step, machine=machine, memory=memory,
            margin=margin, link=link, attention=attention_named(attention), precision=precision_named(precision), runs=calibrate,
        )  # fmt: skip
    if as_json:
        print_json(_record(found, best))
    elif explain_not is not None:
        print_lines(found.why_not(explain_not).split("\n"))
        return DONE if found.fits(explain_not) else NO
    else:
        print_lines(found.above(best))
        if found.plan.fit:
            print_table(found.table(best))
        print_lines(found.below)
        if why and found.plan.fit:
            print_lines(["", *found.why().split("\n")])
    return DONE if found.plan.fit else NO


def _world(text: str) -> int | None:
    if text == "fewest":
        return None
    if not text.isdecimal() or not 0 < len(text) < 10:
        raise FsdpSymError(f"--gpus {text} is no number of GPUs: give one, such as 64, or fewest")
    return int(text)


def _record(found: Planned, best: int) -> dict[str, Any]:
    from ..publishing.record import plan_record

    return plan_record(found, best)

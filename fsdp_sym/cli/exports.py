"""Questions for another system: export."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..algebra.errors import FsdpSymError, UnknownName
from .options import examples
from .show import DONE

if TYPE_CHECKING:
    from ..publishing.exporters.form import Exporter
    from ..teaching.drills import Question

commands = typer.Typer()

_FOR_MOODLE = "fsdp-sym export --to moodle --cells D,F --variants 20 --out bank"
_FOR_NBGRADER = "fsdp-sym export --to nbgrader --questions D-all-gather,D-layer --out source/hw1"


@commands.command(epilog=examples("fsdp-sym list exporters", _FOR_MOODLE, _FOR_NBGRADER))
def export(
    to: Annotated[str, typer.Option(metavar="FORMAT", help="One that fsdp-sym list exporters names.", show_default=False)],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where the files go; made if it is missing.", show_default=False)],
    cells: Annotated[str | None, typer.Option(metavar="A,B,...", help="Every question of these cells that the format carries.")] = None,
    questions: Annotated[str | None, typer.Option(metavar="ID,ID,...", help="These questions, in place of --cells.")] = None,
    variants: Annotated[int, typer.Option(min=1, max=999, help="How many variants of each question, where the format has several.")] = 10,
    seed: Annotated[int, typer.Option(min=0, help="Which variants; another seed draws others.")] = 1,
) -> int:
    """Write questions and their answers for another system. It is for you, not for students, unless it says self-study.

    A second run writes the same bytes; a file with other content is never written over.
    """
    from ..publishing.export import drawn, write
    from ..publishing.exporters import EXPORTERS

    if to not in EXPORTERS:
        raise UnknownName("exporter", to, EXPORTERS, f"there are {', '.join(EXPORTERS)}")
    exporter = EXPORTERS[to]
    chosen, left_out = _chosen(exporter, cells, questions)
    bank = drawn(out.resolve().name, chosen, variants, seed)
    files = exporter.export(bank)
    write(out, files)
    print(f"{to}: {len(chosen)} questions into {out}: {', '.join(files) if len(files) <= 4 else f'{len(files)} files'}")
    if fewer := [f"{drills[0].posed.question} ({len(drills)})" for drills in bank.questions if len(drills) < variants]:
        print(f"there are fewer than {variants} variants of {', '.join(fewer)}")
    if left_out:
        print(f"left out, as {to} does not carry their kind: {', '.join(f'{q.id} ({q.kind})' for q in left_out)}")
    if exporter.self_study:
        print("for self-study: the answers can be read in it, so it is not for marks")
    return DONE


def _chosen(exporter: Exporter, cells: str | None, ids: str | None) -> tuple[list[Question], list[Question]]:
    """The questions to export and, of whole cells, those that the format does not carry."""
    from ..scenarios.cells import CELLS
    from ..teaching.classroom.assignment import named
    from ..teaching.drills import QUESTIONS

    if (cells is None) == (ids is None):
        raise FsdpSymError(f"export needs either --cells or --questions, such as {_FOR_MOODLE}")
    if ids is not None:
        return list(named(_listed(ids))), []
    wanted = _listed(cells or "")
    for cell in wanted:
        if cell not in CELLS:
            raise UnknownName("cell", cell, CELLS, f"the cells are {', '.join(CELLS)}")
    there = [q for q in QUESTIONS.values() if q.cell in wanted]
    carried = [q for q in there if q.kind in exporter.kinds]
    if not carried:
        raise FsdpSymError(f"--cells {cells} have no question of a kind that {exporter.name} carries: {', '.join(sorted(exporter.kinds))}")
    return carried, [q for q in there if q.kind not in exporter.kinds]


def _listed(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]

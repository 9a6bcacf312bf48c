"""Practice at a terminal: drill, progress."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .options import Json, JsonTable, examples
from .show import DONE, NO, print_json, print_table

if TYPE_CHECKING:
    from ..teaching.drills import Judgement
    from ..teaching.practice import Practice

commands = typer.Typer()


@commands.command(epilog=examples("fsdp-sym drill D", "fsdp-sym drill D-all-gather --seed 3 --answer '525 MB'"))
def drill(
    what: Annotated[
        str | None,
        typer.Argument(
            metavar="CELL|QUESTION", help="A cell, or a question such as D-all-gather; all in turn without it.", show_default=False
        ),
    ] = None,
    seed: Annotated[int | None, typer.Option(help="The variant; without it what is due, else the next.")] = None,
    answer: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="Judge this answer and keep it in the folder's progress; semicolons between parts."),
    ] = None,
    thought: Annotated[str | None, typer.Option(metavar="LETTER", help="Which thought was behind the answer, where that is asked.")] = None,
    hint: Annotated[int | None, typer.Option(metavar="1|2|3", help="Show a hint; the third comes after an answer.")] = None,
    solution: Annotated[bool, typer.Option("--solution", help="Show the worked answer, after an answer of your own.")] = False,
    as_json: Json = False,
) -> int:
    """Pose a question, or judge an answer to it.

    The numbers belong to the seed. A wrong answer is told the thought that leads to it; exit 1 where an answer is not right.
    """
    from ..scenarios.cells import CELLS
    from ..teaching.practice import Thought, practice

    is_cell = what is None or what in CELLS or "-" not in what
    posed = practice(what if is_cell else None, seed, question=None if is_cell else what)
    judged = None if answer is None else posed.judge(answer)
    if as_json:
        print_json(_record(posed, judged))
    elif thought is not None:
        asked = posed.follow_up()
        print(asked.answer(thought) if isinstance(asked, Thought) else asked)
    elif judged is not None:
        print(posed.told(judged, "--thought a, beside the same --answer."))
    elif hint is not None or solution:
        print(posed.solution() if solution else posed.hint(hint))
    else:
        texts = "; ".join("..." for _ in posed.posed.parts)
        print(f"{posed}\nAnswer with: fsdp-sym drill {posed.question} --seed {posed.seed} --answer '{texts}'")
    return NO if judged is not None and judged.verdict != "right" else DONE


def _record(posed: Practice, judged: Judgement | None) -> dict[str, object]:
    """A question, or what was said of an answer, as plain data."""
    named: dict[str, object] = {"question": posed.question, "seed": posed.seed}
    if judged is None:
        asked = posed.posed
        parts = [part.ask for part in asked.parts]
        return named | {"prompt": asked.prompt, "lines": list(asked.lines), "parts": parts, "givens": dict(asked.givens)}
    said = {"verdict": judged.verdict, "earned": str(judged.earned), "echo": judged.echo}
    return named | said | {"diagnosis": sorted(judged.diagnosis), "says": list(judged.says)}


@commands.command(epilog=examples("fsdp-sym progress", "fsdp-sym progress --json"))
def progress(as_json: JsonTable = False) -> int:
    """Show what was tried in this folder.

    Each question's answers, how many were right, and what the last one was taken for.
    """
    from ..teaching.progress import load

    kept = load(Path())
    rows = kept.table()
    if as_json:
        return print_json(rows)
    if not rows:
        print("nothing was tried in this folder: begin with fsdp-sym drill")
        return DONE
    print_table([list(rows[0]), *(list(row.values()) for row in rows)])
    if due := kept.due():
        print(f"due again: {due}, with new numbers: fsdp-sym drill")
    return DONE

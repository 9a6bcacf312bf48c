"""What there is and what it comes to: list, explain, evaluate, solve, audit."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from enum import StrEnum
from typing import Annotated

import typer

from ..algebra.errors import FsdpSymError
from .options import CellOption, Digits, FormulaName, Json, JsonTable, Set, UnitOption, examples, read_settings, settings_of
from .show import DONE, NO, print_explained, print_json, print_table

commands = typer.Typer()

Equals = Annotated[str | None, typer.Option(metavar="AMOUNT", help="The formula gives exactly this; yes or no for a comparison.")]
AtMost = Annotated[str | None, typer.Option(metavar="AMOUNT", help="The formula gives this or less.")]
AtLeast = Annotated[str | None, typer.Option(metavar="AMOUNT", help="The formula gives this or more.")]
_FOR_HELP = "The letter asked for; N_d,N_p,N_t lists every split of world_size."
_DEGREES = ["N_d", "N_p", "N_t"]


class Kind(StrEnum):
    """What can be listed."""

    CELLS = "cells"
    LESSONS = "lessons"
    QUESTIONS = "questions"
    MISCONCEPTIONS = "misconceptions"
    FORMULAS = "formulas"
    LETTERS = "letters"
    MODELS = "models"
    MACHINES = "machines"
    PLANS = "plans"
    EXPORTERS = "exporters"


@commands.command("list", epilog=examples("fsdp-sym list", "fsdp-sym list formulas"))
def list_(
    kind: Annotated[Kind | None, typer.Argument(help="One kind only.", show_default=False)] = None, as_json: JsonTable = False
) -> int:
    """Show the cells, lessons, questions, misconceptions, formulas and letters there are."""
    kinds = list(Kind) if kind is None else [kind]
    found = {str(k): list(_listed(k)) for k in kinds}
    if as_json:
        return print_json(found)
    for at, rows in enumerate(found.values()):
        if at:
            print()
        print_table([list(rows[0]), *(list(row.values()) for row in rows)])
    return DONE


def _listed(kind: Kind) -> Iterator[dict[str, str]]:
    match kind:
        case Kind.CELLS:
            from ..scenarios.cells import CELLS

            yield from ({"cell": cell.id, "title": cell.title, "question": cell.question} for cell in CELLS.values())
        case Kind.LESSONS:
            from ..teaching.lessons import LESSONS

            yield from ({"lesson": lesson.id, "title": lesson.title} for lesson in LESSONS.values())
        case Kind.QUESTIONS:
            from ..teaching.drills import QUESTIONS

            yield from ({"question": q.id, "cell": q.cell, "kind": q.kind} for q in QUESTIONS.values())
        case Kind.MISCONCEPTIONS:
            from ..teaching.misconceptions import MISCONCEPTIONS

            for m in MISCONCEPTIONS.values():
                yield {"misconception": m.id, "about": ", ".join(m.about), "thought": m.thinks}
        case Kind.FORMULAS:
            from ..reasoning.catalogue import formulas

            yield from ({"formula": f.id, "topic": f.topic, "title": f.title} for f in formulas().values())
        case Kind.LETTERS:
            from ..algebra.vocabulary import LETTERS

            for entry in LETTERS.values():
                yield {"letter": entry.name, "range": entry.range_text, "typed": entry.typed, "what it is": entry.says}
        case Kind.MODELS | Kind.MACHINES | Kind.PLANS:
            from ..scenarios.machines import MACHINES
            from ..scenarios.models import MODELS
            from ..scenarios.plans import PLANS

            rows = {Kind.MODELS: MODELS, Kind.MACHINES: MACHINES, Kind.PLANS: PLANS}[kind]
            for row in rows.values():
                values = ", ".join(f"{s.name}={amount}" for s, amount in row.values.items() if amount.value != 0)
                yield {kind.value[:-1]: row.name, "values": values, "source": row.source}
        case Kind.EXPORTERS:
            from ..publishing.exporters import EXPORTERS

            yield from ({"exporter": e.name, **e.declared} for e in EXPORTERS.values())


@commands.command(epilog=examples("fsdp-sym explain D --set N=8", "fsdp-sym explain all_gather --set S='700 MB' --set N=4"))
def explain(
    name: Annotated[str, typer.Argument(metavar="CELL|FORMULA", help="A cell's letter or a formula's name.", show_default=False)],
    settings: Set,
    as_json: Json = False,
) -> int:
    """Show a derivation and its numbers. For a cell: its question, conventions and givens, and all its lesson works.

    A letter that --set changes wins over the cell, and everything is derived and worked again.
    """
    from ..publishing.explanation import explained

    found = explained(name, read_settings(settings))
    if as_json:
        return print_json(found.record)
    print_explained(found.text, found.flowing)
    return DONE


@commands.command(
    epilog=examples(
        "fsdp-sym evaluate all_gather --set S='700 MB' --set N=4 --unit MiB --digits 4",
        "fsdp-sym evaluate all_gather --cell D --set N=oo",
    )
)
def evaluate(
    formula: FormulaName, settings: Set, cell: CellOption = None, unit: UnitOption = None, digits: Digits = None, as_json: Json = False
) -> int:
    """Give a formula numbers. The result is exact; where a hypothesis fails both readings are said."""
    from ..algebra.units import unit_size
    from ..publishing.record import worked_record
    from ..reasoning.catalogue import formula as formula_named
    from ..reasoning.work import work

    chosen = formula_named(formula)
    worked = work(cell or {}, chosen, **settings_of(chosen, settings))
    if unit is not None:
        unit_size(unit)
        if isinstance(worked.value, bool):
            raise FsdpSymError(f"{chosen.id} answers yes or no: it has no unit, drop --unit {unit}")
    if as_json:
        return print_json(worked_record(worked, unit, digits))
    print("\n".join([worked.result(unit=unit, digits=digits), *worked.remarks(unit, digits)]))
    return DONE


@commands.command(
    epilog=examples(
        "fsdp-sym solve sharded_state --cell B --for N --at-most '2 GB'",
        "fsdp-sym solve world_size --for N_d,N_p,N_t --equals 1024 --set N_p=4 --set N_t_at_most=8",
    )
)
def solve(
    formula: FormulaName,
    settings: Set,
    unknown: Annotated[str, typer.Option("--for", metavar="NAME", help=_FOR_HELP)],
    cell: CellOption = None,
    equals: Equals = None,
    at_most: AtMost = None,
    at_least: AtLeast = None,
    as_json: Json = False,
) -> int:
    """Find the letter that makes a formula fit. With a bound it is the extreme one that meets it; exit 1 where there is none.

    With --for N_d,N_p,N_t every ordered split of a GPU count is listed; --set N_p=4 then fixes a degree and --set N_t_at_most=8 bounds one.
    """
    from sympy.core.relational import Relational

    from ..publishing.record import solution_record
    from ..reasoning.catalogue import formula as formula_named
    from ..reasoning.solve import letters_asked
    from ..reasoning.solve import solve as solve_formula
    from ..reasoning.work import work

    chosen = formula_named(formula)
    if sum(target is not None for target in (equals, at_most, at_least)) != 1:
        raise FsdpSymError(f"{chosen.id} needs exactly one target: --equals, --at-most or --at-least")
    if "," in unknown:
        if chosen.id != "world_size" or unknown.replace(" ", "").split(",") != _DEGREES:
            names = [s.name for s in letters_asked(chosen, unknown)]
            over = " ".join(f"--over {name}=1..64" for name in names)
            given = ("" if cell is None else f" --cell {cell}") + "".join(f" --set {shlex.quote(one)}" for one in settings)
            bound = f" = {equals}" if equals is not None else f" <= {at_most}" if at_most is not None else f" >= {at_least}"
            if isinstance(chosen.closed, Relational):
                bound = ""  # it is a condition by itself
            raise FsdpSymError(
                f"--for {unknown} asks for several letters, and then something is to be smallest or largest: write it like "
                f"fsdp-sym choose{given} {over} --smallest {names[0]} --such-that '{chosen.id}{bound}'"
            )
        if cell is not None or equals is None:
            raise FsdpSymError(f"--for {unknown} lists splits: it takes --equals and --set, not --cell, --at-most or --at-least")
        return _print_splits(equals, read_settings(settings), as_json)
    values = settings_of(chosen, settings)
    if unknown in values:
        raise FsdpSymError(f"{unknown} is what --for asks: drop --set {unknown}={values[unknown]}, or ask for another letter")
    found = solve_formula(cell or {}, chosen, unknown, equals=equals, at_most=at_most, at_least=at_least, **values)
    checked = None if found.value is None else work(cell or {}, chosen, **values, **{unknown: found.value})
    if as_json:
        print_json(solution_record(found, checked))
    elif found.value is None:
        print(f"{found.shown()}: {found.reason}")
    else:
        print(f"{unknown} = {found.shown()}\n{found.reason}")
    return NO if found.never else DONE


def _print_splits(total: str, settings: dict[str, str], as_json: bool) -> int:
    from ..reasoning.solve import splits

    found = splits(total, **settings)
    shown = f"{len(found)} ordered split{'' if len(found) == 1 else 's'}" if found else "never"
    if as_json:
        rows = [dict(zip(_DEGREES, split, strict=True)) for split in found]
        print_json({"formula": "world_size", "for": _DEGREES, "value": rows or None, "shown": shown, "violated": []})
    elif found:
        print_table([_DEGREES, *([str(degree) for degree in split] for split in found)])
        print(shown)
    else:
        print(f"never: no split of {total} meets {' and '.join(f'{k}={v}' for k, v in settings.items())}")
    return DONE if found else NO


@commands.command(epilog=examples("fsdp-sym audit"))
def audit(
    question: Annotated[
        list[str] | None,
        typer.Option(metavar="ID", help="Print this question's matrix: which wrong answers it tells apart; 'all' for every question."),
    ] = None,
    as_json: JsonTable = False,
) -> int:
    """Check every formula. Its steps, their dimensions, its count and what was published; exit 1 unless all hold.

    With --question: for how many per cent of its variants, taken as they fall, two wrong answers lie apart.
    """
    if question:
        return _print_matrices(question, as_json)
    from ..reasoning.audit import audit as audit_all

    findings = audit_all()
    if as_json:
        print_json(
            [
                {
                    "formula": f.formula.id, "status": f.status, "steps": [v.kind for v in f.steps], "counted": f.counted,
                    "published": f.published, "records": f.records, "problems": list(f.problems),
                }
                for f in findings
            ]
        )  # fmt: skip
    else:
        rows = [[f.formula.id, f.status, str(len(f.steps)), str(f.counted), str(f.published + f.records)] for f in findings]
        print_table([["formula", "verdict", "steps", "points counted", "known values"], *rows])
        for problem in (p for f in findings for p in f.problems):
            print(problem)
        print(f"{sum(f.ok for f in findings)} of {len(findings)} formulas hold")
    return DONE if all(f.ok for f in findings) else NO


def _print_matrices(names: list[str], as_json: bool) -> int:
    from ..teaching.drills import QUESTIONS, question_named
    from ..teaching.drills.matrix import separations, told_apart_by

    chosen = list(QUESTIONS.values()) if names == ["all"] else [question_named(name) for name in names]
    found = [matrix for question in chosen for matrix in separations(question)]
    if as_json:
        return print_json(
            [
                {
                    "question": m.question, "part": m.part, "thoughts": list(m.thoughts),
                    "apart": [{"pair": sorted(pair), "share": float(share)} for pair, share in m.apart.items()],
                    "never": [{"pair": sorted(pair), "ask next": list(told_apart_by(pair))} for pair in m.never],
                }
                for m in found
            ]
        )  # fmt: skip
    for at, matrix in enumerate(found):
        part = f", part {matrix.part}" if matrix.part else ""
        print(f"{chr(10) if at else ''}{matrix.question}{part}: per cent of variants in which two answers lie apart")
        print_table(matrix.rows())
        for pair in matrix.never:
            ask = ", ".join(told_apart_by(pair)[:3])
            print(f"never told apart: {' and '.join(sorted(pair))}; {f'ask next: {ask}' if ask else 'ask which was the thought'}")
    return DONE

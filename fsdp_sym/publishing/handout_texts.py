"""What an instructor reads of a hand-out: how different its sheets are, and what is marked by which principle."""

from __future__ import annotations

from collections.abc import Sequence

from ..teaching.classroom.distinct import least_difference, spread
from ..teaching.classroom.record import Header, SheetRecord
from ..teaching.drills import Drill, question_named
from ..teaching.drills.separation import TOLERANCE
from ..teaching.misconceptions import MISCONCEPTIONS


def report(header: Header, prints: Sequence[Sequence[int]]) -> tuple[str, str]:
    """What the fingerprints of all sheets prove, in a line; and in full."""
    asked = len(header.questions)
    same = len(prints) - len({sum(sheet) for sheet in prints})
    says = f"{len(prints):,} sheets, {f'{same:,} of them like another' if same else 'no two of them alike'}"
    if len(prints) > 1 and not same:
        least, met = least_difference(prints)
        says += f"; {'the two most alike differ in' if met else 'any two differ in at least'} {least} of {asked} questions"
    lines = [
        f"{header.assignment}: the same {asked} questions in the same order for everybody, with numbers drawn for each.",
        f"{says}.",
        "",
        "question  variants  most alike  id",
    ]
    for question, (variants, most) in zip(header.questions, spread(prints), strict=True):
        lines.append(f"{question.label:<8}  {variants:>8,}  {most:>10,}  {question.id}")
    lines += ["", "variants: how many different ones of the question there are; most alike: how many sheets share the commonest one."]
    return says, "\n".join(lines) + "\n"


def rubric(header: Header, record: SheetRecord) -> str:
    """What is asked, what it is worth, and which principles a wrong answer violates, as Markdown."""
    rows, met = [], dict[str, str]()
    for question, (label, drill) in zip(header.questions, record.drills(header), strict=True):
        asked, principles = question_named(question.id), _principles(drill)
        met |= principles
        rows.append(f"| {label} | {question.points} | {asked.cell} | {asked.kind} | {question.id} | {', '.join(principles)} |")
    lines = [
        f"# {header.assignment}: rubric",
        "",
        f"A number is right within {float(TOLERANCE):.1%}. The parts of a question count alike, and an error carried into a later part "
        "is marked once. An answer that cannot be read is put on the review list.",
        "",
        "| question | points | cell | kind | id | what a wrong answer may violate |",
        "|---|---|---|---|---|---|",
        *rows,
        "",
        *(f"* {name}: {says}" for name, says in met.items()),
    ]
    return "\n".join(lines) + "\n"


def _principles(drill: Drill) -> dict[str, str]:
    """What the wrong answers that are diagnosed violate."""
    rivals = [rival for part in range(len(drill.keys)) for rival in drill.rivals(part)]
    violated = [MISCONCEPTIONS[rival.misconception].violates for rival in rivals if rival.misconception]
    return {principle.id: principle.says for principle in violated}

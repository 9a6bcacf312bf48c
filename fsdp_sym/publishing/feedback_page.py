"""A student's page: each question, what was read, what it is worth and why, and the worked answer. It speaks of nobody else."""

from __future__ import annotations

from functools import lru_cache

from ..algebra.markup import element, text
from ..teaching.classroom.marks import Drills
from ..teaching.classroom.record import Header, restored
from ..teaching.classroom.results import PartResult, QuestionResult, Result, points_text
from ..teaching.classroom.times import minutes_text
from ..teaching.drills import Variant
from .page import VERDICTS, badge, document, paragraph, typed


def page(header: Header, result: Result, drills: Drills) -> str:
    """The page, as HTML.

    Parameters
    ----------
    header : Header
    result : Result
        Of a sheet that was marked.
    drills : sequence of (str, Drill)
        The sheet's.
    """
    who = result.name or result.student
    mark = "no mark" if result.mark is None else f"{points_text(result.mark)} of {points_text(result.out_of)} points"
    variants = {label: drill.variant for label, drill in drills}
    return document(
        f"{header.assignment}: {who}",
        element("h1", text(f"{header.assignment}: {mark}")),
        paragraph(f"{who}, sheet {result.sheet}{f', submitted {result.submitted}' if result.submitted else ''}", "quiet"),
        paragraph(f"It came {minutes_text(result.late)} after it was due.") if result.late else "",
        paragraph(f"The whole mark was {result.because}.") if result.because else "",
        *(paragraph(line, "quiet") for line in result.problems),
        *(_card(question, variants[question.label]) for question in result.questions),
    )


@lru_cache(maxsize=4096)
def _card(question: QuestionResult, variant: Variant) -> str:
    """A question, written once for all who were asked the same and typed the same."""
    of = points_text(question.points)
    heading = f"{question.label}: {points_text(question.counts * question.points)} of {of} point{'' if of == '1' else 's'}"
    asks = [part.ask for part in restored(variant).posed.parts] if len(question.parts) > 1 else [""]
    asked, worked = _asked_and_worked(variant)
    opened = {} if question.verdict == "right" else {"open": ""}
    return element(
        "section",
        element("h2", text(heading)),
        asked,
        *(_answer(part, ask) for part, ask in zip(question.parts, asks, strict=True)),
        paragraph(f"Corrected: {question.because}.", "quiet") if question.because else "",
        element("details", element("summary", "The worked answer"), worked, **opened),
        class_="card",
        style=f"border-left-color: {VERDICTS[question.verdict][2]}",
    )


@lru_cache(maxsize=4096)
def _asked_and_worked(variant: Variant) -> tuple[str, str]:
    """What a variant asks, and its worked answer."""
    drill = restored(variant)
    lines = "".join(element("li", text(line)) for line in drill.posed.lines)
    asked = paragraph(drill.posed.prompt) + (element("ul", lines, class_="lines") if lines else "")
    return asked, "".join(map(paragraph, drill.question.solution(variant)))


def _answer(part: PartResult, ask: str) -> str:
    read = f", read as {element('b', text(part.read))}" if part.read else ""
    # A plain verdict is in the badge already.
    says = () if part.verdict == "not answered" else tuple(line for line in part.says if line != "Right.")
    ambiguous = part.verdict == "wrong" and len(says) > 1
    return "".join(
        (
            element("p", element("b", text(part.field)), f" {text(ask)}") if ask else "",
            element("p", f"You wrote {typed(part.typed)}{read}. {badge(part.verdict)}"),
            paragraph("One of these is likely behind it:") if ambiguous else "",
            *(element("p", text(line), class_="caret") if "\n" in line else paragraph(line[:1].upper() + line[1:]) for line in says),
        )
    )

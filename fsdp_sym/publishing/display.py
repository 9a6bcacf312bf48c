"""What a notebook calls to show things: a derivation, a picture with its table, records beside predictions, a paragraph."""

from __future__ import annotations

from ..algebra.derivation import Derivation
from ..algebra.errors import UnknownName
from ..algebra.formula import Formula
from ..figures.picture import draw
from ..reasoning.catalogue import formula as formula_named
from ..teaching.lessons import LESSONS
from ..teaching.lessons.blocks import Ask, Say
from ..teaching.lessons.words import filled


def derive(formula: str | Formula) -> Derivation:
    """The derivation of a formula, every step checked now."""
    return (formula_named(formula) if isinstance(formula, str) else formula).derivation


def plot(name: str) -> None:
    """Show a picture, and print the table of everything drawn in it."""
    from IPython.display import Image, display

    picture = draw(name)
    display(Image(data=picture.png(), format="png", alt=picture.alt))
    print(picture.table.text)


def measured(group: str) -> None:
    """Print what real runs found beside what the formulas say, for one measurement such as ``"collectives"``."""
    from .evidence_table import evidence_text

    print(evidence_text(group))


def tell(lesson: str, slug: str) -> None:
    """Show the paragraph or the answer of a lesson that a student edition keeps back until it is asked for."""
    from IPython.display import Markdown, display

    if lesson not in LESSONS:
        raise UnknownName("lesson", lesson, LESSONS)
    held = {b.slug: b.text if isinstance(b, Say) else b.answer for b in LESSONS[lesson].blocks if isinstance(b, Say | Ask)}
    if slug not in held:
        raise UnknownName(f"paragraph of {lesson}", slug, held)
    display(Markdown(filled(LESSONS[lesson], held[slug])))

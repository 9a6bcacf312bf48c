"""Every letter once: what it is, how it is typed, which values it takes, which formula gives it."""

from __future__ import annotations

from ...algebra.vocabulary import LETTERS
from ...reasoning.catalogue import formulas
from .markdown import code, page, plain, table
from .places import to_formula


def notation_text() -> str:
    """The page."""
    given: dict[str, list[str]] = {}
    for formula in formulas().values():
        given.setdefault(formula.defines.name, []).append(to_formula(formula.id))
    rows = [
        [f"${entry.tex}$", code(entry.typed), plain(entry.says), plain(entry.range_text), ", ".join(given.get(entry.name, ()))]
        for entry in LETTERS.values()
    ]
    return page(
        "# Notation",
        "Every letter has one meaning everywhere. A byte is a capital B and a bit a small b; GB is 10⁹ bytes and GiB is 2³⁰ bytes. "
        "A number that had to be rounded has ≈ before it; all others are exact.",
        table(("letter", "typed, for instance", "what it is", "range", "given by"), rows),
    )

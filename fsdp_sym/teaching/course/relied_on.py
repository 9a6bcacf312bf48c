"""The formulas that a course's notebooks rest on: its own, those that its lessons name, and the lemmas of all of them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...algebra.formula import Formula
from ...reasoning.catalogue import formula, formulas
from ...reasoning.evidence import records_in
from ..lessons.blocks import Derive, Lesson, Measured, Work, YourNumbers


def relied_on(own: Iterable[str], lessons: Iterable[Lesson]) -> list[Formula]:
    """Every formula whose truth a course's notebooks need, each once.

    Parameters
    ----------
    own : iterable of str
        The formulas that the course brings, whether or not a lesson shows them.
    lessons : iterable of Lesson
        What is derived, worked and held against a record in them counts, and every formula that is named in the code that they offer.
        Their pictures are ours, and rest on our own build.
    """
    named = set(own)
    for block in (block for lesson in lessons for block in lesson.blocks):
        if isinstance(block, Derive | Work):
            named.add(block.formula)
        elif isinstance(block, Measured):
            named |= {record.formula for record in records_in(block.group)}
        elif isinstance(block, YourNumbers):
            named |= formulas().keys() & set(re.findall(r"\w+", block.code))
    waiting, found = [formula(name) for name in sorted(named)], dict[str, Formula]()
    while waiting:
        one = waiting.pop(0)
        if one.id not in found:
            found[one.id] = one
            waiting += one.lemmas
    return list(found.values())

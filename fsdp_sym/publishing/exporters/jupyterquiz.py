"""Drills -> questions for jupyterquiz, with a notebook that shows them. For self-study: the answers stand in the file.

jupyterquiz takes the first range [a, b) that holds the number that was typed. The number line is therefore cut wherever what
is said changes, and each piece says what `diagnose` says within it: the misconceptions, their slips, "close"; elsewhere the first
hint is given. It compares binary numbers, so that a number within a rounding error of a border may fall on either side of it. A
number is typed without a unit, which the question names instead; no other text can be typed, and so none is invalid.

A question with several parts becomes one item a part, each as if the others were right. Formulas, splits and "there is none"
cannot be typed, and an error in a faded example would not be carried forward: these kinds are refused.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from html import escape
from itertools import pairwise
from math import inf, nextafter
from typing import Any, Final

from ...teaching.answers import Choice, Count, Quantity
from ...teaching.drills import Drill, Judgement, Part, Posed
from ...teaching.drills.diagnose import CLOSE
from ...teaching.drills.separation import TOLERANCE
from .answer_text import in_unit, lettered
from .form import Bank, Exporter
from .notebook import to_bytes
from .wrong_answers import judged

_NAME: Final = "self-study"
_SAYS: Final = "For self-study: the answers can be read in this file. It is not for marks."
_SLIPS_OF_A_TYPED_UNIT: Final = ("gib-for-gb", "bits-for-bytes")  # nobody makes them who types a number alone
# jupyterquiz sets texts as HTML, formulas between dollars, and links as in Markdown.
_FORMULAS_AND_LINKS: Final = {ord(sign): f"&#{ord(sign)};" for sign in "$[]"}


def _files(bank: Bank) -> dict[str, bytes]:
    items = [
        _item(drill, part) | {"id": f"{drill.posed.question}-{at:03d}", "note": _SAYS}
        for variants in bank.questions
        for at, drill in enumerate(variants, 1)
        for part in range(len(drill.posed.parts))
    ]
    text = json.dumps(items, indent=1, ensure_ascii=False) + "\n"
    return {f"{_NAME}.json": text.encode(), f"{_NAME}.ipynb": _notebook(bank.title)}


def _notebook(title: str) -> bytes:
    from nbformat import v4

    how = f"It needs `pip install jupyterquiz`, and `{_NAME}.json` beside it. Run the cell below; run it again for other questions."
    code = f'from jupyterquiz import display_quiz\n\ndisplay_quiz("{_NAME}.json", num=5, shuffle_answers=False)'
    cells = [
        v4.new_markdown_cell(f"# {_html(title)} (self-study)\n\n{_SAYS}\n\n{how}", id="title"),
        v4.new_code_cell(code, id="quiz"),
    ]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return to_bytes(v4.new_notebook(cells=cells, metadata={"kernelspec": kernel, "language_info": {"name": "python"}}))


def _item(drill: Drill, at: int) -> dict[str, Any]:
    part = drill.posed.parts[at]
    if isinstance(part.expects, Choice):
        return {"question": _question(drill.posed, part, part.ask), "type": "multiple_choice", "answers": list(_options(drill, at))}
    answers = _values(drill, at) if isinstance(part.expects, Count) else _ranges(drill, at)
    other = {"type": "default", "feedback": _html(f"Not this. {drill.question.hints(drill.variant)[0]}")}
    return {"question": _question(drill.posed, part, _how(part)), "type": "numeric", "answers": [*answers, other]}


def _question(posed: Posed, part: Part, ask: str) -> str:
    """The prompt, its lines unless they are what is chosen from, and what to give."""
    lines = () if lettered(posed, part) else posed.lines
    return "<br>".join(map(_html, (posed.prompt, *lines, ask)))


def _how(part: Part) -> str:
    match part.expects:
        case Count():
            return "Type a whole number, without commas."
        case Quantity(_, unit):
            return f"Type a number of {unit} with four significant digits, without the unit and without commas."
    return "Type a plain number with four significant digits: 0.25, not 25 %."


def _options(drill: Drill, at: int) -> Iterator[dict[str, Any]]:
    part = drill.posed.parts[at]
    assert isinstance(part.expects, Choice)
    said = lettered(drill.posed, part)
    for option in part.expects.options:
        text = f"{option}) {said[option]}" if said else option
        yield {"answer": _html(text), **_verdict(judged(drill, at, option))}


def _values(drill: Drill, at: int) -> Iterator[dict[str, Any]]:
    """A count is right, or diagnosed, exactly or not at all."""
    for value in dict.fromkeys((drill.keys[at], *(rival.value for rival in drill.rivals(at)))):
        number = Fraction(value)  # type: ignore[arg-type]
        yield {"value": int(number) if number.denominator == 1 else float(number), **_verdict(judged(drill, at, str(number)))}


def _ranges(drill: Drill, at: int) -> Iterator[dict[str, Any]]:
    """The pieces of the number line of which something is known, in ascending order."""
    expects = drill.posed.parts[at].expects
    unit = expects.unit if isinstance(expects, Quantity) else ""
    known = _known(drill, at, unit)
    for low, high in pairwise(sorted({cut for bounds in known for cut in bounds})):
        if any(first <= low and high <= last for first, last in known):
            yield {"range": [low, high], **_verdict(judged(drill, at, f"{(low + high) / 2!r} {unit}"))}


def _known(drill: Drill, at: int, unit: str) -> list[tuple[float, float]]:
    """Where an answer is right, diagnosed or close. A range ends just above the last number that belongs to it."""
    key = drill.keys[at]
    near = [key, *(rival.value for rival in drill.rivals(at) if rival.slip not in _SLIPS_OF_A_TYPED_UNIT)]
    found = []
    for value, share in (*((value, TOLERANCE) for value in near), (key, CLOSE)):
        number, off = Fraction(value), share * abs(Fraction(value))  # type: ignore[arg-type]
        found.append((float(in_unit(number - off, unit)), nextafter(float(in_unit(number + off, unit)), inf)))
    return found


def _verdict(judgement: Judgement) -> dict[str, Any]:
    return {"correct": judgement.verdict == "right", "feedback": "<br>".join(map(_html, judgement.says))}


def _html(text: str) -> str:
    return escape(text).translate(_FORMULAS_AND_LINKS)


JUPYTERQUIZ: Final = Exporter(
    name="jupyterquiz",
    says="a quiz for self-study in a notebook, with jupyterquiz; it shows its answers to whoever looks",
    kinds=frozenset({"compute", "limit", "backwards", "choose", "wrong line", "principle"}),
    verdicts=frozenset({"right", "wrong", "close"}),
    self_study=True,
    files=_files,
)

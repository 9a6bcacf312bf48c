"""Drills -> a question bank in Moodle XML: a category for each question, its variants in it, one to be drawn for each student.

Moodle takes the first answer whose interval holds what was typed, so that misconceptions are answers too: the right one first, then
one without marks for each misconception and slip, with what diagnosing it says; then the band of answers with too few digits; then
``*``. An answer without marks says why.

Amounts are kept in a small unit (B, B/s, ns) and are asked in a large one, because Moodle also compares the bare number, as if the
unit had not been typed: 525 GiB would meet a right answer of 525 GB and never a slip. A bare number meets a number of bytes only
where the answer is wrong by thousands too; the feedback can then be another's, and there is no mark either way. A number without a
unit, or with one that is not listed, earns nothing. Each question lists its units, no two of which differ in capitals alone: some
databases hold those to be the same.

``bank.json`` beside it says which variant a question's code stands for; `teaching.classroom.responses` reads with it what a class
answered.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from decimal import Context, Decimal
from fractions import Fraction
from html import escape
from typing import Final
from xml.etree import ElementTree as ET

from ... import __version__
from ...algebra.units import unit_size
from ...teaching.answers import Count, Quantity
from ...teaching.drills import Drill, Key, Rival, diagnose
from ...teaching.drills.diagnose import CLOSE
from ...teaching.drills.separation import SEPARATED_SLIPS, TOLERANCE
from .form import Bank, Exporter

_BYTES: Final = ("B", "kB", "MB", "GB", "TB", "KiB", "MiB", "GiB", "TiB", "bit", "kbit", "Mbit", "Gbit", "Tbit")
# The first unit is the one that answers are kept in.
_UNITS: Final = {
    "byte": _BYTES,
    "byte/second": (*(f"{unit}/s" for unit in _BYTES), "Mbps", "Gbps"),
    "second": ("ns", "us", "µs", "ms", "s", "min", "h", "d"),
    "byte/param": ("B/param", "B"),
}
_MULTIPLIER_DIGITS: Final = 19  # behind the point, as many as Moodle keeps
_DIGITS: Final = Context(prec=14)  # as many as PHP prints
_MANY_DIGITS: Final = Context(prec=40)
_INPUT, _NO_UNIT = "0", "3"  # Moodle's names for a unit that is typed behind the number, and for none
_OF_THE_MARK: Final = "1"
_HINTS: Final = 2  # the third is the worked answer


def _files(bank: Bank) -> dict[str, bytes]:
    quiz = ET.Element("quiz")
    codes: dict[str, object] = {}
    for variants in bank.questions:
        _category(quiz, bank.title, variants[0])
        for at, drill in enumerate(variants, 1):
            code = f"{drill.posed.question}-{at:03d}"
            _question(quiz, drill, code)
            codes[code] = _kept(drill)
    ET.indent(quiz)
    xml: bytes = ET.tostring(quiz, encoding="utf-8", xml_declaration=True)
    index = json.dumps({"fsdp_sym": __version__, "title": bank.title, "questions": codes}, indent=1, ensure_ascii=False)
    return {"bank.xml": xml + b"\n", "bank.json": index.encode() + b"\n"}


def _kept(drill: Drill) -> dict[str, object]:
    """What reading the responses needs of a question: its variant and the texts of its choices."""
    drawn = [list(pair) for pair in drill.variant.drawn]
    return {"question": drill.variant.question, "drawn": drawn, "choices": {line[3:]: line[0] for line in drill.posed.lines}}


def _category(quiz: ET.Element, title: str, drill: Drill) -> None:
    question = ET.SubElement(quiz, "question", type="category")
    path = "/".join(part.replace("/", "//") for part in ("$course$", "top", title, drill.posed.question))
    _text(ET.SubElement(question, "category"), path)
    _text(ET.SubElement(question, "info", format="html"), f"Cell {drill.posed.cell}, {drill.posed.kind}.")


def _question(quiz: ET.Element, drill: Drill, code: str) -> None:
    choice = drill.posed.kind == "principle"
    question = ET.SubElement(quiz, "question", type="multichoice" if choice else "numerical")
    _text(ET.SubElement(question, "name"), code)
    says = (drill.posed.prompt if choice else f"{drill.posed.prompt} {_how(drill)}", f"Question {code}")
    _text(ET.SubElement(question, "questiontext", format="html"), _paragraphs(says))
    _text(ET.SubElement(question, "generalfeedback", format="html"), _paragraphs(drill.question.solution(drill.variant)))
    for name, value in (("defaultgrade", "1.0"), ("penalty", "0.3333333"), ("hidden", "0")):
        ET.SubElement(question, name).text = value
    if choice:
        _choices(question, drill)
    else:
        _numbers(question, drill)
    for hint in drill.question.hints(drill.variant)[:_HINTS]:
        _text(ET.SubElement(question, "hint", format="html"), _paragraphs((hint,)))


def _choices(question: ET.Element, drill: Drill) -> None:
    for name, value in (("single", "true"), ("shuffleanswers", "false"), ("answernumbering", "abc")):
        ET.SubElement(question, name).text = value
    for line in drill.posed.lines:
        letter, said = line[0], line[3:]
        judged = diagnose(drill, letter)
        answer = ET.SubElement(question, "answer", fraction="100" if judged.verdict == "right" else "0", format="html")
        _text(answer, escape(said))
        _text(ET.SubElement(answer, "feedback", format="html"), _paragraphs(judged.says))


def _numbers(question: ET.Element, drill: Drill) -> None:
    for value, tolerance, fraction, says in _answers(drill):
        answer = ET.SubElement(question, "answer", fraction=fraction, format="moodle_auto_format")
        _text(answer, value)
        _text(ET.SubElement(answer, "feedback", format="html"), _paragraphs(says))
        ET.SubElement(answer, "tolerance").text = tolerance
    units = _units(drill)
    if units:
        listed = ET.SubElement(question, "units")
        for name in units:
            unit = ET.SubElement(listed, "unit")
            ET.SubElement(unit, "multiplier").text = _multiplier(units[0], name)
            ET.SubElement(unit, "unit_name").text = name
    graded = (("unitgradingtype", _OF_THE_MARK), ("unitpenalty", "1.0"), ("showunits", _INPUT))
    ungraded = (("unitgradingtype", "0"), ("unitpenalty", "0.0"), ("showunits", _NO_UNIT))
    for name, text in (*(graded if units else ungraded), ("unitsleft", "0")):
        ET.SubElement(question, name).text = text


def _answers(drill: Drill) -> Iterator[tuple[str, str, str, tuple[str, ...]]]:
    """Value, tolerance, share of the mark and feedback, in the order in which Moodle is to try them."""
    key, size = _exact(drill.keys[0]), _kept_size(drill)
    exact = isinstance(drill.posed.parts[0].expects, Count)
    near = Fraction(0) if exact else TOLERANCE
    right = "The number is right; without its unit it has no mark." if _units(drill) else "Right."
    yield _number(key / size), _number(near * abs(key) / size), "100", (right,)
    for value in dict.fromkeys(_exact(r.value) for r in sorted(drill.rivals(), key=_order) if _listed(r, key)):
        yield _number(value / size), _number(near * abs(value) / size), "0", _told(drill, value)
    if not exact:
        yield _number(key / size), _number(CLOSE * abs(key) / size), "0", ("Close, but with too few digits: give four significant digits.",)
    yield "*", "0", "0", (f"Not this. {drill.question.hints(drill.variant)[0]}",)


def _order(rival: Rival) -> tuple[int, Fraction]:
    """The simplest first; a number that is too large before the smaller one whose digits it shares in a smaller unit."""
    return (_errors(rival), -_exact(rival.value))


def _errors(rival: Rival) -> int:
    return (rival.misconception is not None) + (rival.slip is not None)


def _listed(rival: Rival, key: Fraction) -> bool:
    """Each thought and each slip; both at once where the slip is of the unit, or where it would else seem close."""
    value = _exact(rival.value)
    return _errors(rival) == 1 or rival.slip in SEPARATED_SLIPS or abs(value - key) <= 2 * CLOSE * abs(key)


def _told(drill: Drill, value: Fraction) -> tuple[str, ...]:
    """What this package says to that very value."""
    expects = drill.posed.parts[0].expects
    unit, number = (f" {expects.unit}", value / _size(expects.unit)) if isinstance(expects, Quantity) else ("", value)
    return diagnose(drill, f"{_MANY_DIGITS.divide(Decimal(number.numerator), Decimal(number.denominator)):f}{unit}").says


def _units(drill: Drill) -> tuple[str, ...]:
    expects = drill.posed.parts[0].expects
    return _UNITS.get(str(expects.dimension), (expects.unit,)) if isinstance(expects, Quantity) else ()


def _size(unit: str) -> Fraction:
    return Fraction(str(unit_size(unit)[0]))


def _kept_size(drill: Drill) -> Fraction:
    """The unit that the answers are kept in, in base units."""
    units = _units(drill)
    return _size(units[0]) if units else Fraction(1)


def _multiplier(kept: str, unit: str) -> str:
    """How many of a unit make one of the unit that is kept: Moodle divides what was typed by it."""
    return f"{_decimal(_size(kept) / _size(unit)):.{_MULTIPLIER_DIGITS}f}".rstrip("0").rstrip(".")


def _how(drill: Drill) -> str:
    """In which form Moodle reads an answer; it takes fewer than this package does."""
    expects, units = drill.posed.parts[0].expects, _units(drill)
    if isinstance(expects, Quantity):
        listed = ", ".join(units)
        return f"Give one number with four significant digits and a unit, such as 12.34 {expects.unit}; no commas. Units: {listed}."
    if isinstance(expects, Count):
        return "Give a whole number, without a unit or commas."
    return "Give a plain number with four significant digits, such as 0.1234, without a unit, a percent sign or commas."


def _exact(value: Key) -> Fraction:
    assert isinstance(value, int | Fraction)
    return Fraction(value)


def _decimal(number: Fraction) -> Decimal:
    return _DIGITS.divide(Decimal(number.numerator), Decimal(number.denominator))


def _number(number: Fraction) -> str:
    return f"{_decimal(number).normalize():f}"


def _paragraphs(lines: tuple[str, ...]) -> str:
    return "".join(f"<p>{escape(line, quote=False)}</p>" for part in lines for line in part.split("\n") if line)


def _text(parent: ET.Element, text: str) -> None:
    ET.SubElement(parent, "text").text = text


MOODLE: Final = Exporter(
    name="moodle",
    says="a question bank in Moodle XML, a category for each question with its variants in it",
    kinds=frozenset({"compute", "limit", "backwards", "principle"}),
    verdicts=frozenset({"right", "wrong", "close", "not answered"}),
    self_study=False,
    files=_files,
)

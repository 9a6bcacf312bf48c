"""The Moodle bank gives Moodle's verdicts as this package gives them, under Moodle's own rule of the first interval that holds."""

from __future__ import annotations

import csv
import json
import random
import re
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import cache
from html import escape, unescape
from io import StringIO
from typing import NamedTuple
from xml.etree import ElementTree as ET

import pytest

from fsdp_sym.algebra.errors import FsdpSymError
from fsdp_sym.algebra.units import flop
from fsdp_sym.publishing.exporters.form import Bank
from fsdp_sym.publishing.exporters.moodle import MOODLE
from fsdp_sym.teaching.answers import Count, Quantity, Read, read
from fsdp_sym.teaching.classroom.responses import read_responses
from fsdp_sym.teaching.drills import QUESTIONS, Drill, Question, Rival, Variant, diagnose, pose, restore

CARRIED = [q for q in QUESTIONS.values() if q.kind in MOODLE.kinds]
NUMERIC = [q for q in CARRIED if q.kind != "principle"]
PRECISION = 1e-14  # php.ini's precision is 14


class Met(NamedTuple):
    """What Moodle makes of a response.

    Attributes
    ----------
    share : float
        Of the mark.
    says : str
        The feedback of the answer that was met.
    by_amount : bool
        Whether it was met by the amount, not by the bare number alone.
    """

    share: float
    says: str
    by_amount: bool

    @property
    def verdict(self) -> str:
        return "right" if self.share == 1 else "close" if "Close" in self.says else "wrong"


class Numerical:
    """Moodle's numerical question, from its XML: how a response is cut into number and unit, and which answer it meets.

    As in question/type/numerical/question.php and questiontype.php of Moodle 3.9 to 5.0, in English.
    """

    def __init__(self, xml: ET.Element) -> None:
        self.answers = [
            (a.findtext("text"), float(a.attrib["fraction"]) / 100, float(a.findtext("tolerance")), a.findtext("feedback/text"))
            for a in xml.findall("answer")
        ]
        self.units = {u.findtext("unit_name"): float(u.findtext("multiplier")) for u in xml.findall("units/unit")}
        self.graded = int(xml.findtext("unitgradingtype"))
        self.penalty = float(xml.findtext("unitpenalty"))

    def number_and_multiplier(self, response: str) -> tuple[float | None, float | None]:
        response = re.sub(r"(?:e|E|(?:x|\*|×)10(?:\^|\*\*))([+-]?\d+)", r"e\1", response.replace(" ", ""))
        # A comma groups digits, in English, and goes.
        response = response.replace(",", "")
        found = re.match(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?", response)
        if not found:
            return None, None
        unit = response[found.end() :]
        return float(found[0]), 1 / self.units[unit] if unit in self.units else None

    def respond(self, response: str) -> Met:
        value, multiplier = self.number_and_multiplier(response)
        if value is None:
            return Met(0, "", True)
        scaled = value if multiplier is None else value * multiplier
        for answer, share, tolerance, says in self.answers:
            if self.within(answer, tolerance, scaled):
                return Met(self.after_penalty(share, multiplier is not None), says, True)
            if self.within(answer, tolerance, value):
                return Met(self.after_penalty(share, False), says, False)
        raise AssertionError("a question without *")

    @staticmethod
    def within(answer: str, tolerance: float, value: float) -> bool:
        if answer == "*":
            return True
        middle = float(answer)
        reach = tolerance + PRECISION * max(abs(tolerance), abs(middle), PRECISION)
        return middle - reach <= value <= middle + reach

    def after_penalty(self, share: float, unit_is_right: bool) -> float:
        return share if unit_is_right or not self.graded else max(share - self.penalty * share, 0)


@cache
def exported() -> tuple[dict[str, ET.Element], tuple[Drill, ...], dict[str, bytes]]:
    """Three variants of every question that Moodle carries, by their codes."""
    bank = Bank("A course / its bank", tuple(tuple(pose(q, seed) for seed in range(3)) for q in CARRIED))
    files = MOODLE.export(bank)
    root = ET.fromstring(files["bank.xml"])
    by_code = {x.findtext("name/text"): x for x in root.findall("question") if x.attrib["type"] != "category"}
    return by_code, tuple(d for variants in bank.questions for d in variants), files


def codes() -> list[str]:
    return [f"{q.id}-{at:03d}" for q in NUMERIC for at in (1, 2, 3)]


def with_drill(code: str) -> tuple[Numerical, Drill]:
    by_code, drills, _ = exported()
    return Numerical(by_code[code]), drills[list(by_code).index(code)]


def spelled(value: Fraction, drill: Drill, unit: str | None = None) -> str:
    """A value as a student would type it, with more digits than are asked."""
    expects = drill.posed.parts[0].expects
    if isinstance(expects, Count):
        return str(value) if value.denominator == 1 else f"{float(value):.9f}"
    unit = (unit or expects.unit) if isinstance(expects, Quantity) else ""
    return f"{float(value / size_of(unit, drill)):.12g} {unit}".strip()


def size_of(unit: str, drill: Drill) -> Fraction:
    if not unit:
        return Fraction(1)
    outcome = read(f"1 {unit}", drill.posed.parts[0].expects)
    assert isinstance(outcome, Read)
    return Fraction(outcome.value)


@pytest.mark.parametrize("question", NUMERIC, ids=lambda q: q.id)
def test_moodle_gives_the_same_verdicts(question):
    tried = named_otherwise = 0
    moodle, drill = with_drill(f"{question.id}-002")
    rng = random.Random(question.id)
    for value in values(drill, rng):
        for unit in rng.sample(sorted(moodle.units), min(3, len(moodle.units))) or [None]:
            text = spelled(value, drill, unit)
            met, judged = moodle.respond(text), diagnose(drill, text)
            assert met.share == judged.earned, (text, drill.variant, met)
            assert met.verdict == judged.verdict or not met.by_amount, (text, drill.variant, met)
            tried += 1
            named_otherwise += met.verdict != judged.verdict
    assert named_otherwise <= tried // 100


def values(drill: Drill, rng: random.Random) -> list[Fraction]:
    """The right answer, every rival, answers about as far off as is allowed, and others over six decades."""
    key, rivals = Fraction(drill.keys[0]), [Fraction(r.value) for r in drill.rivals()]
    if isinstance(drill.posed.parts[0].expects, Count):
        return [key, *(v for v in rivals if v.denominator == 1), *(Fraction(rng.randrange(1, 2000)) for _ in range(40))]
    off = [key * (1 + Fraction(x)) for x in ("0.0005", "-0.0005", "0.003", "-0.012", "0.0195", "0.03", "-0.1")]
    return [key, *rivals, *off, *(key * Fraction(10 ** (rng.random() * 6 - 3)) for _ in range(60))]


@pytest.mark.parametrize("question", NUMERIC, ids=lambda q: q.id)
def test_a_misconception_and_a_slip_are_told_as_this_package_tells_them(question):
    """Also where the slip is in the unit itself: the right number with GiB behind it, or with bits."""
    moodle, drill = with_drill(f"{question.id}-001")
    single = [r for r in drill.rivals() if not (r.misconception and r.slip)]
    told = 0
    for rival in single:
        text = spelled(Fraction(rival.value), drill)
        met, judged = moodle.respond(text), diagnose(drill, text)
        if met.by_amount and judged.diagnosis:
            assert re.findall(r"<p>(.*?)</p>", met.says) == [escape(line, quote=False) for line in judged.says], text
            told += 1
    assert told >= len(single) - 2


def test_the_right_number_with_the_wrong_unit_is_told_the_slip():
    moodle, drill = with_drill("D-all-gather-001")
    number = spelled(Fraction(drill.keys[0]), drill).split()[0]
    assert moodle.respond(f"{number} MB").verdict == "right"
    for unit, slip in (("MiB", "gib-for-gb"), ("Mbit", "bits-for-bytes")):
        met = moodle.respond(f"{number} {unit}")
        judged = diagnose(drill, f"{number} {unit}")
        assert judged.diagnosis >= {slip}
        assert met.share == 0
        assert judged.says[0] in met.says


@pytest.mark.parametrize("typed", ["{} ", "{} frogs", "{} Mb", "{} mb", "newt", "{} B", "{} GB"])
def test_a_number_without_a_unit_that_is_listed_earns_nothing(typed):
    moodle, drill = with_drill("D-all-gather-001")
    number = spelled(Fraction(drill.keys[0]), drill).split()[0]
    assert moodle.respond(typed.format(number)).share == 0


def test_units_are_read_as_here_and_differ_in_more_than_capitals():
    """Two units that differ in capitals alone would be one row too many in a database that ignores them."""
    for code in codes():
        moodle, drill = with_drill(code)
        assert len({name.casefold() for name in moodle.units}) == len(moodle.units)
        sizes = {name: size_of(name, drill) for name in moodle.units}
        kept = next(iter(moodle.units), "")
        for name, multiplier in moodle.units.items():
            assert multiplier == pytest.approx(float(sizes[kept] / sizes[name]), rel=1e-6)
        assert all(name in exported()[0][code].findtext("questiontext/text") for name in moodle.units)


def test_a_unit_of_another_kind_is_the_only_one_that_is_listed():
    """A course of one's own may ask for operations."""
    drill = pose(QUESTIONS["D-all-gather"], 1)
    part = replace(drill.posed.parts[0], expects=Quantity(flop, "GFLOP"))
    made = replace(drill, posed=replace(drill.posed, parts=(part,)))
    moodle = Numerical(ET.fromstring(MOODLE.export(Bank("x", ((made,),)))["bank.xml"]).findall("question")[1])
    assert moodle.units == {"GFLOP": 1}
    assert moodle.respond(f"{float(drill.keys[0] / 10**9):.9g} GFLOP").share == 1


def test_the_right_answer_stands_first_and_the_star_last():
    for code in codes():
        answers = exported()[0][code].findall("answer")
        assert [a.attrib["fraction"] for a in answers] == ["100"] + ["0"] * (len(answers) - 1)
        assert answers[-1].findtext("text") == "*"
        assert all(a.findtext("feedback/text") for a in answers)
        # A count is right or not; everything else is taken to a thousandth.
        whole = isinstance(with_drill(code)[1].posed.parts[0].expects, Count)
        assert all((Decimal(a.findtext("tolerance")) == 0) == whole for a in answers[:-1])


def test_a_thought_with_a_slip_that_comes_near_the_truth_is_not_called_close():
    """Slips of a thousand on top of a thought are left out of the list, but for those that would be met as too few digits."""
    drill = pose(QUESTIONS["D-all-gather"], 1)
    near = Rival(drill.rivals()[0].misconception, "a-thousand-too-large", drill.keys[0] * Fraction(101, 100))
    made = replace(drill, question=OneRival(drill.question, near))
    root = ET.fromstring(MOODLE.export(Bank("x", ((made,),)))["bank.xml"])
    assert Numerical(root.findall("question")[1]).respond(spelled(near.value, drill)).verdict == "wrong"


class OneRival:
    """A question in all but its rivals."""

    def __init__(self, question: Question, rival: Rival) -> None:
        self.question, self.rival = question, rival

    def __getattr__(self, name: str) -> object:
        return getattr(self.question, name)

    def rivals(self, variant: Variant, part: int = 0) -> tuple[Rival, ...]:
        return (self.rival,)


def test_a_principle_is_one_choice_among_four():
    by_code, drills, _ = exported()
    for (code, xml), drill in zip(by_code.items(), drills, strict=True):
        if drill.posed.kind != "principle":
            continue
        assert xml.attrib["type"] == "multichoice"
        answers = xml.findall("answer")
        for answer, letter in zip(answers, "abcd", strict=True):
            assert (answer.attrib["fraction"] == "100") == (diagnose(drill, letter).verdict == "right"), code
        # The worked answer names a letter: Moodle must neither shuffle nor number otherwise.
        assert (xml.findtext("shuffleanswers"), xml.findtext("answernumbering")) == ("false", "abc")


def test_each_question_has_a_category_with_its_variants_in_it():
    root = ET.fromstring(exported()[2]["bank.xml"])
    inside: dict[str, list[str]] = {}
    for question in root:
        if question.attrib["type"] == "category":
            path = question.findtext("category/text")
        else:
            inside.setdefault(path, []).append(question.findtext("name/text"))
    assert inside == {f"$course$/top/A course // its bank/{q.id}": [f"{q.id}-{at:03d}" for at in (1, 2, 3)] for q in CARRIED}


def test_the_index_makes_each_variant_again():
    by_code, drills, files = exported()
    kept = json.loads(files["bank.json"])["questions"]
    assert list(kept) == list(by_code)
    for row, drill in zip(kept.values(), drills, strict=True):
        assert restore(Variant(row["question"], tuple((a, b) for a, b in row["drawn"]))).posed == drill.posed


def test_what_a_class_answers_is_read_back_with_the_index():
    """A quiz that drew the second variant of each question, answered rightly; the report shows question texts without their HTML."""
    by_code, drills, files = exported()
    asked = [(code, xml, drill) for (code, xml), drill in zip(by_code.items(), drills, strict=True) if code.endswith("-002")]
    header, row = ["Last name"], ["Anna"]
    for place, (_, xml, drill) in enumerate(asked, 1):
        header += [f"Question {place}", f"Response {place}"]
        chosen = drill.posed.lines["abcd".index(drill.keys[0])][3:] if drill.posed.kind == "principle" else spelled(drill.keys[0], drill)
        row += [unescape(re.sub(r"<[^>]+>", "\n", xml.findtext("questiontext/text"))), chosen]
    table = StringIO()
    csv.writer(table).writerows([header, row])
    responses = read_responses(table.getvalue().encode(), files["bank.json"])
    assert [(r.question, r.variant) for r in responses] == [(d.posed.question, d.variant) for _, _, d in asked]
    assert {diagnose(restore(r.variant), r.text).verdict for r in responses} == {"right"}


def test_text_from_outside_is_escaped():
    drill = pose(QUESTIONS["D-all-gather"], 1)
    hostile = replace(drill, posed=replace(drill.posed, prompt='<script>alert("&")</script>]]>'))
    xml = MOODLE.export(Bank("<b>", ((hostile,),)))["bank.xml"]
    root = ET.fromstring(xml)
    assert "&lt;script&gt;" in root.findtext("question[2]/questiontext/text")
    assert b"<script" not in xml


def test_what_moodle_cannot_carry_is_refused_by_name():
    refused = next(q for q in QUESTIONS.values() if q.kind == "faded")
    with pytest.raises(FsdpSymError, match=rf"moodle does not carry {refused.id} \(faded\)"):
        MOODLE.export(Bank("x", ((pose(refused, 1),),)))

"""The Canvas quiz by QTI's own match rule, against `diagnose`: which choice is right, and what is said of each."""

from __future__ import annotations

import datetime
import io
import re
import time
import zipfile
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from html import unescape
from xml.etree import ElementTree as ET

import pytest

from fsdp_sym.algebra.errors import FsdpSymError
from fsdp_sym.publishing.exporters import EXPORTERS
from fsdp_sym.publishing.exporters.answer_text import answer_text
from fsdp_sym.publishing.exporters.form import Bank
from fsdp_sym.teaching.answers import Choice, Count, Number, Quantity
from fsdp_sym.teaching.drills import QUESTIONS, diagnose, pose
from fsdp_sym.teaching.drills.separation import TOLERANCE

QTI = EXPORTERS["qti"]
_NS = {"q": "http://www.imsglobal.org/xsd/ims_qtiasiv1p2"}
CARRIED = {q.id: q for q in QUESTIONS.values() if q.kind in QTI.kinds}
# Text that Markdown, LaTeX, text2qti and XML would each take for something of theirs.
HOSTILE = "a_b_ *c* $x$ \\num{1} `d` <script>&amp; END_GROUP 'q' -- ... \"r\" [l](u) #h 1. {e} | ≤ 2·10⁹ !m"


def plain(html):
    return " ".join(unescape(re.sub("<[^>]*>", " ", html)).split())


def exported(questions, seeds=range(2)):
    return Bank("a bank", tuple(tuple(pose(q, s) for s in seeds) for q in questions))


def opened(bank):
    (content,) = QTI.export(bank).values()
    return zipfile.ZipFile(io.BytesIO(content))


class Item:
    """One item of the quiz, graded as the standard says: the conditions in their order, and which feedback each one shows."""

    def __init__(self, element):
        self.title = element.get("title")
        presentation = element.find("q:presentation", _NS)
        self.stem = plain(presentation.find("q:material/q:mattext", _NS).text)
        labels = presentation.findall(".//q:render_choice/q:response_label", _NS)
        self.choices = {label.get("ident"): plain(label.find(".//q:mattext", _NS).text) for label in labels}
        self.conditions = element.findall(".//q:respcondition", _NS)
        self.feedback = {f.get("ident"): plain(f.find(".//q:mattext", _NS).text) for f in element.findall("q:itemfeedback", _NS)}

    def respond(self, typed):
        score, shown = 0.0, []
        for condition in self.conditions:
            if not all(_holds(test, typed) for test in condition.find("q:conditionvar", _NS)):
                continue
            for setting in condition.findall("q:setvar", _NS):
                score = float(setting.text)
            shown += [self.feedback[d.get("linkrefid")] for d in condition.findall("q:displayfeedback", _NS)]
            if condition.get("continue") == "No":
                break
        return score, shown


def _holds(test, typed):
    match test.tag.split("}")[1]:
        case "varequal":
            return typed == test.text or (_number(typed) is not None and _number(typed) == _number(test.text))
        case "vargte":
            return _number(typed) >= _number(test.text)
        case "varlte":
            return _number(typed) <= _number(test.text)
        case "or":
            return any(_holds(inner, typed) for inner in test)
        case "and":
            return all(_holds(inner, typed) for inner in test)
        case "other":
            return True
        case name:
            raise AssertionError(name)


def _number(text):
    return Fraction(text) if re.fullmatch(r"-?[0-9.]+", text) else None


def groups(bank):
    """The sections of the quiz: for each part of each question, its items."""
    archive = opened(bank)
    (name,) = [n for n in archive.namelist() if re.search(r"assessment_\w+/text2qti_assessment_\w+\.xml", n)]
    root = ET.fromstring(archive.read(name))
    return [[Item(item) for item in section.findall("q:item", _NS)] for section in root.findall(".//q:section/q:section", _NS)]


def rights(drill):
    return [answer_text(key, part.expects) for key, part in zip(drill.keys, drill.posed.parts, strict=True)]


def judged(drill, at, text):
    texts = rights(drill)
    texts[at] = text
    found = diagnose(drill, *texts)
    return found.parts[at] if found.parts else found


def typed(drill, at, choice):
    """A choice's text as an answer: a lettered line by its letter."""
    lines = {" ".join(line[3:].split()): line[0] for line in drill.posed.lines if line[1:3] == ") "}
    return lines.get(choice, choice) if isinstance(drill.posed.parts[at].expects, Choice) else choice


def without_rivals(drill):
    """The same drill, of a question about which no wrong thought is known."""
    bare = object.__new__(type("Bare", (type(drill.question),), {"rivals": lambda *_: ()}))
    bare.__dict__.update(drill.question.__dict__)
    return replace(drill, question=bare)


@pytest.fixture(scope="module")
def quiz():
    bank = exported(CARRIED.values())
    parts = [(variants, at) for variants in bank.questions for at in range(len(variants[0].posed.parts))]
    sections = groups(bank)
    assert len(parts) == len(sections)
    found = []
    for (variants, at), items in zip(parts, sections, strict=True):
        assert items
        for item in items:
            drills = [d for d in variants if " ".join(d.posed.prompt.split()) in item.stem and _shows(d, item)]
            assert drills, item.stem
            found.append((drills[0], at, item))
    return found


def _shows(drill, item):
    return all(" ".join(line.split()).split(") ", 1)[-1] in item.stem or line[3:] in item.choices.values() for line in drill.posed.lines)


def test_a_choice_is_right_or_wrong_as_diagnose_says_and_says_what_it_says(quiz):
    asked = Counter()
    for drill, at, item in quiz:
        right = 0
        for ident, choice in item.choices.items():
            verdict = judged(drill, at, typed(drill, at, choice))
            score, shown = item.respond(ident)
            assert verdict.verdict in ("right", "wrong")
            assert (score == 100) == (verdict.verdict == "right"), (item.stem, choice)
            assert shown == [plain(" ".join(verdict.says))]
            right += score == 100
        if item.choices:
            assert right == 1
            asked[drill.posed.kind] += 1
    assert set(asked) == QTI.kinds


def test_wrong_thoughts_are_offered_and_never_the_truth_twice(quiz):
    for drill, at, item in quiz:
        if not item.choices or isinstance(drill.posed.parts[at].expects, Choice):
            continue
        wrong = [text for text in item.choices.values() if judged(drill, at, text).verdict == "wrong"]
        assert 3 <= len(wrong) <= 4
        assert len(set(item.choices.values())) == len(item.choices) == len(wrong) + 1
        # No thought is behind "none", nor behind the multiples of a formula.
        assert sum(bool(judged(drill, at, text).diagnosis) for text in wrong) >= (1 if drill.posed.kind == "formula" else len(wrong) - 1)


def test_a_number_is_right_within_its_tolerance(quiz):
    numeric = [(drill, at, item) for drill, at, item in quiz if not item.choices]
    for name in ("D-steps", "E-ratio"):
        ((item,),) = groups(Bank("a", ((without_rivals(drill := pose(CARRIED[name], 3)),),)))
        numeric.append((drill, 0, item))
    assert {type(drill.posed.parts[at].expects) for drill, at, _ in numeric} == {Count, Number}
    for drill, at, item in numeric:
        part, key = drill.posed.parts[at], drill.keys[at]
        assert not isinstance(part.expects, Quantity)
        exact = isinstance(part.expects, Count)
        values = [key, *(rival.value for rival in drill.rivals(at))]
        values += [key + 1] if exact else [key * (1 + off * TOLERANCE) for off in (Fraction(1, 3), Fraction(-1, 3), 3, -3, 50)]
        for value in values:
            text = str(value) if exact else f"{float(value):.6f}"
            if exact and value != int(value):
                continue
            score, shown = item.respond(text)
            verdict = judged(drill, at, text).verdict
            assert (score == 100) == (verdict == "right"), (item.stem, text)
            assert shown == (["Right."] if score else [plain(f"Not this. {drill.question.hints(drill.variant)[0]}")])


def test_a_count_of_none_is_no_number_for_text2qti_and_another_variant_is_drawn_instead():
    question = CARRIED["M-empty"]
    drills = [pose(question, seed) for seed in range(12)]
    nothing, some = ([d for d in drills if bool(d.keys[0]) is known] for known in (False, True))
    assert nothing
    assert some
    (items,) = groups(Bank("a", ((nothing[0], some[0]),)))
    assert [item.choices or item.respond(str(some[0].keys[0]))[0] for item in items] == [100]
    with pytest.raises(FsdpSymError, match="qti has no item for M-empty"):
        QTI.export(Bank("a", ((nothing[0],),)))


def test_the_right_choice_stands_anywhere():
    (items,) = groups(exported([CARRIED["D-all-gather"]], range(60)))
    places = Counter(list(map(item.respond, item.choices)).index((100.0, ["Right."])) for item in items)
    assert len(items) > 40
    assert set(places) == set(range(5))
    assert max(places.values()) < len(items) / 2


def test_what_is_displayed_has_no_grouping_and_no_exponent(quiz):
    for drill, at, item in quiz:
        if isinstance(drill.posed.parts[at].expects, Quantity) and item.choices:
            for choice in item.choices.values():
                number, unit = choice.split(" ", 1)
                assert unit == drill.posed.parts[at].expects.unit
                assert re.fullmatch(r"[0-9]+(\.[0-9]+)?", number)
                assert Fraction(number) >= Fraction(1, 10**4)


def test_a_group_draws_one_variant_and_every_question_is_worth_the_same():
    drills = [next(q for q in CARRIED.values() if q.kind == kind) for kind in ("compute", "choose")]
    archive = opened(exported(drills))
    assessment = next(archive.read(n).decode() for n in archive.namelist() if n.endswith(".xml") and "assessment" in n and "meta" not in n)
    assert re.findall(r"<selection_number>(\d+)<", assessment) == ["1", "1", "1"]
    assert re.findall(r"<points_per_item>([\d.]+)<", assessment) == ["2", "1", "1"]


def test_variants_that_read_alike_are_left_out():
    question = CARRIED["A-bytes-per-parameter"]
    (items,) = groups(exported([question], range(12)))
    assert len({item.stem for item in items}) == len(items) < 12
    again = CARRIED["D-all-gather"]
    first, second = groups(Bank("a", (tuple(pose(again, s) for s in (1, 2)), tuple(pose(again, s) for s in (2, 3)))))
    assert not {item.stem for item in first} & {item.stem for item in second}
    with pytest.raises(FsdpSymError, match=r"qti has no item for D-all-gather: .* reads the same"):
        QTI.export(exported([again, again]))


def test_text_from_outside_stays_text():
    drill = pose(CARRIED["D-all-gather"], 1)
    drill = replace(drill, posed=replace(drill.posed, prompt=f"{HOSTILE}\n\n1. {HOSTILE}"))
    bank = Bank(f"T <b> & \n {HOSTILE}", ((drill,),))
    ((item,),) = groups(bank)
    assert item.stem == " ".join(f"{HOSTILE} 1. {HOSTILE}".split())
    meta = next(opened(bank).read(n).decode() for n in opened(bank).namelist() if n.endswith("assessment_meta.xml"))
    assert ET.fromstring(meta).find("{*}title").text == " ".join(f"T <b> & {HOSTILE}".split())


def test_another_day_gives_the_same_bytes(monkeypatch):
    bank = exported([CARRIED["D-all-gather"], CARRIED["A-fits"]])
    first = QTI.export(bank)

    class Another(datetime.date):
        @classmethod
        def today(cls):
            return cls(2031, 2, 3)

    monkeypatch.setattr(datetime, "date", Another)
    later = time.localtime(1_930_000_000)
    monkeypatch.setattr(time, "localtime", lambda *_: later)
    monkeypatch.setattr(time, "time", lambda: 1_930_000_000.0)
    assert QTI.export(bank) == first
    archive = opened(bank)
    assert {each.date_time for each in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
    assert b"<imsmd:dateTime>1980-01-01<" in archive.read("imsmanifest.xml")


def test_what_is_not_carried_is_refused_by_name():
    faded = next(q for q in QUESTIONS.values() if q.kind == "faded")
    assert QTI.kinds == {q.kind for q in QUESTIONS.values()} - {"faded"}
    assert QTI.verdicts == {"right", "wrong"}
    with pytest.raises(FsdpSymError, match=f"qti does not carry {faded.id}"):
        QTI.export(Bank("a", ((pose(faded, 1),),)))


def test_a_question_with_too_little_to_choose_from_is_refused_by_name():
    drill = next(d for d in (pose(CARRIED["H-split"], seed) for seed in range(50)) if d.keys[0] is not None)
    with pytest.raises(FsdpSymError, match="qti has no item for H-split: there are fewer than 3 wrong answers"):
        QTI.export(Bank("a", ((without_rivals(drill),),)))

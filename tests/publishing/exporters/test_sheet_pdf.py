"""A typeset sheet: made without a key, tagged, whole questions on a page, and every name as itself."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest
from pypdf import PageObject, PdfReader
from pypdf.generic import ArrayObject, DictionaryObject

from fsdp_sym.algebra.errors import FsdpSymError
from fsdp_sym.publishing.exporters import sheet_pdf
from fsdp_sym.publishing.exporters.answer_text import answer_text
from fsdp_sym.publishing.exporters.wrong_answers import thoughts
from fsdp_sym.teaching.classroom.expected import fields
from fsdp_sym.teaching.classroom.sheet import Sheet
from fsdp_sym.teaching.drills import KINDS, QUESTIONS, Drill, pose, restore

ONE_OF_EACH = tuple(next(q for q in QUESTIONS.values() if q.kind == kind) for kind in KINDS)
TWENTY = tuple(QUESTIONS.values())[::3][:20]
ID = "hw1-7f3a9c2e"


@cache
def drills(questions=ONE_OF_EACH, seed=7) -> tuple[Drill, ...]:
    return tuple(pose(question, seed) for question in questions)


def sheet_of(found=None, **other) -> Sheet:
    labelled = tuple((f"Q{at}", drill.posed) for at, drill in enumerate(drills() if found is None else found, 1))
    return Sheet(**{"assignment": "hw1", "id": ID, "student": "Ada Lovelace", "questions": labelled, "due": "12 March"} | other)


def pages(pdf: bytes) -> list[PageObject]:
    return list(PdfReader(io.BytesIO(pdf)).pages)


def words(page: PageObject) -> str:
    return " ".join(page.extract_text().split())


def joined(text: str) -> str:
    """A text without its spaces, and so without its line breaks."""
    return "".join(text.split())


def tags(pdf: bytes) -> Iterator[DictionaryObject]:
    def walk(node):
        node = node.get_object()
        if isinstance(node, ArrayObject):
            for child in node:
                yield from walk(child)
        elif isinstance(node, DictionaryObject) and "/S" in node:
            yield node
            if "/K" in node:
                yield from walk(node["/K"])

    yield from walk(PdfReader(io.BytesIO(pdf)).trailer["/Root"]["/StructTreeRoot"]["/K"])


def digits(number: Fraction | str) -> str:
    """The digits of a number as it may be printed, in any unit of tens: no point, no zeros at the ends."""
    return re.sub(r"\D", "", str(number)).strip("0")


def test_the_bytes_are_the_same_with_every_key_and_rival_replaced(monkeypatch):
    made = {large: sheet_pdf.export(sheet_of(large_print=large)) for large in (False, True)}
    variants = [drill.variant for drill in drills()]
    for kind in {type(question) for question in ONE_OF_EACH}:
        monkeypatch.setattr(kind, "keys", lambda self, variant: ("86421357",) * 9)
        for name in ("rivals", "solution", "hints", "differs", "carried"):
            monkeypatch.setattr(kind, name, lambda self, *args: ("86421357",) * 9)
    replaced = tuple(restore(variant) for variant in variants)
    assert all("86421357" in drill.keys for drill in replaced)
    assert made == {large: sheet_pdf.export(sheet_of(replaced, large_print=large)) for large in (False, True)}


def numbers(text: str) -> set[str]:
    return {digits(number) for number in re.findall(r"\d[\d,]*(?:\.\d+)?", text)}


def test_no_answer_of_four_digits_stands_on_a_sheet():
    looked = 0
    for drill in drills(tuple(QUESTIONS.values()), 3):
        numeric = [(key, part) for key, part in zip(drill.keys, drill.posed.parts, strict=True) if isinstance(key, int | Fraction)]
        answers = {digits(answer_text(key, part.expects).partition(" ")[0]) for key, part in numeric}
        # A line of a worked example may come to the same number as the one that is asked for.
        long = {answer for answer in answers if len(answer) >= 4} - numbers(" ".join(drill.posed.lines))
        if long:
            looked += len(long)
            assert not long & numbers(" ".join(map(words, pages(sheet_pdf.export(sheet_of((drill,))))))), drill
    assert looked > 25


def test_another_process_makes_the_same_bytes(tmp_path):
    code = """
import sys
from fsdp_sym.publishing.exporters import sheet_pdf
from fsdp_sym.teaching.classroom.sheet import Sheet
from fsdp_sym.teaching.drills import QUESTIONS, pose
found = [pose(QUESTIONS[name], 7) for name in ("D-all-gather", "A-fits")]
sheet = Sheet("hw1", "hw1-7f3a9c2e", "Ada", tuple((f"Q{n}", drill.posed) for n, drill in enumerate(found, 1)))
sys.stdout.buffer.write(sheet_pdf.export(sheet) + sheet_pdf.export_key(sheet, found))
"""
    root = str(Path(__file__).parents[3])
    made = [
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONPATH": root, "PYTHONHASHSEED": seed, "TZ": zone, "SOURCE_DATE_EPOCH": epoch},
            cwd=tmp_path, capture_output=True, check=True,
        ).stdout
        for seed, zone, epoch in (("1", "UTC", "1"), ("2", "Asia/Tokyo", "1700000000"))
    ]  # fmt: skip
    assert made[0].startswith(b"%PDF")
    assert made[0] == made[1]


@pytest.mark.parametrize(
    "name",
    [
        '#import "@preview/x:1.0.0": *', "#{1 + 1} #panic()", "$x^2$ *bold* _it_ `raw`", "= Heading", "- item + item / term",
        "[a](b) <label> @ref", '"quoted" \'single\' \\" \\\\ //c /* c */', "~ -- --- ... \\u{41} \\n", "Zoë O'Hara-Łukasz", "Ω ж ő ß",
        "</Document> (x) << >>",
    ],
)  # fmt: skip
def test_names_and_dates_come_out_as_they_are(name):
    plain, made = (words(pages(sheet_pdf.export(sheet_of(drills()[:1], student=n, due=n)))[0]) for n in ("Ada", name))
    assert made.count(name) == 2
    assert made.replace(name, "Ada") == plain


def test_a_name_cannot_break_a_line_or_turn_letters_around():
    made = words(pages(sheet_pdf.export(sheet_of(drills()[:1], student="a\nb\0c\u202eabc\u2066 \ud800x")))[0])
    assert "Name a b c\ufffdabc\ufffd \ufffdx Sheet" in made


@pytest.mark.parametrize("name", ["山田太郎", "नमस्ते", "محمد", "😀", "\U000e0001\ue000"])
def test_a_name_in_any_script_is_printed_and_the_rest_with_it(name):
    made = sheet_pdf.export(sheet_of(drills()[:1], student=name))
    assert f"Sheet {ID}" in words(pages(made)[0])
    assert {"/H1", "/H2"} <= {tag["/S"] for tag in tags(made)}


@pytest.mark.parametrize("large", [False, True])
def test_a_sheet_is_tagged(large):
    made = sheet_pdf.export(sheet_of(large_print=large))
    root = PdfReader(io.BytesIO(made)).trailer["/Root"]
    assert root["/Lang"] == "en-US"
    assert root["/MarkInfo"]["/Marked"]
    assert root["/ViewerPreferences"]["/DisplayDocTitle"]
    assert b"<pdfuaid:part>1</pdfuaid:part>" in root["/Metadata"].get_data()
    assert PdfReader(io.BytesIO(made)).metadata.title == f"hw1, sheet {ID}"
    found = list(tags(made))
    sheet = sheet_of()
    assert [tag["/T"] for tag in found if tag["/S"] == "/H1"] == ["hw1"]
    assert [tag["/T"] for tag in found if tag["/S"] == "/H2"] == [label for label, _ in sheet.questions]
    boxes = [field for label, posed in sheet.questions for field in fields(label, posed)]
    assert [tag["/Alt"] for tag in found if tag["/S"] == "/Figure"] == [f"Box for the answer to {field}" for field in boxes]
    assert sum(tag["/S"] == "/LI" for tag in found) == sum(len(posed.lines) for _, posed in sheet.questions)


def test_every_page_says_which_sheet_and_which_page_it_is():
    for large in (False, True):
        found = pages(sheet_pdf.export(sheet_of(drills(TWENTY), large_print=large)))
        assert len(found) > 3
        for at, page in enumerate(found, 1):
            assert f"Sheet {ID}" in words(page)
            assert f"Page {at} of {len(found)}" in words(page)
            assert "Ada Lovelace" in words(page)


@pytest.mark.parametrize("large", [False, True])
def test_no_question_is_parted_from_its_boxes(large):
    for found in (drills(TWENTY), drills()):
        sheet = sheet_of(found, large_print=large)
        texts = [joined(page.extract_text()) for page in pages(sheet_pdf.export(sheet))]
        for label, posed in sheet.questions:
            (page,) = [text for text in texts if f"{label}{joined(' '.join(posed.prompt.split()[:4]))}" in text]
            at = {field: re.compile(rf"Answer{re.escape(field)}(?![\d.])") for field in fields(label, posed)}
            # In large print a worked example can be longer than a page; then each box still stands below what goes into it.
            assert all(box.search(page) for box in at.values()) or (large and posed.kind in ("faded", "wrong line"))
            for box, part in zip(at.values(), posed.parts, strict=True):
                (below,) = [text for text in texts if box.search(text)]
                assert joined(part.ask) in below


def places(pdf: bytes) -> list[tuple[float, float]]:
    """The size of each piece of text and how far above the lower edge it stands, in points."""
    found: list[tuple[float, float]] = []

    def visit(text: str, cm: list[float], tm: list[float], font: object, size: float) -> None:
        if text.strip():
            found.append((abs(size * tm[3] * cm[3]), tm[5] * cm[3] + cm[5]))

    for page in pages(pdf):
        page.extract_text(visitor_text=visit)
    return found


def test_large_print_has_no_small_letters():
    assert min(size for size, _ in places(sheet_pdf.export(sheet_of(large_print=True)))) > 17.9
    assert 9 < min(size for size, _ in places(sheet_pdf.export(sheet_of()))) < 10


@pytest.mark.parametrize("large", [False, True])
def test_a_question_longer_than_a_page_goes_on_to_the_next(large):
    posed = replace(drills()[0].posed, prompt="word " * 2000)
    made = sheet_pdf.export(sheet_of(questions=(("Q1", posed),), large_print=large))
    assert sum(words(page).count("word ") for page in pages(made)) >= 2000
    assert all(20 < place < 842 for _, place in places(made))


def test_the_signs_of_formulas_are_printed():
    signs = "⌈P/N⌉ ⌊x⌋ ≤ ≥ → µ · × ≈ ∞ √ Σ φ ρ σ κ χ ω 10⁹ 2³⁰ Δ"
    posed = drills()[0].posed
    changed = replace(posed, prompt=signs)
    made = sheet_pdf.export(sheet_of(questions=(("Q1", changed),)))
    assert signs in words(pages(made)[0])
    assert b"<pdfuaid:part>1</pdfuaid:part>" in PdfReader(io.BytesIO(made)).trailer["/Root"]["/Metadata"].get_data()


def test_a_key_holds_each_answer_how_it_is_found_and_what_it_tells():
    sheet = sheet_of()
    made = sheet_pdf.export_key(sheet, drills())
    text = joined("".join(page.extract_text() for page in pages(made)))
    assert f"Key to hw1, sheet {ID}" == PdfReader(io.BytesIO(made)).metadata.title
    for (label, posed), drill in zip(sheet.questions, drills(), strict=True):
        for at, (field, key) in enumerate(zip(fields(label, posed), drill.keys, strict=True)):
            assert joined(f"Answer {field}: {answer_text(key, posed.parts[at].expects)}") in text
            assert all(joined(told) in text for told in thoughts(drill, at).values())
    found = [tag["/S"] for tag in tags(made)]
    assert found.count("/Table") >= 3
    assert found.count("/TH") == 2 * found.count("/Table")


def test_a_missing_compiler_is_one_line(monkeypatch):
    monkeypatch.setitem(sys.modules, "typst", None)
    with pytest.raises(FsdpSymError, match=r"^a PDF sheet needs the package typst: pip install 'fsdp_sym\[export\]'$"):
        sheet_pdf.export(sheet_of())

"""Sheets for marks, as notebook and Markdown: made from what holds no key, safe with any name, found again when returned."""

from __future__ import annotations

import dataclasses
import re
from decimal import Decimal
from fractions import Fraction

import nbformat
import pytest

from fsdp_sym.algebra.units import UNITS, unit_size
from fsdp_sym.publishing.exporters import sheet_markdown, sheet_notebook
from fsdp_sym.publishing.exporters.notebook import to_bytes
from fsdp_sym.publishing.exporters.sheet_text import plain
from fsdp_sym.teaching.answers import Quantity
from fsdp_sym.teaching.classroom.assignment import sheet_of
from fsdp_sym.teaching.classroom.expected import expected_in, fields
from fsdp_sym.teaching.classroom.record import Asked, Header, SheetRecord
from fsdp_sym.teaching.classroom.sheet import Sheet
from fsdp_sym.teaching.classroom.submissions import read_notebook
from fsdp_sym.teaching.drills import QUESTIONS, Drill, Rival, Variant, pose, restore

EXPORTERS = [sheet_notebook, sheet_markdown]
HEADER = Header("hw1", tuple(Asked(f"Q{at}", name) for at, name in enumerate(QUESTIONS, 1)), "0.1.0")
RECORDS = [
    SheetRecord(
        f"hw1-{seed:010x}", f"s{seed}", "Anna", "2026-03-14", "", False, tuple(pose(q, seed).variant.drawn for q in QUESTIONS.values())
    )
    for seed in range(3)
]
# That ZeRO-1 moves what an all-reduce does is what this one teaches, and the all-reduce stands on it.
SAME_BY_DESIGN = {"G-traffic-faded"}


def drills_of(record: SheetRecord) -> tuple[tuple[str, Drill], ...]:
    """Made again now, whatever was remembered of them."""
    return tuple((asked.label, restore(Variant(asked.id, drawn))) for asked, drawn in zip(HEADER.questions, record.variants, strict=True))


def sheet(record: SheetRecord, large_print: bool = False) -> Sheet:
    return sheet_of(HEADER, record, drills_of(record), large_print)


def alone(drill: Drill) -> Sheet:
    record = SheetRecord("hw1-0a1b2c3d4e", "s1", "Anna", "", "", False, (drill.variant.drawn,))
    return sheet_of(Header("hw1", (Asked("Q1", drill.question.id),), ""), record, (("Q1", drill),), large_print=False)


# No key.


@pytest.mark.parametrize("exporter", EXPORTERS, ids=lambda e: e.SUFFIX)
def test_with_every_key_and_rival_replaced_the_bytes_are_the_same(exporter, monkeypatch: pytest.MonkeyPatch) -> None:
    before = [exporter.export(sheet(record, large)) for record in RECORDS for large in (False, True)]
    garbage = {
        "keys": lambda self, variant: tuple(Fraction(98_765_432_101, at + 1) for at in range(len(self.posed(variant).parts))),
        "rivals": lambda *_: (Rival("no-such-thought", None, Fraction(12_345)),),
        "solution": lambda *_: ("garbage",),
        "hints": lambda *_: ("garbage", "garbage", "garbage"),
        "differs": lambda *_: "garbage",
        "ambiguous": lambda *_: (frozenset({"garbage"}),),
        "carried": lambda *_: Fraction(1),
    }
    for kind in {type(question) for question in QUESTIONS.values()}:
        for name, lie in garbage.items():
            monkeypatch.setattr(kind, name, lie)
    drills = drills_of(RECORDS[0])
    assert all(key.numerator == 98_765_432_101 for _, drill in drills for key in drill.keys if key.denominator == 1)
    assert [exporter.export(sheet(record, large)) for record in RECORDS for large in (False, True)] == before


def four_digits(number: Fraction) -> str | None:
    """The first four significant digits, rounded, of a number that has so many; None of one that has not."""
    value = Decimal(number.numerator) / Decimal(number.denominator)
    digits = "".join(map(str, value.normalize().as_tuple().digits))
    return f"{value:.3e}"[:5].replace(".", "") if len(digits) >= 4 else None


def numbers_in(text: str) -> set[str]:
    """Every number of four significant digits or more that is printed, by its first four."""
    found = re.findall(r"\d[\d,_]*(?:\.\d+)?", re.sub(r"&#\d+;", " ", text))
    return {digits for number in found if (digits := four_digits(Fraction(number.replace(",", "").replace("_", "")))) is not None}


def keys_of(drill: Drill) -> set[str]:
    """The digits of a drill's keys, in every unit that an answer could be given in."""
    found = set()
    for part, key in zip(drill.posed.parts, drill.keys, strict=True):
        if isinstance(key, int | Fraction):
            sizes = {Fraction(1)}
            if isinstance(part.expects, Quantity):
                sizes |= {Fraction(str(size)) for size, dimension in UNITS.values() if dimension == part.expects.dimension}
                sizes.add(Fraction(str(unit_size(part.expects.unit)[0])))
            found |= {digits for size in sizes if (digits := four_digits(Fraction(key) / size))}
    return found


def leaks(drill: Drill, text: str) -> set[str]:
    """The digits of a key that are printed, but for those of a given, and of the right lines of a worked example with a wrong one."""
    allowed = [value for _, value in drill.posed.givens]
    if drill.posed.kind == "wrong line":
        allowed += [line for line in drill.posed.lines if not line.startswith(f"{drill.keys[0]}.")]
    return keys_of(drill) & numbers_in(text) - numbers_in(" ".join(allowed))


@pytest.mark.parametrize("exporter", EXPORTERS, ids=lambda e: e.SUFFIX)
def test_no_key_of_four_digits_is_printed(exporter) -> None:
    """A tenth, or bits for bytes, can give a key the digits of something else now and then; what is printed is so every time."""
    searched = 0
    for question in QUESTIONS.values():
        drills = [pose(question, seed) for seed in range(5)]
        texts = [exporter.export(alone(drill)).decode() for drill in drills]
        found = [digits for drill, text in zip(drills, texts, strict=True) if (digits := leaks(drill, text))]
        assert len(found) < 3 or question.id in SAME_BY_DESIGN, f"{question.id}: {found}"
        searched += any(keys_of(drill) for drill in drills)
    assert searched > 30


def test_the_search_finds_a_key_that_is_printed() -> None:
    drill = pose(QUESTIONS["D-all-gather"], 8)
    assert (drill.posed.givens, drill.keys) == ((("S", "2.3 GB"), ("N", "4")), (Fraction(1_725_000_000),))
    for told in ("1,725", "1.725 GB", "1725000000", "1.607 GiB"):
        assert leaks(drill, f"some text {told} and more"), told
    assert not leaks(drill, "2.3 GB on 4 ranks in 2026, 1724 or 17.2")


# Names from outside, and texts of a course.

HOSTILE = (
    "Ke$ha $\\href{javascript:x}{y}$ \\(z\\) <b onclick=x>*Doe*</b> http://x.example www.x.example a@x.example "
    "[l](x) `c` &lt; __u__ Sheet: hw1-x"
)


def test_a_name_is_text_and_nothing_else() -> None:
    text = sheet_markdown.export(dataclasses.replace(sheet(RECORDS[0]), student=HOSTILE)).decode()
    (line,) = [line for line in text.splitlines() if line.startswith("For: ")]
    assert not re.search(r"[<>*`$\\\[\](){}@:/_=]|www\.", line.removeprefix("For: "))
    notebook = sheet_notebook.export(dataclasses.replace(sheet(RECORDS[0]), student=HOSTILE))
    assert read_notebook(notebook).sheet == RECORDS[0].sheet


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("1. a\n- b\n+ c\n# d\n> e\n    f\n= g\n12) h", "1\\. a\n\\- b\n\\+ c\n\\# d\n&#62; e\nf\n\\= g\n12\\) h"),
        ("x_1 * y_2 < `z` & [w](v) ~u~ $t$ \\s", "x\\_1 \\* y\\_2 &#60; \\`z\\` &#38; &#91;w&#93;(v) \\~u\\~ ＄t＄ ＼s"),
        ("(N - 1)/N·S of 1.2 GB", "(N - 1)/N·S of 1.2 GB"),
    ],
)
def test_a_questions_text_is_shown_as_it_stands(text: str, written: str) -> None:
    assert plain(text) == written


# The notebook.


@pytest.mark.parametrize("large_print", [False, True])
def test_the_notebook_is_one_that_jupyter_would_write(large_print: bool) -> None:
    written = [sheet_notebook.export(sheet(record, large_print)) for record in RECORDS]
    ids = []
    for content in written:
        notebook = nbformat.reads(content.decode(), as_version=4)
        nbformat.validate(notebook)
        assert to_bytes(notebook) == content
        ids.append([cell.id for cell in notebook.cells])
        assert len(set(ids[-1])) == len(ids[-1])
        assert {cell.cell_type for cell in notebook.cells} == {"markdown"}
    assert ids[0] == ids[1] == ids[2]
    assert len(set(written)) == 3


def test_answers_are_found_where_the_sheet_asks_for_them() -> None:
    for large_print in (False, True):
        one = sheet(RECORDS[0], large_print)
        asked = {field: expects for label, posed in one.questions for field, expects in fields(label, posed).items()}
        notebook = nbformat.reads(sheet_notebook.export(one).decode(), as_version=4)
        assert expected_in("\n".join(cell.source for cell in notebook.cells)) == asked
        blank = read_notebook(to_bytes(notebook))
        assert (blank.sheet, blank.answers, blank.problems) == (one.id, dict.fromkeys(asked, ""), ())
        for cell in notebook.cells:
            if cell.id.endswith("-answer"):
                cell.source += f"my {cell.id}"
                cell.id = "lost" + cell.id
        filled = read_notebook(to_bytes(notebook))
        assert filled.answers == {field: f"my {field.lower().replace('.', '-')}-answer" for field in asked}
        assert filled.problems == ()


def test_every_ask_is_on_the_sheet_and_large_print_is_large() -> None:
    one = sheet(RECORDS[1])
    text = sheet_markdown.export(one).decode()
    for _, posed in one.questions:
        for words in (posed.prompt, *posed.lines, *(part.ask for part in posed.parts)):
            assert plain(words) in text
    assert "Due: 2026-03-14\n" in text.replace("&#45;", "-")
    shown = [line for line in sheet_markdown.export(sheet(RECORDS[1], large_print=True)).decode().splitlines() if line]
    assert all(line.startswith(("# ", "## ", "<!--")) for line in shown)

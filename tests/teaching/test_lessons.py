"""What every lesson keeps to: no typed numbers, no open references, no result before it is asked for."""

import re

import pytest

from fsdp_sym.algebra.units import show
from fsdp_sym.figures.picture import pictures
from fsdp_sym.publishing.exporters.notebook import notebook
from fsdp_sym.reasoning.catalogue import formulas
from fsdp_sym.scenarios.cells import CELLS
from fsdp_sym.teaching.forecast import truth
from fsdp_sym.teaching.lessons import LESSONS
from fsdp_sym.teaching.lessons.blocks import Ask, Conventions, Derive, Forecast, Plot, Reveal, Say, Work, YourNumbers
from fsdp_sym.teaching.lessons.words import filled, worked

PLACE = re.compile(r"\[\[[^\]]*\]\]")
RESULT = re.compile(r"\[\[(?P<slug>[\w-]+)(?:\|[^\]]*)?\]\]")
NAMES = re.compile(r"ZeRO-[123]|\bfp16\b|\bfp32\b|\bbf16\b|\bFSDP2\b|\b3-D\b|\bGPT-3\b")
STRUCTURE = (PLACE, re.compile(r"\$[^$]*\$"), re.compile(r"`[^`]*`"), re.compile(r"\]\([^)]*\)"), NAMES)
NUMERALS = re.compile(
    r"\b(ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|billion)\b", re.IGNORECASE
)
NUMBER = re.compile(r"\d[\d,.]*(?:/\d[\d,.]*)?(?:e\d+)?")

every_lesson = pytest.mark.parametrize("lesson", LESSONS.values(), ids=LESSONS)
cell_lessons = pytest.mark.parametrize("lesson", [x for x in LESSONS.values() if x.cell], ids=lambda x: x.id)


def prose(lesson):
    """Every text of a lesson, by slug."""
    for block in lesson.blocks:
        match block:
            case Say(slug, text) | Forecast(slug, text):
                yield slug, text
            case Ask(slug, question, answer):
                yield slug, question
                yield slug, answer


def without(text, patterns):
    for pattern in patterns:
        text = pattern.sub(" ", text)
    return text


def typed_numbers(text):
    """Digits and numerals above nine that are neither structure nor a name."""
    bare = without(text, STRUCTURE)
    return re.findall(r"\S*\d\S*", bare) + [found[0] for found in NUMERALS.finditer(bare)]


def numbers(text, significant=4):
    """The numbers of a text that have so many digits that they hardly occur by chance."""
    found = {number[0].rstrip(".,") for number in NUMBER.finditer(text)}
    return {n for n in found if len(re.sub(r"\D", "", n.partition("e")[0]).lstrip("0")) >= significant}


def test_there_is_a_lesson_for_every_cell_and_none_twice():
    taught = [lesson.cell for lesson in LESSONS.values() if lesson.cell]
    assert sorted(taught) == sorted(CELLS)
    assert {"start-here", "self-test"} <= set(LESSONS)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("fp32 and ZeRO-3 on [[@N]] ranks, $2^{30}$ of them, see [D](D-1.ipynb)", []),
        ("on 64 ranks", ["64"]),
        ("a 7B model", ["7B"]),
        ("on sixty-four ranks", ["sixty"]),
        ("twice or half of it, two collectives", []),
    ],
)
def test_typed_numbers_are_told_from_structure(text, found):
    assert typed_numbers(text) == found


@every_lesson
def test_prose_types_no_number(lesson):
    assert {slug: typed_numbers(text) for slug, text in prose(lesson) if typed_numbers(text)} == {}


@every_lesson
def test_every_placeholder_is_filled(lesson):
    for _, text in prose(lesson):
        said = filled(lesson, text)
        assert "[[" not in said
        assert "]]" not in said


@every_lesson
def test_no_fact_is_left_unsaid(lesson):
    spoken = {name for _, text in prose(lesson) for name in re.findall(r"\[\[([\w-]+)", text)}
    facts = {slug for slug, block in lesson.works.items() if type(block).__name__ == "Fact"}
    assert facts <= spoken


@every_lesson
def test_every_link_leads_to_a_lesson(lesson):
    linked = {target for _, text in prose(lesson) for target in re.findall(r"\]\(([^)]*)\)", text)}
    assert linked <= {f"{known}.ipynb" for known in LESSONS}


@every_lesson
def test_formulas_and_pictures_exist(lesson):
    assert {b.formula for b in lesson.blocks if isinstance(b, Derive | Work)} <= set(formulas())
    assert {b.picture for b in lesson.blocks if isinstance(b, Plot)} <= set(pictures())


@every_lesson
@pytest.mark.parametrize("edition", ["worked", "student"])
def test_cells_have_names_of_their_own(lesson, edition):
    names = [cell.id for cell in notebook(lesson, edition).cells]
    assert len(names) == len(set(names))


@cell_lessons
def test_a_lesson_of_a_cell_has_all_its_parts_in_order(lesson):
    kinds = [type(block) for block in lesson.blocks]
    first = [kinds.index(kind) for kind in (Say, Forecast, Work, Reveal, Plot, Ask, YourNumbers)]
    assert first == sorted(first)
    # Where the widths would answer the forecast, the conventions come after it; never after a result.
    assert kinds.index(Conventions) < kinds.index(Work)
    assert kinds[:3] in ([Say, Conventions, Forecast], [Say, Forecast, Conventions])
    assert Derive in kinds
    assert kinds.count(Ask) >= 2
    assert kinds[-1] is YourNumbers
    assert lesson.forecast.of in lesson.works


@cell_lessons
def test_a_forecast_is_compared_with_a_rational_number(lesson):
    assert truth(lesson.cell).value.value.is_Rational


@cell_lessons
def test_the_truth_is_worked_before_it_is_revealed(lesson):
    slugs = [block.slug for block in lesson.blocks]
    (reveal,) = (block for block in lesson.blocks if isinstance(block, Reveal))
    assert slugs.index(lesson.forecast.slug) < slugs.index(lesson.forecast.of) < slugs.index(reveal.slug)


def spoken_results(lesson):
    """The telling numbers that prose says of a work's result, as it says them, less what is given."""
    said = set()
    for _, text in prose(lesson):
        for place in RESULT.finditer(text):
            said |= numbers(filled(lesson, place[0])) | numbers(worked(lesson, lesson.works[place["slug"]]).shown())
    given = set(CELLS[lesson.cell].values.values()) if lesson.cell else set()
    given |= {value for block in lesson.works.values() for value in worked(lesson, block).values.values()}
    return said - {number for value in given for number in numbers(show(value))}


def student_text(lesson):
    """What a student reads once the forecast is asked for."""
    cells = notebook(lesson, "student").cells
    start = next((at for at, cell in enumerate(cells) if lesson.forecast and cell.id == lesson.forecast.slug), 0)
    return "\n".join(cell.source for cell in cells[start:])


@every_lesson
def test_the_student_edition_says_no_result(lesson):
    assert spoken_results(lesson) & numbers(student_text(lesson)) == set()


@every_lesson
def test_the_student_edition_has_no_output(lesson):
    assert [cell.id for cell in notebook(lesson, "student").cells if cell.get("outputs") or cell.get("execution_count")] == []


def test_results_are_spoken_of_at_all():
    assert {lesson.cell for lesson in LESSONS.values() if lesson.cell and spoken_results(lesson)} >= set("BCDFGH")

"""What every lesson keeps to: no typed numbers, no open references, no result before it is asked for."""

import ast
import re
from dataclasses import replace

import pytest
from sympy import Symbol

from fsdp_sym.algebra.printing import to_latex
from fsdp_sym.algebra.units import one, parse_amount, show
from fsdp_sym.algebra.vocabulary import read_value, symbol_named
from fsdp_sym.figures.picture import pictures
from fsdp_sym.publishing.exporters.notebook import notebook
from fsdp_sym.reasoning.catalogue import formula, formulas
from fsdp_sym.scenarios.cells import CELLS, READING_PATH
from fsdp_sym.teaching.forecast import truth
from fsdp_sym.teaching.lessons import LESSONS, in_order
from fsdp_sym.teaching.lessons.blocks import Ask, Conventions, Derive, Forecast, Plot, Reveal, Say, Work, YourNumbers
from fsdp_sym.teaching.lessons.words import conventions, filled, has_numbers, referred, worked

PLACE = re.compile(r"\[\[[^\]]*\]\]")
RESULT = re.compile(r"\[\[(?P<slug>[\w-]+)(?:\|[^\]]*)?\]\]")
NAMES = re.compile(r"ZeRO-[123]|\bfp16\b|\bfp32\b|\bbf16\b|\bFSDP2\b|\b3-D\b|\bGPT-3\b|\bLlama-\d-\d+B\b|\b1F1B\b")
STRUCTURE = (PLACE, re.compile(r"\$[^$]*\$"), re.compile(r"`[^`]*`"), re.compile(r"\]\([^)]*\)"), NAMES)
NUMERALS = re.compile(
    r"\b(ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|billion)\b", re.IGNORECASE
)
NUMBER = re.compile(r"\d[\d,.]*(?:/\d[\d,.]*)?(?:e\d+)?")

AMOUNT = re.compile(r"(?<![\w.,])\d[\d,.]*(?:e\d+)? (?:B/param|[kMG]?B|ms|s)\b")
LESSON_OF = {lesson.cell: lesson for lesson in LESSONS.values() if lesson.cell}
# One replica fewer is as many as a ring of all replicas takes steps; two nodes have as many GPUs as leave replicas;
# the last of five ranks has the number of rows that a thousand ranks have of a hidden vector; as many units are gathered as
# the stage that is picked has in its name; three states of Adam take what parameter, gradient and two of them do in a narrow format;
# a temporary, and a gradient in print, have the width that ZeRO-1 leaves of a parameter; a mesh has as many ranks along a side as a
# shard of another cell has rows; a small pipeline takes as many micro-batches as a large one has stages, an expert degree is as large as
# the fullest stage of another model, and that model has as many stages, and ranks that share a sequence, as GPT-3 has replicas.
BY_CHANCE = {
    ("left", "N_d"), ("wide", "N_t"), ("five-last", "n_rank"), ("backward", "n_held"), ("backward-again", "n_held"), ("states", "b_buf"),
    ("k-flat", "b_t"), ("n-mesh", "N_d"), ("n-mesh", "N_p"), ("n-mesh", "N_t"), ("n-even", "N_d"), ("n-even", "N_p"), ("n-even", "N_t"),
    ("o-printed", "b_g"), ("small-total", "K_mb"), ("small-ideal", "K_mb"), ("small-chunks-total", "K_mb"), ("small-chunks-total", "n_chk"),
    ("small-chunks-ideal", "K_mb"), ("small-chunks-ideal", "n_chk"), ("llama", "N_p"), ("llama-ends", "N_p"), ("llama-data", "N_p"),
    ("llama-long", "N_p"), ("llama-long", "N_c"), ("context", "N_c"), ("context", "a_kv"), ("copies", "N_e"), ("double", "N_p"),
    ("tree", "e"), ("tree-small", "e"), ("cross", "e"), ("faster", "e"), ("faster-small", "e"), ("context-back", "N_c"),
    ("context-back", "a_kv"),
}  # fmt: skip

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
        assert not re.search(r"\d\d/\d|\d/\d\d\d", said), "a quotient that cannot be read"


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
    # What is agreed comes before any result; where the widths would answer the forecast, right after the reveal.
    told, shown = kinds.index(Conventions), kinds.index(Reveal)
    assert told < kinds.index(Forecast) or (shown < told and set(kinds[shown + 1 : told]) <= {Say})
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


def student_cells(lesson):
    """What a student reads, by cell; the example of a guess is none of it."""
    texts = {cell.id: cell.source for cell in notebook(lesson, "student").cells}
    if lesson.forecast:
        asked = f"{lesson.forecast.slug}-asked"
        texts[asked] = texts[asked].replace(f"`{lesson.forecast.example}`", "")
    return texts


@every_lesson
def test_the_student_edition_says_no_result(lesson):
    assert spoken_results(lesson) & numbers("\n".join(student_cells(lesson).values())) == set()


def truth_texts(cell):
    """How the answer to a cell's forecast may be written; a stage's one digit is too short to be told from others."""
    found = truth(cell)
    asked = LESSON_OF[cell].forecast
    texts = {found.shown(), found.shown(LESSON_OF[cell].works[asked.of].unit)}
    rounded = {found.shown(asked.example.partition(" ")[2] or None, digits) for digits in (4, 5, 6)}
    texts |= {text.removeprefix("≈ ") for text in rounded if text.startswith("≈ ")}
    texts |= {text.replace("B/param", unit) for text in texts for unit in ("B", "bytes")}
    return {text for text in texts if not re.fullmatch(r"\d", text)}


def sums(text, dimension):
    """What the amounts of a dimension come to: in each line, and in all rows of a table."""
    lines = text.split("\n")
    for part in (*lines, "\n".join(line for line in lines if line.startswith("|"))):
        amounts = (parse_amount(found[0]) for found in AMOUNT.finditer(part))
        yield sum(amount.value for amount in amounts if amount.dimension == dimension)


def gives_away(cell, text, adding=True):
    """The answer of a cell's forecast where a text says it, or lists what adds up to it."""
    said = {t for t in truth_texts(cell) if re.search(rf"(?<![\w.,]){re.escape(t)}(?!\w|[.,]\d)", text)}
    answer = truth(cell).value
    if adding and answer.dimension != one and answer.value in set(sums(text, answer.dimension)):
        said.add("a sum")
    return said


@cell_lessons
def test_the_student_edition_gives_no_forecast_away(lesson):
    before_reveal = True
    for name, text in student_cells(lesson).items():
        before_reveal &= name != next(block.slug for block in lesson.blocks if isinstance(block, Reveal))
        assert gives_away(lesson.cell, text, adding=before_reveal) == set(), name


@pytest.mark.parametrize("cell", LESSON_OF)
def test_start_here_gives_no_forecast_away(cell):
    for name, text in student_cells(LESSONS["start-here"]).items():
        assert gives_away(cell, text) == set(), name


@pytest.mark.parametrize(
    ("cell", "text", "given_away"),
    [
        ("A", "itself 4 B/param, gradient 4 B/param, momentum 4 B/param, variance 4 B/param", True),
        ("A", "| a | 4 B/param |\n| b | 4 B/param |\n| c | 8 B/param |", True),
        ("A", "itself 4 B/param, gradient 4 B/param", False),
        ("A", "it is 16 bytes then", True),
        ("B", "16 B/param", True),
        ("H", 'work("H", "world_size", N_d=32)', True),
        ("H", "fp32 on 320 or 1,032 or 32.5 ranks", False),
        ("D", "689.0625 MB", True),
        ("E", "37.5%", True),
    ],
)
def test_what_gives_a_forecast_away(cell, text, given_away):
    assert bool(gives_away(cell, text)) == given_away


@pytest.mark.parametrize("at", range(len(LESSONS)), ids=LESSONS)
def test_a_students_own_numbers_give_no_later_forecast_away(at, capsys):
    lessons = list(LESSONS.values())
    for block in lessons[at].blocks:
        if isinstance(block, YourNumbers):
            room = {}
            for statement in ast.parse(f"from fsdp_sym import derive, solve, splits, work\n{block.code}").body:
                if isinstance(statement, ast.Expr):
                    print(eval(ast.unparse(statement), room))
                else:
                    exec(ast.unparse(statement), room)
    printed = capsys.readouterr().out
    later = [lesson.cell for lesson in lessons[at + 1 :] if lesson.forecast]
    # Lesson A has shown its widths, whose sum is also the answer of lesson B.
    assert {cell: found for cell in later if (found := gives_away(cell, printed, adding=at == 0))} == {}


def visible(lesson):
    """The texts that a student edition shows as they are: questions, and prose without a result."""
    for slug, text in prose(lesson):
        block = next(block for block in lesson.blocks if block.slug == slug)
        if isinstance(block, Say | Forecast) and not has_numbers(text):
            yield slug, text
        if isinstance(block, Ask):
            yield slug, block.question


@every_lesson
def test_no_question_says_a_result(lesson):
    assert [b.slug for b in lesson.blocks if isinstance(b, Ask | Forecast) and has_numbers(b.question)] == []


@every_lesson
def test_what_is_visible_speaks_of_no_number_that_another_work_has_found(lesson):
    for slug, text in visible(lesson):
        for name, letter in re.findall(r"\[\[([\w-]+)\.(\w+)", text):
            assert not referred(lesson, lesson.works[name].at.get(letter, 0)), slug


def typed_results(lesson):
    """What is typed into a work although other works of the lesson find it: slug, letter, value, and those others."""
    results = {slug: worked(lesson, block).value for slug, block in lesson.works.items()}
    for slug, block in lesson.works.items():
        given = CELLS[block.cell or lesson.cell].values
        for name, value in block.at.items():
            symbol = symbol_named(name)
            if referred(lesson, value) or (amount := read_value(symbol, value)) == given.get(symbol):
                continue
            same = {other for other, result in results.items() if result == amount and other != slug}
            if same and amount.value not in (0, 1):
                yield slug, name, value, same


@every_lesson
def test_no_result_is_typed_into_another_work(lesson):
    for slug, name, value, same in typed_results(lesson):
        assert (slug, name) in BY_CHANCE, f"{slug}: {name}={value} is what {same} find: refer to it"


def test_what_is_alike_by_chance_still_is():
    assert {(slug, name) for lesson in LESSONS.values() for slug, name, _, _ in typed_results(lesson)} == BY_CHANCE


@every_lesson
def test_the_student_edition_has_no_output(lesson):
    assert [cell.id for cell in notebook(lesson, "student").cells if cell.get("outputs") or cell.get("execution_count")] == []


def test_results_are_spoken_of_at_all():
    assert {lesson.cell for lesson in LESSONS.values() if lesson.cell and spoken_results(lesson)} >= set("BCDFGH")


def lesson(**changed):
    return replace(LESSON_OF["D"], **changed)


def test_two_lessons_for_one_cell_are_refused_by_name():
    with pytest.raises(ValueError, match=r"lessons D-communication-volume \(.*\) and D-again \(.*\) both teach cell D: keep one"):
        in_order([lesson(), lesson(id="D-again")])
    with pytest.raises(ValueError, match=r"lessons self-test \(one\) and self-test \(two\) both have one id"):
        in_order([lesson(id="self-test", cell=None, title="one"), lesson(id="self-test", cell=None, title="two")])
    assert list(in_order([lesson(id="extra", cell=None), lesson(id="more", cell=None)])) == ["extra", "more"]


def test_the_notation_table_has_every_letter_of_every_derivation():
    (table,) = (cell.source for cell in notebook(LESSONS["start-here"], "student").cells if cell.id == "notation")
    shown = [formula(block.formula) for lesson in LESSONS.values() for block in lesson.blocks if isinstance(block, Derive)]
    letters = {s for f in shown for state in f.states for s in state.atoms(Symbol)}
    assert {"M_next", "T_exposed", "i"} <= {s.name for s in letters}
    assert [s.name for s in letters if f"| `{s.name}` |" not in table] == []


def test_every_letter_of_the_last_lesson_stands_in_its_tables():
    """What it is given, open or folded away; what it derives says what it is there."""
    lesson = LESSON_OF["S"]
    (said,) = (cell.source for cell in notebook(lesson, "student").cells if cell.id == "conventions")
    shown = {row.split("$")[1] for row in said.splitlines() if row.startswith("| $")}
    found = [formula(block.formula) for block in lesson.blocks if isinstance(block, Derive | Work)]
    derived = {to_latex(one.defines) for one in found}
    used = {to_latex(x) for one in found for x in one.letters}
    assert used - shown - derived == {to_latex(symbol_named("M_peak"))}, "a stage's peak is what is asked whether it fits"
    assert said.count("<details>") == 1


def test_a_convention_that_starts_with_a_letter_keeps_it():
    said = conventions(CELLS["C"])
    assert "\n* b is the batch per GPU.\n" in said
    assert "* A checkpoint is" in said


def chain(edition):
    """The lessons as a reader who follows the links meets them."""
    name, met = "start-here", []
    while name:
        met.append(name)
        (onward,) = (cell.source for cell in notebook(LESSONS[name], edition).cells if cell.id == "onward")
        name = next(iter(re.findall(r"next: \[[^\]]*\]\(([\w-]+)\.ipynb\)", onward)), "")
    return met


@pytest.mark.parametrize("edition", ["worked", "student"])
def test_the_links_onward_follow_the_reading_path(edition):
    assert [LESSONS[name].cell for name in chain(edition)] == [None, *READING_PATH, None]
    assert chain(edition)[-1] == "self-test"


def test_every_lesson_links_back_to_the_start_and_names_the_next():
    cells = {name: notebook(lesson, "student").cells[-1].source for name, lesson in LESSONS.items()}
    assert [name for name, text in cells.items() if "[Start here](start-here.ipynb)" not in text] == ["start-here"]
    assert "next: [B. Memory in mixed precision](B-memory-in-mixed-precision.ipynb)" in cells["A-memory-in-fp32"]
    assert "next" not in cells["self-test"]

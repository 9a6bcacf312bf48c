"""A forecast is kept, compared and never punished."""

import re

import pytest

from fsdp_sym.algebra.errors import UnknownName
from fsdp_sym.teaching.forecast import forecast, reveal, truth
from fsdp_sym.teaching.lessons import LESSONS

LESSONS_OF = {lesson.cell: lesson for lesson in LESSONS.values() if lesson.forecast}
CELLS = list(LESSONS_OF)


@pytest.fixture(autouse=True)
def no_guesses(monkeypatch):
    monkeypatch.setattr("fsdp_sym.teaching.forecast._GUESSES", {})


@pytest.fixture
def said(capsys):
    """What was printed since the last call, on one line without its end."""
    return lambda: capsys.readouterr().out.removesuffix("\n")


def test_a_guess_is_kept_and_set_beside_the_truth_with_their_ratio(said):
    forecast("D", "500 MB")
    assert said() == "Kept: 500 MB. The answer comes below."
    reveal("D")
    assert said() == "truth: 689.0625 MB    forecast: 500 MB    forecast / truth: ≈ 0.726"


@pytest.mark.parametrize("cell", CELLS)
def test_the_truth_is_a_number_that_can_be_read_in_the_unit_of_the_example(cell, said):
    reveal(cell)
    shown = said().removeprefix("truth: ").split("    ")[0]
    assert not re.search(r"\d\d/\d|\d/\d\d", shown)
    assert shown.startswith("≈") == shown.endswith(" (rounded; the work above has it exactly)")
    unit = LESSONS_OF[cell].forecast.example.lstrip("0123456789. ")
    assert unit in shown


def test_a_right_guess_is_exactly_one(said):
    forecast("A", "16 B/param")
    reveal("A")
    assert said().endswith("forecast / truth: 1, exactly")


def test_a_ratio_that_needs_no_rounding_is_not_rounded(said):
    forecast("A", "24 B/param")
    reveal("A")
    assert said().endswith("truth: 16 B/param    forecast: 24 B/param    forecast / truth: 1.5")


@pytest.mark.parametrize("guess", ["24 bytes", "24 B", "24 B/param"])
def test_bytes_per_parameter_may_be_written_as_bytes(said, guess):
    forecast("A", guess)
    assert said().startswith("Kept: 24 B/param")


def test_another_unit_of_the_same_kind_is_compared_exactly(said):
    forecast("F", "0.28 s")
    reveal("F")
    assert said().endswith("forecast / truth: 0.5")


@pytest.mark.parametrize("guess", ["", "   "])
def test_without_a_guess_nothing_breaks(said, guess):
    forecast("A", guess)
    assert said() == 'No forecast yet: put one between the quotes, such as forecast("A", "24 B/param"), and run the cell.'
    reveal("A")
    assert said() == "truth: 16 B/param    forecast: none was made"


def test_a_new_guess_replaces_the_old_one(said):
    forecast("D", "500 MB")
    forecast("D", "700 MB")
    said()
    reveal("D")
    assert "forecast: 700 MB" in said()


@pytest.mark.parametrize("guess", ["lots", "1,5 GB", "80 G", "3 ms", "5", "1/0 GB", "-1 GB", "16B"])
def test_what_cannot_be_read_is_explained_and_is_no_guess(said, guess):
    forecast("D", "500 MB")
    said()
    forecast("D", guess)
    explained = said()
    assert explained.startswith("Not read as a forecast: ")
    assert "\n" not in explained
    reveal("D")
    assert said().endswith("forecast: none was made")


@pytest.mark.parametrize(
    ("cell", "guess", "why"),
    [
        ("D", "more", "there is no number in it: write it like 500 MB"),
        ("E", "slower", "there is no number in it: write it like 20 %"),
        ("A", "16B", "a B without a space before it was read as billion: write 16 B/param"),
        ("C", "5B", "a B without a space before it was read as billion: write 5 GB"),
        ("D", "-1 GB", "-1 GB cannot be: bytes each rank receives in an all-gather is at least 0; write it like 500 MB"),
        ("H", "32.5", "32.5 cannot be: data-parallel degree is a whole number at least 1; write it like 64"),
        ("H", "64 GPUs", "a plain number is asked: write it like 64"),
        ("G", "4", "the answer is one of 0, 1, 2, 3: write it like 2"),
        ("G", "-1", "the answer is one of 0, 1, 2, 3: write it like 2"),
        ("G", "stage 4", "the answer is one of 0, 1, 2, 3: write it like 2"),
        ("G", "three", "the answer is one of 0, 1, 2, 3: write it like 2"),
    ],
)
def test_the_explanation_uses_the_cells_own_example(said, cell, guess, why):
    forecast(cell, guess)
    assert said() == f"Not read as a forecast: {why}"


@pytest.mark.parametrize(
    ("cell", "guess", "kept"),
    [
        ("A", "(4 + 4 + 4 + 4) B/param", "16 B/param"),
        ("A", "4 bytes * 4", "16 B/param"),
        ("D", "700*63/64 MB", "689.0625 MB"),
        ("D", "1/3 B", "1/3 B"),
        ("D", "0", "0 MB"),
        ("E", "3/8", "37.5%"),
        ("H", "1024/64", "16"),
    ],
)
def test_arithmetic_is_worked_exactly(said, cell, guess, kept):
    forecast(cell, guess)
    assert said() == f"Kept: {kept}. The answer comes below."


@pytest.mark.parametrize(
    ("guess", "compared"),
    [("ZeRO-3", "3    the same"), ("stage 3", "3    the same"), ("3", "3    the same"), ("ZeRO stage 2", "2    not the same")],
)
def test_a_stage_may_be_called_so_and_is_the_same_or_not(said, guess, compared):
    forecast("G", guess)
    said()
    reveal("G")
    assert said() == f"truth: 3    forecast: {compared}"


def test_a_wrong_dimension_is_named_with_an_example(said):
    forecast("D", "3 ms")
    assert said() == "Not read as a forecast: the answer is bytes, and 3 ms is a time: write it like 500 MB"


def test_one_cell_does_not_answer_for_another(said):
    forecast("A", "24 B/param")
    said()
    reveal("B")
    assert said().endswith("forecast: none was made")


@pytest.mark.parametrize("ask", [lambda: forecast("Z", "1"), lambda: reveal("Z"), lambda: truth("Z")])
def test_an_unknown_cell_is_refused_with_the_ones_there_are(ask):
    with pytest.raises(UnknownName, match="no cell with a forecast is called 'Z': the cells are A, B, C, D, E, F, G, H"):
        ask()


@pytest.mark.parametrize("cell", CELLS)
def test_the_example_of_every_cell_can_be_typed_and_is_not_the_answer(said, cell):
    asked = next(lesson.forecast for lesson in LESSONS.values() if lesson.cell == cell)
    forecast(cell, asked.example)
    assert said().startswith("Kept: ")
    reveal(cell)
    assert not said().endswith(("exactly", "    the same"))

"""Returned work is read by its text alone, and nothing that it may hold can run, hang or fill the memory."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from fsdp_sym.teaching.classroom.marker import answer_in, answer_line
from fsdp_sym.teaching.classroom.submissions import MOST_BYTES, Submission, read_json, read_notebook, read_rows, read_text, texts

SHEET = "# hw1\n\nSheet: hw1-7f3a9c2e"
ASKS = "## Q1\n\nHow many bytes?"


def notebook(*sources: str | list[str], cell_type: str = "markdown", **metadata: Any) -> bytes:
    cells = [{"cell_type": cell_type, "id": f"c{at}", "metadata": {}, "source": source} for at, source in enumerate(sources)]
    return json.dumps({"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}).encode()


def answers(*sources: str | list[str], **rest: Any) -> dict[str, str]:
    return read_notebook(notebook(*sources, **rest)).answers


def test_an_answer_stands_below_its_line():
    found = read_notebook(notebook(SHEET, ASKS, f"{answer_line('Q1')}\n\n525 MB\n", f"{answer_line('Q2.1')}\n\n"))
    assert found == Submission("hw1-7f3a9c2e", {"Q1": "525 MB", "Q2.1": ""})


@pytest.mark.parametrize("cell_type", ["markdown", "code", "raw", "unheard of"])
def test_the_type_of_the_cell_does_not_matter(cell_type):
    assert answers(f"# {answer_line('Q1')}\n525 MB", cell_type=cell_type) == {"Q1": "525 MB"}


def test_ids_and_metadata_may_be_lost():
    cells = [{"source": SHEET}, {"source": f"{answer_line('Q1')}\n\n525 MB"}]
    assert read_notebook(json.dumps({"cells": cells}).encode()) == Submission("hw1-7f3a9c2e", {"Q1": "525 MB"})


def test_the_source_may_be_a_list_of_lines():
    assert answers([answer_line("Q1") + "\n", "\n", "525 MB"]) == {"Q1": "525 MB"}
    assert answers([answer_line("Q1") + "\n", None, ["x"], "525 MB"]) == {"Q1": "525 MB"}


def test_merged_cells_are_told_apart_by_the_lines_and_the_heads():
    merged = f"{SHEET}\n{ASKS}\n{answer_line('Q1')}\n525 MB\n## Q2\n\nHow long?\n{answer_line('Q2')}\n3 ms"
    assert read_notebook(notebook(merged)) == Submission("hw1-7f3a9c2e", {"Q1": "525 MB", "Q2": "3 ms"})


def test_a_split_cell_gives_its_answer_and_says_so():
    found = read_notebook(notebook(answer_line("Q1"), "525 MB", "## Q2\n\nHow long?", answer_line("Q2")))
    assert found.answers == {"Q1": "525 MB", "Q2": ""}
    assert found.problems == ("Q1 was answered in the cell below its own: it is read as '525 MB'",)


def test_an_empty_cell_between_does_not_matter_and_a_head_ends_the_search():
    assert answers(answer_line("Q1"), "", "  \n", "525 MB") == {"Q1": "525 MB"}
    assert answers(answer_line("Q1"), "## Q2", "525 MB") == {"Q1": ""}
    assert answers(answer_line("Q1"), "# The end", "525 MB") == {"Q1": ""}
    assert answers(answer_line("Q1"), "one\ntwo") == {"Q1": ""}


def test_an_answer_behind_its_line_counts_and_says_so():
    found = read_notebook(notebook(f"{answer_line('Q1')} (N-1)*S/N\n"))
    assert found.answers == {"Q1": "(N-1)*S/N"}
    assert "behind the line" in found.problems[0]
    assert answers(f"{answer_line('Q1')} no\n\nyes") == {"Q1": "yes"}


def test_of_a_doubled_cell_the_last_that_is_not_empty_counts():
    cells = [f"{answer_line('Q1')}\n\n{text}" for text in ("1 MB", "2 MB", "")]
    found = read_notebook(notebook(*cells))
    assert found.answers == {"Q1": "2 MB"}
    assert found.problems == ("Q1 stands in 3 places: the last one that is not empty counts",)


@pytest.mark.parametrize("around", ["`{}`", "```\n{}\n```", '"{}"', "'{}'", "${}$", "$${}$$", "**{}**", '  "`{}`"  '])
def test_what_is_put_around_the_whole_answer_is_dropped(around):
    assert answers(f"{answer_line('Q1')}\n{around.format('525 MB')}") == {"Q1": "525 MB"}


SPELLINGS = [
    "**Answer Q7.1** (write below this line)", "answer q7.1", "# Answer Q7.1:", "__Answer   Q7.1__", "> **ANSWER Q7.1**", "- Answer Q7.1.",
]  # fmt: skip
ANSWERS = ["a" * 1_000_000, "(" * 30_000, "9**9**9**9", "<script>alert(1)</script>", "=cmd|'/c calc'!A0", "\x1b[2J", "\u202e"]


@pytest.mark.parametrize("line", SPELLINGS)
def test_spellings_of_the_line(line):
    assert answer_in(line) == ("Q7.1", "")


@pytest.mark.parametrize("line", ["The answer Q7.1", "Answers Q7.1", "Answer Q", "Answer 7", "My Answer Q1", "Answer Q99999"])
def test_what_is_no_such_line(line):
    assert answer_in(line) is None


def test_the_sheet_is_named_by_the_text_first():
    named = {"fsdp_sym": {"sheet": "hw1-other"}}
    assert read_notebook(notebook(answer_line("Q1"), **named)).sheet == "hw1-other"
    found = read_notebook(notebook(SHEET, answer_line("Q1"), **named))
    assert (found.sheet, found.problems) == ("hw1-7f3a9c2e", ("it names several sheets, hw1-7f3a9c2e first and then hw1-other",))
    assert read_notebook(notebook(answer_line("Q1"))).sheet == ""
    assert read_notebook(notebook(answer_line("Q1"), fsdp_sym="x")).sheet == ""
    assert read_notebook(notebook("**Sheet: hw1-7f3a9c2e**", answer_line("Q1"))).sheet == "hw1-7f3a9c2e"


def test_outputs_and_attachments_are_not_read():
    cell = {"cell_type": "code", "source": f"{answer_line('Q1')}\n", "outputs": [{"text": f"{answer_line('Q1')}\n525 MB"}]}
    cell["attachments"] = {"a": {"text/plain": f"{answer_line('Q1')}\n525 MB"}}
    assert read_notebook(json.dumps({"cells": [cell]}).encode()).answers == {"Q1": ""}


def test_code_is_never_run(tmp_path):
    victim = tmp_path / "was-here"
    code = f"import os\nos.system('touch {victim}')\n# {answer_line('Q1')}\n__import__('os').system('touch {victim}')"
    assert answers(code, cell_type="code")["Q1"].startswith("__import__")
    assert not victim.exists()


DEEP = b"[" * 30_000
BRACES = b'{"cells":' * 30_000
HOSTILE = {
    "nothing": b"",
    "spaces": b"  \n ",
    "truncated": notebook(SHEET, f"{answer_line('Q1')}\n525 MB")[:-40],
    "not text": bytes(range(256)),
    "UTF-16": notebook(SHEET).decode().encode("utf-16"),
    "an image": b"\x89PNG\r\n\x1a\n" + bytes(1000),
    "a list": b"[1, 2]",
    "a number": b"1" * 4_000_000,
    "a word": b'"cells"',
    "no cells": b'{"cells": 7}',
    "cells of everything": b'{"cells": [null, 1, "x", [], {}, {"source": 7}, {"source": {"a": 1}}]}',
    "30,000 brackets": DEEP,
    "30,000 objects": BRACES,
    "brackets in a cell": b'{"cells": [{"source": ' + DEEP + b"}]}",
    "too large": notebook(SHEET, f"{answer_line('Q1')}\n525 MB") + b" " * MOST_BYTES,
    "millions of empty lines": b'{"cells": [{"source": "' + b"\\n" * 2_400_000 + b'"}]}',
    "millions of spaces": notebook(" " * 4_900_000),
    "400,000 marks": b'{"cells": [{"source": "' + b"Answer Q1\\n" * 400_000 + b'"}]}',
    "many labels": notebook("\n".join(f"Answer Q{at // 900}.{at % 900}" for at in range(99_000))),
    "many cells": b'{"cells": [' + b'{"source": "answer q1\\nx"},' * 150_000 + b"{}]}",
    "many sheets": notebook("\n".join(f"Sheet: hw1-{at}" for at in range(90_000))),
}


@pytest.mark.parametrize("content", HOSTILE.values(), ids=HOSTILE)
def test_hostile_and_damaged_notebooks_are_a_line(content):
    start = time.process_time()
    found = read_notebook(content)
    assert time.process_time() - start < 3
    assert 1 <= len(found.problems) <= 100
    assert all(len(line) < 300 and "\n" not in line for line in found.problems)
    assert len(found.answers) <= 1000
    assert isinstance(texts(content), list)
    assert read_json(content).problems
    read_text(content)


def test_what_is_larger_than_any_sheet_is_not_read_and_says_so():
    for read in (read_notebook, read_json, read_text):
        assert read(HOSTILE["too large"]).problems == ("it is larger than 5 MB, so not read: ask for it without pictures",)
    found = read_notebook(notebook("\n" * 100_001, f"{answer_line('Q1')}\n525 MB"))
    assert (found.answers, found.problems[0]) == ({}, "it is longer than any sheet: only its beginning was read")


@pytest.mark.parametrize("text", ANSWERS, ids=range(len(ANSWERS)))
def test_a_hostile_answer_is_kept_as_a_short_text(text):
    found = answers(f"{answer_line('Q1')}\n{text}")["Q1"]
    assert found == text if len(text) < 200 else (len(found) <= 201 and found[:200] == text[:200])


def test_an_answer_behind_much_space_is_found():
    assert answers(f"{answer_line('Q1')}\n{' ' * 100_000}525 MB") == {"Q1": "525 MB"}


def test_half_characters_are_replaced_so_that_every_file_can_hold_them():
    found = read_notebook(b'{"cells": [{"source": "Sheet: a\\nAnswer Q1\\n\\ud800 7"}]}')
    assert found.answers == {"Q1": "? 7"}
    json.dumps(found.answers).encode()


def test_json_answers():
    found = read_json(b'{"sheet": "hw1-a", "answers": {"q1": "525 MB", "Q2": 0.5600, "Q3": 7e9, "Q4": null, "Q7.1": " `x` "}}')
    assert found == Submission("hw1-a", {"Q1": "525 MB", "Q2": "0.5600", "Q3": "7e9", "Q7.1": "x"})
    odd = read_json(b'{"sheet": "hw1-a", "answers": {"Q1": [1], "Q2": true}}')
    assert (odd.answers, odd.problems) == ({}, ("Q1, Q2: no text and no number, so not read",))
    assert "holds no answers" in read_json(b'{"sheet": "hw1-a"}').problems[0]
    assert "holds no answers" in read_json(b'{"answers": {}}').problems[0]
    assert "more than" in read_json(json.dumps({"sheet": "s", "answers": {f"Q{n}": "1" for n in range(2000)}}).encode()).problems[0]


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_a_table_has_a_row_a_student(separator, mark):
    lines = [f"{mark}Sheet,STUDENT,submitted,Q1,q7.1,mood\n", "a,s1,2026-03-14,525 MB,7,fine\n", "\n", 'b,s2,,"x, y",,\n']
    if separator != ",":
        lines[3] = "b,s2,,x y,,\n"
        lines = [line.replace(",", separator) for line in lines]
    one, other = read_rows(lines)
    assert one == Submission("a", {"Q1": "525 MB", "Q7.1": "7"}, (), "s1", "2026-03-14")
    assert other == Submission("b", {"Q1": "x, y" if separator == "," else "x y", "Q7.1": ""}, (), "s2", "")


def test_a_row_that_cannot_be_read_does_not_spoil_the_next():
    found = list(read_rows(["sheet,Q1\n", f"a,{'x' * 200_000}\n", "b,7\n", "c\n"]))
    assert [row.sheet for row in found] == ["", "b", "c"]
    assert "row 2 cannot be read" in found[0].problems[0]


def test_a_text_is_read_as_well():
    text = f"{SHEET}\n\n{ASKS}\n\n{answer_line('Q1')}\n\n525 MB\n\n## Q2\n\nHow long?\n\n{answer_line('Q2')}\n"
    assert read_text(text.encode()) == Submission("hw1-7f3a9c2e", {"Q1": "525 MB", "Q2": ""})

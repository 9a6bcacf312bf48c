"""``fsdp-sym export``: what is written, what is refused in a line, and that nothing is written over."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fsdp_sym.algebra.errors import FsdpSymError
from fsdp_sym.cli import DONE, WRONG, main
from fsdp_sym.publishing.export import write


def said(capsys, *words: object) -> tuple[int, str, str]:
    code = main([str(w) for w in words])
    done = capsys.readouterr()
    return code, done.out, done.err


def export(capsys, folder: Path, *words: object, to: str = "moodle") -> tuple[int, str, str]:
    return said(capsys, "export", "--to", to, "--out", folder, "--variants", 2, *words)


def test_a_bank_of_a_cell_is_written_and_what_it_cannot_hold_is_named(capsys, tmp_path):
    code, out, _ = export(capsys, tmp_path / "bank", "--cells", "D")
    assert code == DONE
    assert sorted(p.name for p in (tmp_path / "bank").iterdir()) == ["bank.json", "bank.xml"]
    assert "left out, as moodle does not carry their kind: " in out
    assert "D-faded (faded)" in out


def test_a_second_run_is_the_same_and_another_seed_is_not(capsys, tmp_path):
    for folder, seed in (("a", 1), ("b", 1), ("c", 2)):
        assert export(capsys, tmp_path / folder / "bank", "--questions", "D-all-gather", "--seed", seed)[0] == DONE
    a, b, c = ((tmp_path / folder / "bank" / "bank.xml").read_bytes() for folder in "abc")
    assert a == b != c
    before = (tmp_path / "a" / "bank" / "bank.xml").stat().st_mtime_ns
    assert export(capsys, tmp_path / "a" / "bank", "--questions", "D-all-gather")[0] == DONE
    assert (tmp_path / "a" / "bank" / "bank.xml").stat().st_mtime_ns == before


def test_another_file_is_never_written_over(capsys, tmp_path):
    export(capsys, tmp_path, "--questions", "D-all-gather")
    kept = {p.name: p.read_bytes() for p in tmp_path.iterdir()}
    code, _, err = export(capsys, tmp_path, "--questions", "D-layer")
    assert (code, err.count("\n")) == (WRONG, 1)
    assert "is there already, with other content: move it away" in err
    assert {p.name: p.read_bytes() for p in tmp_path.iterdir()} == kept


def test_variants_are_all_different_and_there_are_never_more_than_there_are(capsys, tmp_path):
    code, out, _ = said(capsys, "export", "--to", "moodle", "--questions", "D-limit", "--variants", 50, "--out", tmp_path)
    kept = json.loads((tmp_path / "bank.json").read_text())["questions"]
    assert code == DONE
    assert f"there are fewer than 50 variants of D-limit ({len(kept)})" in out
    assert len({json.dumps(row["drawn"]) for row in kept.values()}) == len(kept)


def test_the_folder_names_the_bank(capsys, tmp_path):
    export(capsys, tmp_path / "hw1", "--questions", "D-all-gather", to="nbgrader")
    assert "# hw1" in (tmp_path / "hw1" / "sheet.ipynb").read_text()


def test_self_study_is_said(capsys, tmp_path):
    assert "not for marks" in export(capsys, tmp_path, "--questions", "D-all-gather", to="jupyterquiz")[1]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--cells", "D", "--questions", "D-layer"), "either --cells or --questions"),
        ((), "either --cells or --questions"),
        (("--cells", "Z"), "no cell is called 'Z'"),
        (("--cells", ","), "have no question of a kind that moodle carries"),
        (("--questions", "D-all-gathr"), "did you mean D-all-gather"),
        (("--questions", "D-layer,D-layer"), "named twice"),
        (("--questions", "D-faded,D-layer"), "moodle does not carry D-faded (faded): choose questions of the kinds"),
    ],
)
def test_what_cannot_be_exported_is_refused_in_one_line(capsys, tmp_path, words, complaint):
    code, out, err = export(capsys, tmp_path / "new", *words)
    assert (code, out, err.count("\n")) == (WRONG, "", 1)
    assert complaint in err
    assert not (tmp_path / "new").exists()


def test_an_unknown_format_is_named(capsys, tmp_path):
    code, _, err = export(capsys, tmp_path, "--cells", "D", to="mooodle")
    assert (code, "did you mean moodle?" in err) == (WRONG, True)


def test_nothing_is_written_through_a_link_that_leads_outside(tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "out" / "questions").symlink_to(tmp_path / "elsewhere")
    for name in ("questions/a.json", "../a.json", str(tmp_path / "a.json")):
        with pytest.raises(FsdpSymError, match="would lie outside"):
            write(tmp_path / "out", {"fine": b"", name: b"x"})
    assert [p.name for p in (tmp_path / "out").iterdir()] == ["questions"]
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_exporters_are_listed_with_what_they_declare(capsys):
    code, out, _ = said(capsys, "list", "exporters", "--json")
    rows = {row["exporter"]: row for row in json.loads(out)["exporters"]}
    assert code == DONE
    assert (rows["moodle"]["kinds"], rows["moodle"]["self-study"]) == ("compute, limit, backwards, principle", "no")
    assert (rows["nbgrader"]["kinds"], rows["anki"]["self-study"]) == ("all", "yes")

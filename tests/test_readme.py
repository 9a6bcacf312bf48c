"""The README's commands do what it says: every one but the two that install (those run in .ci/run)."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from fsdp_sym.cli import main
from fsdp_sym.publishing.book import site as book

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text()


def blocks(language: str, text: str = README) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def transcripts() -> list[tuple[str, str]]:
    """Each ``$ command`` of a console block with the output printed under it."""
    found = []
    for block in blocks("console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            found.append((command, output))
    return found


def inline() -> list[str]:
    """Commands in running text; `learn` has a test of its own below, and `build` in tests/publishing."""
    own = ("fsdp-sym learn", "fsdp-sym build")
    return sorted({code for code in re.findall(r"`(fsdp-sym [^`]+)`", README) if not code.startswith(own)})


def here(command: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    """Run a command in this process, which is much quicker; tests/cli/test_process.py tries the process itself."""
    program, *words = shlex.split(command)
    assert program == "fsdp-sym"
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COLUMNS", "200")
    return main(words)


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    words = shlex.split(command)
    assert words[0] == "fsdp-sym"
    env = {**os.environ, "COLUMNS": "200", "PYTHONIOENCODING": "utf-8"}
    return subprocess.run([sys.executable, "-m", "fsdp_sym", *words[1:]], cwd=folder, env=env, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("command", "output"), transcripts(), ids=[c for c, _ in transcripts()])
def test_a_command_prints_what_the_readme_shows(
    command: str, output: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code = here(command, tmp_path, monkeypatch)
    said = capsys.readouterr()
    assert (said.out or said.err.removeprefix("fsdp-sym: ")) == output, said.err
    assert code in (0, 1)


@pytest.mark.parametrize("command", inline())
def test_an_inline_command_runs(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert here(command, tmp_path, monkeypatch) == 0


@pytest.mark.parametrize(("block", "says"), zip(blocks("python"), ("3.45 GB", *blocks("text")), strict=True))
def test_the_python_blocks_run(block: str, says: str, tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", block], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert says in done.stdout


def test_learn_hands_out_where_the_readme_says(tmp_path: Path) -> None:
    done = run("fsdp-sym learn --no-browser", tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "fsdp_sym-lessons" / "start-here.ipynb").is_file()
    assert (tmp_path / "fsdp_sym-lessons" / "worked" / "start-here.ipynb").is_file()


def test_the_classroom_runs_from_roster_to_marks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The commands of the README in their order, with a roster and with sheets that came back unanswered."""
    (block,) = re.findall(r"<!-- commands: classroom -->\n```sh\n(.*?)```", README, re.DOTALL)
    commands = block.splitlines()
    assert [command.split()[1] for command in commands] == ["assign", "assign", "check", "grade", "grade"]
    (tmp_path / "roster.csv").write_text("id,name\ns01,One\ns02,Two\ns03,Three\n")
    for number, command in enumerate(commands):
        if number == 2:
            returned = tmp_path / "returned"
            returned.mkdir()
            for sheet in (tmp_path / "hw1" / "sheets").glob("*.ipynb"):
                shutil.copy(sheet, returned)
        code, said = here(command, tmp_path, monkeypatch), capsys.readouterr()
        # An unanswered sheet is not fit to hand in, which is what check is asked.
        assert code == (1 if " check " in command else 0), said.err
    for name in ("hw1/report.txt", "hw1/keys/record.jsonl", "graded/class-report.html"):
        assert (tmp_path / name).is_file(), name
    assert "Q3" in said.out


def test_the_two_installing_commands_are_marked_for_ci() -> None:
    for name in ("learn", "test"):
        (command,) = re.findall(rf"<!-- command: {name} -->\n```sh\n(python3 .*)\n```", README)
        assert command.startswith("python3 -m venv .venv && .venv/bin/pip install")


def test_the_book_is_built_by_one_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The command as it is parsed; tests/browser runs it and opens what it made."""
    (tmp_path / "fsdp_sym").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(book, "build_book", lambda checkout, to, program, _: 200 if (checkout, to) == (Path(), Path("site")) else 0)
    (command,) = re.findall(r"<!-- command: book -->\n```sh\n(.*)\n```", README)
    assert main(shlex.split(command)[1:]) == 0
    assert capsys.readouterr().out == "200 pages: open site/index.html\n"
    assert "Open `site/index.html`" in README


def test_the_links_lead_somewhere() -> None:
    for text in (README, CONTRIBUTING):
        for target in re.findall(r"\]\(([^)#:]+)\)", text):
            assert (ROOT / target).exists(), target

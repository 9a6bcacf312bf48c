"""`build` and `build --check`: what they print and how they exit, whatever the builder finds."""

from collections.abc import Callable
from pathlib import Path

import pytest

from fsdp_sym.cli import DONE, NO, main
from fsdp_sym.publishing import build
from fsdp_sym.publishing.kernel import BuildRefused


@pytest.fixture(autouse=True)
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "fsdp_sym").mkdir()
    monkeypatch.chdir(tmp_path)


def finds(lines: list[str]) -> Callable[[Path, Callable[[str], None], None], list[str]]:
    def found(to: Path, progress: Callable[[str], None], course: None) -> list[str]:
        progress("looking")
        assert to == Path()
        return lines

    return found


@pytest.mark.parametrize(
    ("argv", "lines", "code", "printed"),
    [
        (["build"], [], DONE, "nothing changed\n"),
        (["build"], ["notebooks/A.ipynb"], DONE, "notebooks/A.ipynb\n1 written\n"),
        (["build", "--check"], [], DONE, "notebooks/ and exercises/ are what the lessons make\n"),
        (["build", "--check"], ["A.ipynb: cell x differs"], NO, "A.ipynb: cell x differs\n1 to build anew: run fsdp-sym build\n"),
    ],
)
def test_what_was_found_is_said(
    argv: list[str], lines: list[str], code: int, printed: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(build, "build" if argv == ["build"] else "check", finds(lines))
    assert main(argv) == code
    assert capsys.readouterr() == (printed, "")


def test_a_refused_build_is_an_answer(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def refuses(*_: object) -> None:
        raise BuildRefused("A.ipynb, cell x: the kernel says 1 and the count 2")

    monkeypatch.setattr(build, "build", refuses)
    assert main(["build"]) == NO
    assert capsys.readouterr() == ("", "fsdp-sym: A.ipynb, cell x: the kernel says 1 and the count 2\n")

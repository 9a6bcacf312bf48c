"""What explain shows on a terminal: within its width, in colour unless that is not wanted, and in a pipe nothing but the text."""

import io
import re
import sys

import pytest

from fsdp_sym.cli import main
from fsdp_sym.cli.show import wrapped
from fsdp_sym.publishing.explanation import explained


class Terminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self):
        return True


@pytest.fixture
def shown(monkeypatch):
    """What a command prints on a terminal with these variables."""

    def run(argv, **variables):
        for name in ("NO_COLOR", "FORCE_COLOR", "COLORTERM"):
            monkeypatch.delenv(name, raising=False)
        for name, value in {"TERM": "xterm-256color", **variables}.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setattr(sys, "stdout", out := Terminal())
        assert main(argv) == 0
        return out.getvalue()

    return run


@pytest.mark.parametrize("width", [40, 80, 120])
@pytest.mark.parametrize("name", ["D", "G", "stage_for_budget"])
def test_it_fits_the_width_and_says_the_same(shown, name, width):
    said = shown(["explain", name], COLUMNS=str(width), NO_COLOR="1")
    assert "\x1b[3" not in said
    assert max(map(len, re.sub(r"\x1b\[[\d;]*m", "", said).split("\n"))) <= width
    assert said.count("proved]") == explained(name, {}).text.count("proved]")


def test_verdicts_are_coloured_words(shown):
    assert "\x1b[32m[proved]" in shown(["explain", "all_gather"], COLUMNS="80").replace("\x1b[1;32m", "\x1b[32m")


def test_a_pipe_has_the_text_alone(capsys):
    assert main(["explain", "D"]) == 0
    assert capsys.readouterr().out == explained("D", {}).text + "\n"


def test_what_goes_on_hangs_and_powers_stand_raised():
    assert list(wrapped("  A = b^2 + c^10 + d", 12)) == ["  A = b² +", "    c¹⁰ + d"]
    assert list(wrapped("a\n\nb", 10)) == ["a", "", "b"]


def test_prose_flows_to_the_width(shown):
    said = re.sub(r"\x1b\[[\d;]*m", "", shown(["explain", "all_gather"], COLUMNS="80", NO_COLOR="1"))
    (first,) = re.findall(r"^A ring passes.*\n", said, re.MULTILINE)
    assert first == "A ring passes one shard a step, and after N - 1 steps every rank holds all N\n"
    assert "shards. S is the whole tensor in bytes;" in said

"""What the commands print with: JSON, a table, a line of progress, a complaint; and the exit codes."""

from __future__ import annotations

import json
import re
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from shutil import get_terminal_size
from typing import Any

DONE, NO, WRONG = 0, 1, 2


def print_json(record: Any) -> int:
    print(json.dumps(record, indent=2, allow_nan=False))
    return DONE


def print_lines(lines: Iterable[str]) -> None:
    """Lines that may quote what came from outside: a terminal gets nothing from them but text."""
    for line in lines:
        print(harmless(line))


def harmless(line: str) -> str:
    """The line with whatever is not printed as a question mark."""
    return "".join(c if c.isprintable() else "?" for c in line)


def print_table(rows: Sequence[Sequence[str]]) -> None:
    """Columns two spaces apart; on a terminal the last one is wrapped to its width, in a pipe a row is a line."""
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]) - 1)]
    margin = sum(width + 2 for width in widths)
    room = max(20, get_terminal_size().columns - margin) if sys.stdout.isatty() else None
    for *cells, last in rows:
        head = "".join(f"{cell:<{width}}  " for cell, width in zip(cells, widths, strict=True))
        lines = textwrap.wrap(last, room) if room else [last]
        print(head + f"\n{' ' * margin}".join(lines))


def print_explained(text: str, flowing: str) -> None:
    """An explanation: in a pipe its text, on a terminal the same with paragraphs that flow to its width, its verdicts in colour.

    A terminal that wants no colour (``NO_COLOR``) has the words alone, which say the same.
    """
    if not sys.stdout.isatty():
        print(text)
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False)
    lines = flowing.split("\n")
    for line, below in zip(lines, [*lines[1:], ""], strict=True):
        heads = line[:1].strip() and below.startswith(" ")
        for part in wrapped(line, console.width):
            said = Text(part, style="bold" if heads else "")
            for pattern, colour in _VERDICT_COLOURS.items():
                said.highlight_regex(pattern, colour)
            console.print(said, soft_wrap=True)


_VERDICT_COLOURS = {r"\[proved\]": "green", r"\[sampled\]": "yellow", r"\[refuted\]": "bold red", "Not so here": "yellow"}
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def wrapped(text: str, width: int) -> Iterator[str]:
    """The lines as a terminal of this width shows them: indented ones hang below their beginning, powers stand raised."""
    for line in re.sub(r"(?<=[\w)])\^(\d+)", lambda power: power[1].translate(_SUPERSCRIPTS), text).split("\n"):
        indented = len(line) - len(line.lstrip())
        hanging = min(indented + 2, width // 2) if indented else 0
        yield from textwrap.wrap(line, width, subsequent_indent=" " * hanging) or [""]


@contextmanager
def progress() -> Iterator[Callable[[str], None]]:
    """A line that tells what is being done, on a terminal alone."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console

    with Console(stderr=True).status("starting") as status:
        yield status.update


def complain(line: str, code: int) -> int:
    """One line on stderr, whatever was in the message."""
    said = harmless(" ".join(line.split()))
    with suppress(OSError):
        print(f"fsdp-sym: {said}", file=sys.stderr)
    return code

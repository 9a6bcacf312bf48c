"""How different the sheets of a class are, found without comparing each with every other one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from math import comb
from typing import Final

from ..drills import Posed

_MOST_WORK: Final = 4_000_000  # sums formed, a second or two


def fingerprint(posed: Posed) -> int:
    """A number of 128 bits for what is asked: questions that differ in the order of their lines alone have the same."""
    lines = sorted(line.partition(" ")[2] for line in posed.lines)
    return int.from_bytes(blake2b("\n".join((posed.prompt, *lines)).encode(), digest_size=16).digest())


def least_difference(sheets: Sequence[Sequence[int]]) -> tuple[int, bool]:
    """In how many questions any two sheets differ at least, and whether two of them differ in no more.

    Two sheets that differ in k questions are the same without these. So all sums of fingerprints without 0, 1, 2, ...
    questions are looked through for two that are equal, as far as that takes a second or two: then the number is proved as
    a lower bound. Twice as many sheets take twice as long.

    Parameters
    ----------
    sheets : sequence of sequence of int
        At least two sheets, as the fingerprints of their questions.
    """
    columns = list(zip(*sheets, strict=True))
    totals = [sum(sheet) for sheet in sheets]
    work = 0
    for gone in range(len(columns)):
        work += comb(len(columns), gone) * len(sheets)
        if work > _MOST_WORK:
            return gone, False
        if any(len(set(sums)) < len(sheets) for sums in _without(totals, columns, gone)):
            return gone, True
    return len(columns), True


def _without(sums: list[int], columns: Sequence[Sequence[int]], gone: int) -> Iterator[list[int]]:
    """The sums with each choice of `gone` columns taken off."""
    if gone == 0:
        yield sums
        return
    for at in range(len(columns) - gone + 1):
        rest = [total - taken for total, taken in zip(sums, columns[at], strict=True)]
        yield from _without(rest, columns[at + 1 :], gone - 1)


def spread(sheets: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
    """For each question how many variants of it there are, and how many sheets share the commonest one."""
    counts = [Counter(column) for column in zip(*sheets, strict=True)]
    return [(len(count), max(count.values())) for count in counts]

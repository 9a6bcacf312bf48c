"""The units an answer may be written in: the house's own table, and the same units spelled out in words.

``GB`` and ``gigabytes`` are one unit, with capitals or without where it is spelled out; a prefix alone (``112 G``), a
case that leaves bytes and bits open (``gb``, ``Gib``) and ``FLOPs``, which some read as a rate, are refused with the remedy.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from sympy import Expr

from ...algebra.arithmetic import Number, over
from ...algebra.errors import UnreadableAmount
from ...algebra.units import UNITS, bit, byte, dimension_name, flop, one, param, second, unit_size
from .unreadable import quoted

Powers = tuple[int, ...]  # of byte, second, param, flop and bit
PLAIN: Final[Powers] = (0, 0, 0, 0, 0)
_BASE: Final = (byte, second, param, flop, bit)
_BASE_NAMES: Final = ("B", "s", "param", "FLOP", "bit")

SCALES: Final = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
COUNTS: Final = {"k": 10**3, "K": 10**3, "M": 10**6, "B": 10**9, "T": 10**12}


class Unit(NamedTuple):
    """A unit as it is usually spelled, its size in base units, and its dimension as powers of the base."""

    name: str
    size: Number
    powers: Powers


@lru_cache(maxsize=256)
def powers_of(dimension: Expr) -> Powers:
    """A dimension as powers of the base units."""
    found = dimension.as_powers_dict()
    return tuple(int(found.get(base, 0)) for base in _BASE)


@lru_cache(maxsize=256)
def dimension_of(powers: Powers) -> Expr:
    """Powers of the base units as the house writes a dimension."""
    dimension = one
    for base, power in zip(_BASE, powers, strict=True):
        dimension *= base**power
    return dimension


def _table() -> dict[str, Unit]:
    units = {}
    for name, (size, dimension) in UNITS.items():
        if not name.isascii():
            continue  # a micro sign has become a u
        units[name] = Unit(name, over(int(size.p), int(size.q)), powers_of(dimension))
    for word, sign in (("byte", "B"), ("bytes", "B"), ("bit", "bit"), ("bits", "bit")):
        for prefix, short in (("", ""), ("kilo", "k"), ("mega", "M"), ("giga", "G"), ("tera", "T"), ("peta", "P"), ("exa", "E")):
            units[prefix + word] = units[short + word] = units[short + sign]
        for prefix, short in (("kibi", "Ki"), ("mebi", "Mi"), ("gibi", "Gi"), ("tebi", "Ti"), ("pebi", "Pi"), ("exbi", "Ei")):
            units[prefix + word] = units[short + sign]
    for prefix in ("", "k", "M", "G", "T", "P", "E"):
        units[prefix + "b"] = units[prefix + "bit"]
        units[prefix + "Bps"] = _quotient(units[prefix + "B"], units["s"])
    units["us"] = Unit("µs", units["us"].size, units["us"].powers)
    for words, sign in (
        (("second", "seconds", "sec", "secs"), "s"), (("millisecond", "milliseconds", "msec"), "ms"),
        (("microsecond", "microseconds"), "us"), (("nanosecond", "nanoseconds"), "ns"), (("minute", "minutes"), "min"),
        (("hour", "hours"), "h"), (("day", "days"), "d"), (("param", "params", "parameter", "parameters"), "param"), (("percent",), "%"),
    ):  # fmt: skip
        for word in words:
            units[word] = units[sign]
    return units


def _quotient(above: Unit, below: Unit) -> Unit:
    powers = tuple(a - b for a, b in zip(above.powers, below.powers, strict=True))
    return Unit(f"{above.name}/{below.name}", over(above.size, below.size), powers)


_TABLE: Final = _table()
# A prefix alone, or bytes and bits in the wrong case: the house's table has a remedy for each.
_NEARLY: Final = re.compile(r"[kmgtp]i?(?:b|bit|byte|bytes|bps)?", re.IGNORECASE)
_SPELLED_OUT: Final = {word: unit for word, unit in _TABLE.items() if word.islower() and len(word) > 5}


def unit_named(word: str) -> Unit | None:
    """The unit of this spelling; one that is spelled out may have capitals."""
    return _TABLE.get(word) or _SPELLED_OUT.get(word.lower())


@lru_cache(maxsize=1024)
def quotient(above: Unit, below: Unit) -> Unit:
    """A unit per another, such as GB/s."""
    return _quotient(above, below)


def spellings() -> dict[str, Unit]:
    """Every spelling, for tests and help."""
    return dict(_TABLE)


@lru_cache(maxsize=256)
def said(powers: Powers) -> str:
    """How a dimension is called in a message."""
    return dimension_name(dimension_of(powers))


def remedy(word: str, example: str) -> str:
    """What to write in place of a name that is no unit."""
    if word.lower() in ("nan", "inf", "infinity", "oo"):
        return f"{quoted(word)} is no answer: write a finite number"
    if word.endswith("FLOPs") or (word.lower().endswith(("flops", "flop")) and len(word) < 8):
        prefix = word[:-5] if word.lower().endswith("s") else word[:-4]
        return f"{quoted(word)} can be a number of operations or a rate: write {prefix}FLOP or {prefix}FLOP/s"
    if _NEARLY.fullmatch(word):
        try:
            unit_size(word)
        except UnreadableAmount as error:
            return str(error)
    return f"{quoted(word)} is no number and no unit: write a number and a unit only, such as {example}"


@lru_cache(maxsize=256)
def base_name(powers: Powers) -> str:
    """The base unit of a dimension, such as ``B/s``; an empty text for a plain number."""
    above = [name if power == 1 else f"{name}^{power}" for name, power in zip(_BASE_NAMES, powers, strict=True) if power > 0]
    below = [name if power == -1 else f"{name}^{-power}" for name, power in zip(_BASE_NAMES, powers, strict=True) if power < 0]
    return "/".join(["·".join(above) or "1", *below]) if above or below else ""

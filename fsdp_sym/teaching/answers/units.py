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
from ...algebra.units import UNITS, bit, byte, dimension_name, flop, one, param, second, unit_size, usd
from .unreadable import quoted

Powers = tuple[int, ...]  # of byte, second, param, flop, usd and bit
PLAIN: Final[Powers] = (0, 0, 0, 0, 0, 0)
_BASE: Final = (byte, second, param, flop, usd, bit)
_BASE_NAMES: Final = ("B", "s", "param", "FLOP", "USD", "bit")

SCALES: Final = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
COUNTS: Final = {"k": 10**3, "K": 10**3, "M": 10**6, "B": 10**9, "T": 10**12}


_PREFIXES: Final = {"": "", "kilo": "k", "mega": "M", "giga": "G", "tera": "T", "peta": "P", "exa": "E", "zetta": "Z"}
_BINARY: Final = {"kibi": "Ki", "mebi": "Mi", "gibi": "Gi", "tebi": "Ti", "pebi": "Pi", "exbi": "Ei"}
_SPELLED: Final = {
    "s": "second seconds sec secs", "ms": "millisecond milliseconds msec", "us": "microsecond microseconds", "ns": "nanosecond nanoseconds",
    "min": "minute minutes", "h": "hour hours", "d": "day days", "param": "param params parameter parameters", "%": "percent",
    "USD": "usd dollar dollars",
}  # fmt: skip


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


@lru_cache(maxsize=1024)
def quotient(above: Unit, below: Unit) -> Unit:
    """A unit per another, such as GB/s."""
    powers = tuple(a - b for a, b in zip(above.powers, below.powers, strict=True))
    return Unit(f"{above.name}/{below.name}", over(above.size, below.size), powers)


def _signs() -> dict[str, Unit]:
    """Every unit by its sign, such as ``GB``, ``Gbit``, ``GBps``, ``us``."""
    units = {
        name: Unit(name, over(int(size.p), int(size.q)), powers_of(dimension))
        for name, (size, dimension) in UNITS.items()
        if name.isascii()  # a micro sign has become a u
    }
    for prefix in _PREFIXES.values():
        units |= dict.fromkeys((f"{prefix}byte", f"{prefix}bytes"), units[f"{prefix}B"])
        units |= dict.fromkeys((f"{prefix}b", f"{prefix}bits"), units[f"{prefix}bit"])
        units[f"{prefix}Bps"] = quotient(units[f"{prefix}B"], units["s"])
    return units | {"us": units["us"]._replace(name="µs")}


def _words(signs: dict[str, Unit]) -> dict[str, Unit]:
    """Every unit that is spelled out."""
    words = {word: signs[sign] for sign, row in _SPELLED.items() for word in row.split()}
    for prefix, short in (_PREFIXES | _BINARY).items():
        for name, sign in (("byte", "B"), ("bit", "bit")):
            words |= dict.fromkeys((f"{prefix}{name}", f"{prefix}{name}s"), signs[f"{short}{sign}"])
    return words


_SIGNS: Final = _signs()
_WORDS: Final = _words(_SIGNS)
TABLE: Final = _SIGNS | _WORDS
# A prefix alone, or bytes and bits in the wrong case: the house's table has a remedy for each.
_NEARLY: Final = re.compile(r"[kmgtp]i?(?:b|bit|byte|bytes|bps)?", re.IGNORECASE)

_FLOPS: Final = re.compile(r"([kMGTPEZ]?)flops?", re.IGNORECASE)


def unit_named(word: str) -> Unit | None:
    """The unit of this spelling; one that is spelled out may have capitals."""
    return TABLE.get(word) or _WORDS.get(word.lower())


@lru_cache(maxsize=256)
def said(powers: Powers) -> str:
    """How a dimension is called in a message."""
    return dimension_name(dimension_of(powers))


def remedy(word: str, example: str) -> str:
    """What to write in place of a name that is no unit."""
    if word.lower() in ("nan", "inf", "infinity", "oo"):
        return f"{quoted(word)} is no answer: write a finite number"
    if flops := _FLOPS.fullmatch(word):
        return f"{quoted(word)} can be a number of operations or a rate: write {flops[1]}FLOP or {flops[1]}FLOP/s"
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

"""Bytes, seconds, parameters and operations: read as people write them, kept exact, shown back.

A dimension is a monomial in plain SymPy symbols (``byte/second``). A bit is an eighth of a byte;
it has a symbol of its own so that a line rate in bits and a bandwidth in bytes stay two quantities.
GB is 10**9 bytes and GiB is 2**30 bytes, always.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from decimal import Context, Decimal
from fractions import Fraction
from functools import cache
from typing import Final

from sympy import Expr, Float, Integer, Rational, S, Symbol, oo

from .errors import DimensionError, UnreadableAmount

byte, bit, second, param, flop, usd = (Symbol(name, positive=True) for name in ("byte", "bit", "second", "param", "flop", "usd"))
one: Final[Expr] = S.One

_DECIMAL = {"": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18, "Z": 21}
_BINARY = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
_COUNTS = {"k": 3, "K": 3, "M": 6, "B": 9, "T": 12}
_WORDS = {"thousand": 3, "million": 6, "billion": 9, "trillion": 12}
IRRATIONAL_DIGITS: Final = 6
_SHORT_QUOTIENT: Final = 4  # characters, such as 8/15
_MOST_CHARACTERS = 200
_MOST_EXPONENT = 64


def _table() -> dict[str, tuple[Rational, Expr]]:
    """Every unit by the spelling people use, as (size in base units, dimension)."""
    units: dict[str, tuple[Rational, Expr]] = {}
    for prefix, power in _DECIMAL.items():
        scale = Integer(10) ** power
        for name in ("B", "byte", "bytes"):
            units[prefix + name] = (scale, byte)
        for name in ("b", "bit", "bits"):
            units[prefix + name] = (scale / 8, byte)
        units[prefix + "bps"] = (scale / 8, byte / second)
        units[prefix + "FLOP"] = (scale, flop)
        units[prefix + "FLOPS"] = (scale, flop / second)
    for prefix, power in _BINARY.items():
        scale = Integer(2) ** power
        units[prefix + "B"] = (scale, byte)
        units[prefix + "bit"] = (scale / 8, byte)
    for name in ("s", "second", "seconds"):
        units[name] = (S.One, second)
    for name, power in (("ms", 3), ("us", 6), ("µs", 6), ("μs", 6), ("ns", 9)):
        units[name] = (Rational(1, 10**power), second)
    units |= {"min": (Integer(60), second), "h": (Integer(3600), second), "d": (Integer(86400), second)}
    for name in ("param", "params", "parameter", "parameters"):
        units[name] = (S.One, param)
    units |= {"token": (S.One, one), "tokens": (S.One, one), "USD": (S.One, usd)}
    units["%"] = (Rational(1, 100), one)
    return units


UNITS: Final = _table()

# What a reader expects to see for a dimension, smallest first; the largest one not above the value is taken.
_LADDERS: Final[dict[Expr, tuple[str, ...]]] = {
    byte: ("B", "kB", "MB", "GB", "TB", "PB", "EB"),
    byte / second: ("B/s", "kB/s", "MB/s", "GB/s", "TB/s"),
    bit / second: ("bit/s", "kbit/s", "Mbit/s", "Gbit/s", "Tbit/s"),
    second: ("ns", "µs", "ms", "s"),
    flop: ("FLOP", "GFLOP", "TFLOP", "PFLOP", "EFLOP", "ZFLOP"),
    flop / second: ("FLOP/s", "GFLOP/s", "TFLOP/s", "PFLOP/s"),
    1 / second: ("tokens/s",),
    usd: ("USD",),
    usd / second: ("USD/h",),
    byte / param: ("B/param",),
}


@dataclass(frozen=True)
class Amount:
    """An exact value in base units with its dimension.

    Parameters
    ----------
    value : sympy.Expr
        An exact number (Integer, Rational or a surd such as ``4*sqrt(6)``) of base units.
    dimension : sympy.Expr
        A monomial in the base symbols; 1 for a count or a ratio.
    unit : str, optional
        The unit it was written in. It is shown again in that unit and never takes part in comparison.
    """

    value: Expr
    dimension: Expr = one
    unit: str | None = field(default=None, compare=False)

    def __str__(self) -> str:
        return show(self)


def to_exact(number: object) -> Expr:
    """An int, Fraction, exact SymPy number or the decimal a float was written as; nothing else."""
    match number:
        case bool():
            raise UnreadableAmount(f"{number} is a truth value: give a number")
        case int():
            return Integer(number)
        case Fraction():
            return Rational(number.numerator, number.denominator)
        case float() | Decimal():
            try:
                return Rational(str(number))
            except (TypeError, ValueError):
                raise UnreadableAmount(f"{number} is not a finite number: give one") from None
        case Expr() if number.is_number and number.is_extended_real and not number.atoms(Symbol, Float):
            return number
    raise UnreadableAmount(f"{str(number)[:40]!r} is not an exact number: give an int, a Fraction or a text such as '80 GB'")


@cache
def unit_size(name: str) -> tuple[Rational, Expr]:
    """Size in base units and dimension of a unit, also a quotient such as ``GB/s`` or ``B/param``."""
    head, *below = (part.strip() for part in name.split("/"))
    if below and "%" in (head, *below):
        raise UnreadableAmount(f"{name[:20]!r} is no unit: a percentage stands alone")
    size, dimension = S.One, one
    for part, up in ((head, True), *((b, False) for b in below)):
        if part not in UNITS:
            raise UnreadableAmount(f"{part[:20]!r} is no unit: {_unit_remedy(part)}")
        factor, of = UNITS[part]
        size, dimension = (size * factor, dimension * of) if up else (size / factor, dimension / of)
    return size, dimension


def _unit_remedy(part: str) -> str:
    if part.startswith(","):
        return "the decimal mark is a point; a comma groups three digits"
    if part.startswith("K") and "k" + part[1:] in UNITS:
        return f"write k{part[1:]} for thousands" + (f" or Ki{part[1:]} for 1024s" if f"Ki{part[1:]}" in UNITS else "")
    if part in ("G", "M", "k", "K", "T", "Gi", "Mi", "Ki", "Ti"):
        return f"bytes or bits? Write {part}B for bytes or {part}bit for bits"
    if re.fullmatch(r"[kKmMgGtTpP]i?[bB]", part):
        return "bytes or bits? Capital B is a byte, small b is a bit, as in GB, GiB or Gbit"
    return "write one such as GB, GiB, Gbps, GB/s, ms, B/param, or none for a count"


# Digits in strict groups of three, or plain digits; a point; an exponent.
_NUMBER = r"(?:\d{1,3}(?:,\d{3})+|\d+(?:_\d+)*)(?:\.\d+)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?"
_AMOUNT = re.compile(rf"\s*(?P<sign>[-+]?)\s*(?P<above>{_NUMBER})(?:\s*/\s*(?P<below>{_NUMBER}))?(?P<gap>\s*)(?P<unit>\S.*?)?\s*")


# What a document or a keyboard puts where a plain character is meant.
_LOOKALIKES = str.maketrans({"−": "-", "μ": "µ", "\u00a0": " ", "\u202f": " "})


def _rational(text: str) -> Rational:
    plain = text.replace(",", "").replace("_", "")
    mantissa, _, exponent = plain.lower().partition("e")
    if exponent and abs(int(exponent)) > _MOST_EXPONENT:
        raise _absurd(text)
    return Rational(mantissa) * Integer(10) ** int(exponent or 0)


def _absurd(text: str) -> UnreadableAmount:
    return UnreadableAmount(f"{text[:40]!r} is too large or too small: keep it within 10^±{_MOST_EXPONENT}")


def parse_amount(text: str) -> Amount:
    """Read ``80 GB``, ``74.5 GiB``, ``10 Gbps``, ``3 ms``, ``7B`` (a count), ``7e9``, ``14/25 s``, ``17.5 %``.

    Parameters
    ----------
    text : str
        A number, or a quotient of two, then a unit or none. A comma groups exactly three digits.

    Returns
    -------
    Amount
        Exact, in base units (byte, second, param, flop); bits are read as eighths of a byte.

    Raises
    ------
    UnreadableAmount
        In one line: what was not understood, and what to write instead.
    """
    if len(text) > _MOST_CHARACTERS:
        raise UnreadableAmount(f"{text[:20]!r}... is too long: a number and a unit have at most {_MOST_CHARACTERS} characters")
    text = text.translate(_LOOKALIKES)
    found = _AMOUNT.fullmatch(text)
    if not found or not text.replace("µ", "u").isascii():
        comma = re.search(r"\d,\d", text)
        remedy = "the decimal mark is a point; a comma groups three digits" if comma else "write a number and a unit, such as 80 GB"
        raise UnreadableAmount(f"{text[:40]!r} is not an amount: {remedy}")
    if re.match(r"\s*[-+]?\s*0,", text):
        raise UnreadableAmount(f"{text[:40]!r} is not an amount: the decimal mark is a point, as in 0.56")
    value = _rational(found["above"])
    if found["below"]:
        below = _rational(found["below"])
        if below == 0:
            raise UnreadableAmount(f"{text[:40]!r} divides by zero: give a number")
        value /= below
    if found["sign"] == "-":
        value = -value
    amount = _with_unit(value, found["unit"], apart=bool(found["gap"]))
    if max(abs(amount.value.p), amount.value.q) > 10**_MOST_EXPONENT:
        raise _absurd(text)
    return amount


def _with_unit(value: Rational, unit: str | None, apart: bool) -> Amount:
    if unit is None:
        return Amount(value)
    if unit in _COUNTS and not apart:
        return Amount(value * 10 ** _COUNTS[unit])
    word, _, rest = unit.partition(" ")
    if word in _WORDS:
        size, dimension = unit_size(rest.strip()) if rest.strip() else (S.One, one)
        return Amount(value * 10 ** _WORDS[word] * size, dimension)
    size, dimension = unit_size(unit)
    return Amount(value * size, dimension, unit)


def as_dimension(amount: Amount, dimension: Expr) -> Amount | None:
    """The amount in the dimension asked for, where only bits against bytes, or a bare count, lie between; else None."""
    if amount.dimension == dimension or amount.value == 0:
        return Amount(amount.value, dimension, amount.unit)
    if amount.dimension == one and amount.unit is None and dimension in (param, bit / byte):
        return Amount(amount.value, dimension)
    # Bits were read as eighths of a byte; a letter that counts bits gets them back.
    if amount.dimension == dimension.subs(bit, byte) and dimension.has(bit) and not dimension.has(byte):
        return Amount(amount.value * 8, dimension, amount.unit)
    return None


def dimension_name(dimension: Expr) -> str:
    """How a dimension is called in a message: ``bytes``, ``bytes per second``, ``a count``."""
    names = {
        one: "a plain number",
        byte: "bytes",
        second: "a time",
        param: "a count of parameters",
        flop: "floating-point operations",
        byte / second: "bytes per second",
        bit / second: "bits per second",
        byte / param: "bytes per parameter",
        flop / second: "operations per second",
        bit / byte: "bits per byte",
        bit: "bits",
        1 / second: "tokens per second",
        usd: "dollars",
        usd / second: "dollars per time",
    }
    return names.get(dimension, str(dimension))


def show(amount: Amount, unit: str | None = None, digits: int | None = None) -> str:
    """Write an amount with the unit a reader expects.

    Parameters
    ----------
    amount : Amount
    unit : str, optional
        A unit to show it in; by default the one it was written in, else the largest that leaves a number of at least 1.
    digits : int, optional
        Round to so many significant digits. A rounded number starts with ``≈``; without `digits`
        the text is exact, and ``parse_amount`` reads it back equal.

    Raises
    ------
    DimensionError
        Where `unit` is no unit of this dimension.
    """
    if amount.value in (oo, -oo):
        return "∞" if amount.value == oo else "-∞"
    if unit is None:
        unit = amount.unit
    if unit is None:
        unit = _natural_unit(amount)
    if unit:
        size, dimension = unit_size(unit)
        if amount.dimension.has(bit) and dimension.subs(byte, bit) == amount.dimension:
            size, dimension = size * 8, amount.dimension  # the table keeps bits as eighths of a byte
        if dimension != amount.dimension:
            raise DimensionError(f"{unit!r} is no unit of {dimension_name(amount.dimension)}: choose another")
        return f"{show_number(amount.value / size, digits)}{'' if unit == '%' else ' '}{unit}"
    return show_number(amount.value, digits)


def show_readably(amount: Amount, unit: str | None = None, digits: int | None = None) -> str:
    """The same where no work stands beside it: a long quotient, which nobody can read, is rounded (``≈ 1.74403 ms``)."""
    shown = show(amount, unit, digits)
    number = shown.partition(" ")[0]
    return show(amount, unit, IRRATIONAL_DIGITS) if "/" in number and len(number) > _SHORT_QUOTIENT else shown


def _natural_unit(amount: Amount) -> str:
    ladder = _LADDERS.get(amount.dimension)
    if ladder is None:
        return ""
    best = ladder[0]
    for name in ladder:
        size = unit_size(name)[0] * (8 if amount.dimension.has(bit) else 1)
        if abs(amount.value) >= size:
            best = name
    return best if amount.value != 0 or amount.dimension != second else "s"


def show_number(value: Expr, digits: int | None = None) -> str:
    """A bare number: exact (``0.375``, ``8/15``, ``7e9``, ``6,738,415,616``), or ``≈`` rounded to `digits`."""
    if not value.is_Rational:
        rounded = Context(prec=digits or IRRATIONAL_DIGITS).create_decimal(str(value.evalf(40)))
        return f"≈ {_grouped(f'{rounded.normalize():f}')}"
    p, q = int(value.p), int(value.q)
    if digits is not None:
        rounded = Context(prec=digits).divide(Decimal(p), Decimal(q))
        if Fraction(rounded) != Fraction(p, q):
            return f"≈ {_grouped(f'{rounded:f}')}"
    if q == 1:
        zeros = len(str(abs(p))) - len(str(abs(p)).rstrip("0"))
        if p and zeros >= 6:
            power = (len(str(abs(p))) - 1) // 3 * 3
            return f"{_decimal(p, 10**power)}e{power}"
        return _grouped(str(p))
    exact = _decimal(p, q)
    return _grouped(exact) if exact else f"{_grouped(str(p))}/{_grouped(str(q))}"


def _decimal(p: int, q: int) -> str:
    """p/q as a terminating decimal of at most 18 digits, or an empty text."""
    exact = Context(prec=18).divide(Decimal(p), Decimal(q))
    return f"{exact.normalize():f}" if Fraction(exact) == Fraction(p, q) else ""


def _grouped(text: str) -> str:
    whole, point, rest = text.partition(".")
    return f"{int(whole):,}{point}{rest}" if len(whole.lstrip("-")) > 4 else text

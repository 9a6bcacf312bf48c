"""Every letter is defined once, says what it is, and keeps its values in range."""

from __future__ import annotations

import ast
import re
from fractions import Fraction
from pathlib import Path

import pytest
from sympy import Rational, oo

import fsdp_sym
from fsdp_sym.algebra.dimensions import dimension_of
from fsdp_sym.algebra.errors import DimensionError, OutOfRange, UnknownName, UnreadableAmount
from fsdp_sym.algebra.units import Amount, bit, byte, flop, one, param, parse_amount, second, usd
from fsdp_sym.algebra.vocabulary import LETTERS, B, N, P, R_bit, S, T, b_c, letter, n_bit, phi, phi_need, r, read_value, sigma, symbol_named

ENTRIES = list(LETTERS.values())
ROOT = Path(fsdp_sym.__file__).parent


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda e: e.name)
def test_a_letter_says_what_it_is(entry):
    assert len(entry.says) > 5
    assert not entry.says.endswith(".")
    assert entry.says.isprintable()
    assert entry.tex.count("{") == entry.tex.count("}")
    assert dimension_of(entry.symbol) == entry.dimension
    rates = (byte / param, byte / second, bit / second, bit / byte, flop / second, usd / second, 1 / second)
    assert entry.dimension in (one, byte, second, param, flop, usd, *rates)
    assert entry.name.isidentifier()
    assert symbol_named(entry.name) is entry.symbol
    assert letter(entry.symbol) is entry
    assert entry.whole == bool(entry.symbol.is_integer)
    assert entry.holds(Rational(entry.low)) is not entry.open_low


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda e: e.name)
def test_drawn_values_are_in_range_and_exact(entry):
    for step in range(101):
        value = entry.draw(lambda: min(step / 100, 0.9999))  # noqa: B023
        assert isinstance(value, int | Fraction)
        assert read_value(entry.symbol, value).value == Rational(str(value))


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda e: e.name)
def test_the_example_of_how_it_is_typed_can_be_read(entry):
    if entry.unit:
        typed = entry.unit if entry.unit[0].isdigit() else f"1 {entry.unit}"
        assert read_value(entry.symbol, typed).dimension == entry.dimension
    else:
        assert entry.dimension == one


def test_names_and_pictures_are_unique():
    assert len({e.name for e in ENTRIES}) == len({e.tex for e in ENTRIES}) == len({e.says for e in ENTRIES}) == len(ENTRIES)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda e: e.name)
def test_all_of_a_subscript_is_lowered(entry):
    """TeX lowers one character behind an underscore, or one group; and upright words have no subscript in them."""
    assert not re.search(r"_\w\w|\\mathrm\{[^}]*_", entry.tex)


def symbols_created(source: str) -> list[int]:
    """The lines of a source on which a SymPy symbol is made."""
    makers = {"Symbol", "symbols", "var", "Function", "IndexedBase"}
    calls = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call))
    return [call.lineno for call in calls if re.search(r"\w*$", ast.unparse(call.func))[0] in makers]


def test_symbols_are_created_in_the_vocabulary_alone():
    assert symbols_created("import sympy\nx = sympy.Symbol('x')\ny = symbols('y')\nz = Dummy('z')") == [2, 3]
    allowed = {ROOT / "algebra" / "vocabulary.py", ROOT / "algebra" / "units.py"}
    found = {path.relative_to(ROOT): symbols_created(path.read_text()) for path in ROOT.rglob("*.py") if path not in allowed}
    assert not {path: lines for path, lines in found.items() if lines}


@pytest.mark.parametrize(
    ("symbol", "given", "value"),
    [
        (N, 8, 8),
        (N, "8", 8),
        (N, "oo", oo),
        (N, oo, oo),
        (P, "7B", 7 * 10**9),
        (P, "7e9", 7 * 10**9),
        (P, 7 * 10**9, 7 * 10**9),
        (P, 7e9, 7 * 10**9),
        (P, "7e9 params", 7 * 10**9),
        (S, "700 MB", 700 * 10**6),
        (S, 700, 700),
        (T, "3 ms", Rational(3, 1000)),
        (R_bit, "10 Gbps", 10**10),
        (R_bit, "1.25 GB/s", 10**10),
        (n_bit, 8, 8),
        (sigma, "17.5 %", Rational(7, 40)),
        (phi, Fraction(8, 15), Rational(8, 15)),
        (phi, 0, 0),
        (phi_need, -3, -3),
        (b_c, "0 B/param", 0),
        (b_c, "0", 0),
        (S, parse_amount("1 kB"), 1000),
    ],
)
def test_reading_a_value(symbol, given, value):
    assert read_value(symbol, given) == Amount(value, letter(symbol).dimension)


@pytest.mark.parametrize(
    ("symbol", "given", "kind", "parts"),
    [
        (N, "8 GB", DimensionError, ("N", "'8 GB' is bytes", "write N=8")),
        (S, "3 ms", DimensionError, ("S", "wants bytes", "write it in GB")),
        (S, "700", DimensionError, ("S", "a plain number", "write it in GB")),
        (P, "7 GB", DimensionError, ("P", "a count of parameters", "write P=7e9")),
        (R_bit, "10 Gb", DimensionError, ("R_bit", "bits per second", "write it in Gbps")),
        (B, "16 B", DimensionError, ("B", "bytes per parameter", "write it in B/param")),
        (N, 0, OutOfRange, ("N = 0", "a whole number at least 1")),
        (N, "2.5", OutOfRange, ("N = 2.5", "a whole number at least 1")),
        (N, -4, OutOfRange, ("N = -4", "at least 1")),
        (S, "-80 GB", OutOfRange, ("S = -80 GB", "at least 1")),
        (S, "0.3 B", OutOfRange, ("S = 0.3 B", "a whole number")),
        (T, "-3 ms", OutOfRange, ("T = -3 ms", "at least 0")),
        (B, 0, OutOfRange, ("B", "above 0")),
        (phi, "1.5", OutOfRange, ("phi = 1.5", "at least 0 and at most 1")),
        (phi, "oo", UnreadableAmount, ("'oo' is not an amount",)),
        (r, 2, OutOfRange, ("r = 2", "at most 1")),
        (n_bit, 10, OutOfRange, ("n_bit = 10", "at least 8 and at most 8")),
        (N, "many", UnreadableAmount, ("'many' is not an amount", "such as 80 GB")),
        (N, True, UnreadableAmount, ("truth value",)),
        (S, "1e400 GB", UnreadableAmount, ("keep it within",)),
    ],
)
def test_refusing_a_value(symbol, given, kind, parts):
    with pytest.raises(kind) as refusal:
        read_value(symbol, given)
    message = str(refusal.value)
    assert all(part in message for part in parts), message
    assert "\n" not in message


def test_unknown_letters_are_offered_near_ones():
    with pytest.raises(UnknownName, match=r"no letter is called 'n': did you mean N"):
        symbol_named("n")
    with pytest.raises(UnknownName, match=r"no letter is called 'T_com': did you mean"):
        symbol_named("T_com")
    with pytest.raises(UnknownName, match="list letters shows them all"):
        symbol_named("qqqq")
    with pytest.raises(UnknownName):
        letter(byte)

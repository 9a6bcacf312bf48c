"""Amounts are read as people write them, kept exact, and shown so that they can be read back."""

from __future__ import annotations

import time
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sympy import Float, I, Integer, Rational, S, oo, sqrt

from fsdp_sym.algebra.errors import DimensionError, UnreadableAmount
from fsdp_sym.algebra.units import (
    UNITS,
    Amount,
    as_dimension,
    bit,
    byte,
    dimension_name,
    flop,
    one,
    param,
    parse_amount,
    second,
    show,
    show_number,
    show_readably,
    to_exact,
)

GIB = 2**30

READ = [
    ("80 GB", 80 * 10**9, byte),
    ("80GB", 80 * 10**9, byte),
    ("  80  GB ", 80 * 10**9, byte),
    ("80\u00a0GB", 80 * 10**9, byte),
    ("74.5 GiB", Rational(149, 2) * GIB, byte),
    ("1/3 GiB", Rational(GIB, 3), byte),
    ("81559 MiB", 81559 * 2**20, byte),
    ("700 MB", 700 * 10**6, byte),
    ("1,234,567 B", 1234567, byte),
    ("7 million B", 7 * 10**6, byte),
    ("8 bit", 1, byte),
    ("3 b", Rational(3, 8), byte),
    ("10 Gb", Rational(10**10, 8), byte),
    ("10 Gbit", Rational(10**10, 8), byte),
    ("1 Gibit", Rational(GIB, 8), byte),
    ("10 Gbps", Rational(10**10, 8), byte / second),
    ("100 Gbit/s", Rational(10**11, 8), byte / second),
    ("450 GB/s", 450 * 10**9, byte / second),
    ("3 ms", Rational(3, 1000), second),
    ("560 us", Rational(56, 10**5), second),
    ("560 µs", Rational(56, 10**5), second),
    ("560 μs", Rational(56, 10**5), second),
    ("14/25 s", Rational(14, 25), second),
    ("2 h", 7200, second),
    ("2 B/param", 2, byte / param),
    ("7e9 params", 7 * 10**9, param),
    ("1.3 billion params", 13 * 10**8, param),
    ("312 TFLOPS", 312 * 10**12, flop / second),
    ("312 TFLOP/s", 312 * 10**12, flop / second),
    ("7B", 7 * 10**9, one),
    ("1.3B", 13 * 10**8, one),
    ("175 billion", 175 * 10**9, one),
    ("125M", 125 * 10**6, one),
    ("7e9", 7 * 10**9, one),
    ("7_000", 7000, one),
    ("3/8", Rational(3, 8), one),
    (".5", Rational(1, 2), one),
    ("17.5 %", Rational(7, 40), one),
    ("-3", -3, one),
    ("−3 GB", -3 * 10**9, byte),
    ("+3", 3, one),
    ("0", 0, one),
    ("1e64", 10**64, one),
]


@pytest.mark.parametrize(("text", "value", "dimension"), READ)
def test_reading(text, value, dimension):
    assert parse_amount(text) == Amount(S(value), dimension)


def test_a_count_of_7B_is_not_7_bytes():
    assert parse_amount("7B") == Amount(Integer(7 * 10**9), one)
    assert parse_amount("7 B") == Amount(Integer(7), byte)


REFUSED = [
    ("", "write a number and a unit"),
    ("GB", "write a number and a unit"),
    ("--3", "write a number and a unit"),
    ("NaN", "write a number and a unit"),
    ("inf", "write a number and a unit"),
    ("٣ GB", "write a number and a unit"),
    ("10 G", "Write GB for bytes or Gbit for bits"),
    ("10G", "Write GB for bytes or Gbit for bits"),
    ("7 k", "Write kB for bytes or kbit for bits"),
    ("80 gb", "Capital B is a byte, small b is a bit"),
    ("5 KB", "write kB for thousands or KiB for 1024s"),
    ("5 Kbps", "write kbps for thousands"),
    ("0,56 s", "the decimal mark is a point"),
    ("1,23", "the decimal mark is a point"),
    ("12,345,67", "the decimal mark is a point"),
    ("3 kg", "write one such as GB"),
    ("80 GB/", "write one such as GB"),
    ("1 2 GB", "write one such as GB"),
    ("7 billion billion", "write one such as GB"),
    ("1/0", "give a number"),
    ("1e400", "keep it within"),
    ("1e64/1e-64", "keep it within"),
    ("1e64 million", "keep it within"),
    ("1e64 EB", "keep it within"),
    ("9" * 190, "keep it within"),
    ("9" * 10**6, "at most 200 characters"),
    ("1e999999999999 GB", "keep it within"),
    ("1e-999999999999", "keep it within"),
]


@pytest.mark.parametrize(("text", "remedy"), REFUSED, ids=[t[:20] for t, _ in REFUSED])
def test_refusing(text, remedy):
    begun = time.perf_counter()
    with pytest.raises(UnreadableAmount) as refusal:
        parse_amount(text)
    assert time.perf_counter() - begun < 0.5
    message = str(refusal.value)
    assert remedy in message
    assert "\n" not in message
    assert len(message) < 200


@pytest.mark.parametrize(
    ("amount", "shown"),
    [
        (Amount(Integer(14 * 10**9), byte), "14 GB"),
        (Amount(Integer(999), byte), "999 B"),
        (Amount(Integer(0), byte), "0 B"),
        (Amount(Integer(0), second), "0 s"),
        (Amount(Integer(-(14 * 10**9)), byte), "-14 GB"),
        (Amount(Integer(4101562500), byte), "4.1015625 GB"),
        (Amount(Rational(10**9, 3), byte), "1000/3 MB"),
        (Amount(Rational(14, 25), second), "560 ms"),
        (Amount(Rational(7, 5000), second), "1.4 ms"),
        (Amount(Integer(90), second), "90 s"),
        (Amount(Integer(1250000000), byte / second), "1.25 GB/s"),
        (Amount(Integer(10**10), bit / second), "10 Gbit/s"),
        (Amount(Rational(11, 2), byte / param), "5.5 B/param"),
        (Amount(Rational(8, 15)), "8/15"),
        (Amount(Rational(3, 8)), "0.375"),
        (Amount(Integer(7 * 10**9), param), "7e9"),
        (Amount(Integer(6738415616), param), "6,738,415,616"),
        (Amount(Integer(1024)), "1024"),
        (Amount(4 * sqrt(6)), "≈ 9.79796"),
        (Amount(402653184 * 4 * sqrt(6), byte), "≈ 3.94518 GB"),
        (Amount(oo), "∞"),
        (Amount(Rational(7, 40), one, "%"), "17.5%"),
        (parse_amount("74.5 GiB"), "74.5 GiB"),
        (parse_amount("10 Gbps"), "10 Gbps"),
    ],
)
def test_showing(amount, shown):
    assert show(amount) == shown == str(amount)


@pytest.mark.parametrize(
    ("value", "digits", "shown"),
    [
        (Rational(38654705664, 4101562500), 3, "≈ 9.42"),
        (Rational(1, 3), 3, "≈ 0.333"),
        (Rational(-2, 3), 2, "≈ -0.67"),
        (Rational(3, 8), 3, "0.375"),
        (Rational(3, 8), 2, "≈ 0.38"),
        (Integer(38654705664), 3, "≈ 38,700,000,000"),
        (Integer(7 * 10**9), 3, "7e9"),
        (10**6 * sqrt(2), 7, "≈ 1,414,214"),
        (sqrt(2), None, "≈ 1.41421"),
    ],
)
def test_rounding_is_marked(value, digits, shown):
    assert show_number(value, digits) == shown


@pytest.mark.parametrize(
    ("amount", "unit", "shown"),
    [
        (Amount(Rational(65401, 37500 * 1000), second), None, "≈ 1.74403 ms"),
        (Amount(Rational(7, 39)), "%", "≈ 17.9487%"),
        (Amount(Rational(7, 139)), None, "≈ 0.0503597"),
        (Amount(Rational(8, 15)), None, "8/15"),
        (Amount(Rational(10**9, 3), byte), None, "≈ 333.333 MB"),
        (Amount(Rational(2756250000, 4), byte), None, "689.0625 MB"),
        (parse_amount("450 GB/s"), None, "450 GB/s"),
    ],
)
def test_a_quotient_too_long_to_be_read_is_rounded_and_marked(amount, unit, shown):
    assert show_readably(amount, unit) == shown


def test_showing_in_another_unit():
    amount = parse_amount("80 GB")
    assert show(amount, "GiB", digits=4) == "≈ 74.51 GiB"
    assert show(amount, "Gbit") == "640 Gbit"
    with pytest.raises(DimensionError, match="'ms' is no unit of bytes: choose another"):
        show(amount, "ms")
    with pytest.raises(UnreadableAmount):
        show(amount, "furlong")


# The unit an amount was written in, and every dimension a letter can have.
_numbers = st.one_of(
    st.integers(-(10**30), 10**30),
    st.fractions(max_denominator=10**12),
    st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**12), max_value=10**12).map(Fraction),
    st.just(0),
)
_dimensions = st.sampled_from([one, byte, second, param, byte / param, byte / second, bit / second, bit / byte, flop, flop / second])


@given(_numbers, st.sampled_from(sorted(set(UNITS) - {"%"})), st.sampled_from(["", "s", "param", "B"]))  # a percentage stands alone
def test_what_was_written_in_a_unit_reads_back(number, unit, below):
    name = f"{unit}/{below}" if below else unit
    amount = parse_amount(f"{number} {name}")
    back = parse_amount(show(amount))
    assert back == amount
    assert not amount.value.atoms(Float)


@given(_numbers, _dimensions)
def test_what_was_computed_reads_back(number, dimension):
    """A bare count is read where a count of parameters is expected, and a bit rate where bits are counted."""
    amount = Amount(to_exact(number), dimension)
    assert as_dimension(parse_amount(show(amount)), dimension) == amount


@given(_numbers, _dimensions, st.integers(1, 12))
def test_a_rounded_number_says_so_or_is_exact(number, dimension, digits):
    amount = Amount(to_exact(number), dimension)
    shown = show(amount, digits=digits)
    if shown.startswith("≈ "):
        near = as_dimension(parse_amount(shown[2:]), dimension)
        assert near.value != amount.value
        assert abs(near.value - amount.value) <= abs(amount.value) / 10 ** (digits - 1)
    else:
        assert as_dimension(parse_amount(shown), dimension) == amount


def test_bits_and_bytes_both_ways():
    rate = parse_amount("10 Gbps")
    assert as_dimension(rate, bit / second) == Amount(Integer(10**10), bit / second)
    assert as_dimension(rate, byte / second) == rate
    assert show(as_dimension(rate, bit / second)) == "10 Gbps"
    assert as_dimension(parse_amount("1.25 GB/s"), bit / second) == as_dimension(rate, bit / second)
    assert as_dimension(parse_amount("10 Gb"), bit / second) is None
    assert as_dimension(parse_amount("8"), bit / byte) == Amount(Integer(8), bit / byte)
    assert as_dimension(parse_amount("7 B"), param) is None
    assert as_dimension(parse_amount("50 %"), param) is None


@pytest.mark.parametrize(
    ("given_", "value"),
    [(8, 8), (Fraction(3, 8), S(3) / 8), (0.1, S(1) / 10), (1e22, 10**22), (Decimal("0.30"), S(3) / 10), (sqrt(2), sqrt(2))],
)
def test_exact_numbers(given_, value):
    found = to_exact(given_)
    assert found == value
    assert not found.atoms(Float)


@pytest.mark.parametrize("given_", [True, None, "8", 3 + 0j, float("nan"), float("inf"), Decimal("NaN"), Float(2), sqrt(2) * 2.0, I, byte])
def test_inexact_numbers_are_refused(given_):
    with pytest.raises(UnreadableAmount):
        to_exact(given_)


def test_dimensions_have_names():
    assert dimension_name(byte / second) == "bytes per second"
    assert dimension_name(byte**2) == "byte**2"


# The table again, written out by hand: a size that is wrong there would read and show consistently wrong.
_STEPS = {"": 1, "k": 1000, "M": 1000**2, "G": 1000**3, "T": 1000**4, "P": 1000**5, "E": 1000**6, "Z": 1000**7}
_POWERS = {"Ki": 1024, "Mi": 1024**2, "Gi": 1024**3, "Ti": 1024**4, "Pi": 1024**5, "Ei": 1024**6}
_SIZES = {
    **{prefix + name: size for prefix, size in _STEPS.items() for name in ("B", "byte", "bytes", "FLOP", "FLOPS")},
    **{prefix + name: Fraction(size, 8) for prefix, size in _STEPS.items() for name in ("b", "bit", "bits", "bps")},
    **{prefix + "B": size for prefix, size in _POWERS.items()},
    **{prefix + "bit": Fraction(size, 8) for prefix, size in _POWERS.items()},
    **dict.fromkeys(("s", "second", "seconds"), 1),
    "ms": Fraction(1, 1000), "us": Fraction(1, 1000**2), "µs": Fraction(1, 1000**2), "μs": Fraction(1, 1000**2), "ns": Fraction(1, 1000**3),
    "min": 60, "h": 60 * 60, "d": 24 * 60 * 60,
    **dict.fromkeys(("param", "params", "parameter", "parameters"), 1),
    "token": 1, "tokens": 1, "USD": 1, "%": Fraction(1, 100),
}  # fmt: skip


def test_every_unit_has_the_size_written_here():
    assert {name: Fraction(int(size.p), int(size.q)) for name, (size, _) in UNITS.items()} == _SIZES


@pytest.mark.parametrize(
    ("text", "value"),
    [("7k", 7000), ("7K", 7000), ("7M", 7 * 1000**2), ("7B", 7 * 1000**3), ("7T", 7 * 1000**4), ("7 thousand", 7000),
     ("7 million", 7 * 1000**2), ("7 billion", 7 * 1000**3), ("7 trillion", 7 * 1000**4)],
)  # fmt: skip
def test_counts_by_letter_and_word(text, value):
    assert parse_amount(text) == Amount(Integer(value))

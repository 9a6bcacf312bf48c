"""What students type and what it is read as, row by row. The right answers are 112 GB, 0.56 s and (N-1)/N S."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from sympy import sqrt

from fsdp_sym.algebra.units import bit, byte, flop, param, second, usd
from fsdp_sym.algebra.vocabulary import A, L, N, N_d, P, S, T_comm, T_comp, b_w, c, chi, h, i, phi, s
from fsdp_sym.teaching.answers import (
    Choice,
    Count,
    Invalid,
    NotAnswered,
    Number,
    Quantity,
    Read,
    Symbolic,
    Triple,
    read,
    same_expression,
)
from fsdp_sym.teaching.answers.expressions import agree

BYTES, TIME, COUNT, NUMBER = Quantity(byte, "GB"), Quantity(second, "ms"), Count(), Number()
FORMULA = Symbolic((N, S))
SPLIT = Triple(("data", "pipeline", "tensor"))
STAGE = Choice(("ZeRO-1", "ZeRO-2", "ZeRO-3"), (("FSDP", "ZeRO-3"), ("3", "ZeRO-3")))
RIGHT = 112 * 10**9
GIB = 2**30

AMOUNTS = [
    # Right.
    *((text, BYTES, RIGHT) for text in ("112 GB", "112GB", "0.112 TB", "112000 MB", "1.12e11 bytes", "896e9 bit")),
    ("104.31 GiB", BYTES, Fraction(10431, 100) * GIB),
    *((text, BYTES, RIGHT) for text in ("112,000,000,000 B", "112 000 000 000 B", "112_000_000_000 B", "112,000 MB",
    "112\u202f000\u00a0MB")),
    *((text, TIME, Fraction(56, 100)) for text in ("0.56 s", "560ms", "5.6e5 us", "5.6e5 \u00b5s", "5.6e5 \u03bcs", ".56 s")),
    *((text, NUMBER, 8) for text in ("2^3", "2**3", "2³", "2^(3)", "2^{3}", "8.", "16/2", "--8", "2^2*2", "2(4)", "sqrt(64)", "64^(1/2)")),
    *((text, NUMBER, 2 * 10**9) for text in ("2×10^9", "2·10⁹", "2*10**9", r"2 \times 10^{9}", "2e9", "2 x 10^9", "2 billion", "2B")),
    ("10^9", COUNT, 10**9), ("½", NUMBER, Fraction(1, 2)), ("9/16", NUMBER, Fraction(9, 16)), ("\u22123", NUMBER, -3), ("-0", NUMBER, 0),
    ("7 billion", COUNT, 7 * 10**9), ("-2^2", NUMBER, -4), ("2^3^2", NUMBER, 512), ("2^-1", NUMBER, Fraction(1, 2)),
    ("10⁻³", NUMBER, Fraction(1, 1000)),
    # Wrong, and read as what was typed.
    ("112 GiB", BYTES, 112 * GIB), ("112 Gb", BYTES, RIGHT // 8), ("112 Gbit", BYTES, RIGHT // 8), ("1.1e11 B", BYTES, 11 * 10**10),
    # A comma that groups, though it may have been meant as a point.
    ("1,750 GB", BYTES, 1750 * 10**9),
    # A count with a suffix.
    ("7B", COUNT, 7 * 10**9), ("7B params", COUNT, 7 * 10**9), ("7e9 parameters", COUNT, 7 * 10**9), ("7B", Quantity(param, "params"),
    7 * 10**9), ("70k", COUNT, 70_000), ("1.5M", COUNT, 1_500_000), ("1,750", COUNT, 1750), ("0", BYTES, 0),
    # Arithmetic and units.
    ("16*7e9/8 B", BYTES, 14 * 10**9), ("2^30 B", BYTES, GIB), ("2^30B", BYTES, GIB), ("3/4 * 700 MB", BYTES, 525 * 10**6),
    ("700 MB * 3/4", BYTES, 525 * 10**6), ("8 ms + 3 ms", TIME, Fraction(11, 1000)), ("(8 + 3) ms", TIME, Fraction(11, 1000)),
    ("1 s - 440 ms", TIME, Fraction(56, 100)), ("1/2 s", TIME, Fraction(1, 2)), ("14 GB / 25 GB/s", TIME, Fraction(56, 100)),
    ("14 GB/(25 GB/s)", TIME, Fraction(56, 100)), ("17.5 %", NUMBER, Fraction(7, 40)), ("17.5%", NUMBER, Fraction(7, 40)),
    ("50 % * 16 GB", BYTES, 8 * 10**9), ("7e9 param * 16 B/param", BYTES, RIGHT), (r"\frac{7}{8} GB", BYTES, 875 * 10**6),
    (r"7\,\mathrm{GB}", BYTES, 7 * 10**9), ("7 billion bytes", BYTES, 7 * 10**9), ("112 gigabytes", BYTES, RIGHT),
    ("112 Gigabytes", BYTES, RIGHT), ("8 Bytes", BYTES, 8),
    ("2 gibibytes", BYTES, 2 * GIB), ("16 B/param", Quantity(byte / param, "B/param"), 16),
    ("16B/param", Quantity(byte / param, "B/param"), 16),
    ("16 bytes per parameter", Quantity(byte / param, "B/param"), 16), ("16 bytes", Quantity(byte / param, "B/param"), 16),
    ("50 GB/s", Quantity(byte / second, "GB/s"), 50 * 10**9), ("50 GBps", Quantity(byte / second, "GB/s"), 50 * 10**9),
    ("400 Gbps", Quantity(byte / second, "GB/s"), 50 * 10**9), ("400 Gbit per second", Quantity(bit / second, "Gbps"), 400 * 10**9),
    ("50 GB/s", Quantity(bit / second, "Gbps"), 400 * 10**9), ("989 TFLOP/s", Quantity(flop / second, "TFLOP/s"), 989 * 10**12),
    ("989 TFLOPS", Quantity(flop / second, "TFLOP/s"), 989 * 10**12), ("6 TFLOP", Quantity(flop, "FLOP"), 6 * 10**12),
    ("315 ZFLOP", Quantity(flop, "ZFLOP"), 315 * 10**21), ("150,000 tokens/s", Quantity(1 / second, "tokens/s"), 150000),
    ("150000 tokens per second", Quantity(1 / second, "tokens/s"), 150000),
    ("2.5 USD/h", Quantity(usd / second, "USD/h"), Fraction(25, 36000)),
    ("8 dollars", Quantity(usd, "USD"), 8), ("3 min", TIME, 180),
    ("ceil(7/2)", COUNT, 4), ("⌊7/2⌋", COUNT, 3), ("max(2, 3)", COUNT, 3), (8, COUNT, 8), (0.1, NUMBER, Fraction(1, 10)),
    (10**30, COUNT, 10**30),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expects", "value"), AMOUNTS)
def test_an_amount_is_read_exactly(text, expects, value):
    outcome = read(text, expects)
    assert isinstance(outcome, Read), outcome
    assert outcome.value == value
    assert type(outcome.value) in (int, Fraction)
    assert outcome.dimension == getattr(expects, "dimension", 1)


ECHOES = [
    ("112 GB", BYTES, "112 GB = 112,000,000,000 B"),
    ("112,000,000,000 B", BYTES, "112,000,000,000 B"),
    ("112 Gb", BYTES, "112 Gbit = 14,000,000,000 B"),
    ("5.6e5 us", TIME, "560,000 µs = 0.56 s"),
    ("16*7e9/8 B", BYTES, "14,000,000,000 B"),
    ("1,750 GB", BYTES, "1750 GB = 1,750,000,000,000 B; 1750 GB was understood, write 1.750 GB if you meant that"),
    ("1,750 GB + 1 GB", BYTES, "1751 GB = 1,751,000,000,000 B"),
    ("112 GB/s", BYTES, "112 GB/s = 112,000,000,000 B/s (bytes per second, where bytes are asked)"),
    ("112 GB", COUNT, "112 GB = 112,000,000,000 B (bytes, where a plain number is asked)"),
    ("7B", COUNT, "7,000,000,000"),
    ("1/3", NUMBER, "1/3"),
    ("(N-1)S/N", FORMULA, "(N - 1)·S/N"),
    ("-(S - N)^2/N", FORMULA, "-(S - N)^2/N"),
    ("NS", FORMULA, "N·S"),
    ("32,4,8", SPLIT, "32 x 4 x 8 (data x pipeline x tensor)"),
]


@pytest.mark.parametrize(("text", "expects", "echo"), ECHOES)
def test_the_echo_says_how_it_was_read(text, expects, echo):
    outcome = read(text, expects)
    assert isinstance(outcome, Read), outcome
    assert outcome.echo == echo


def test_what_a_diagnosis_needs_besides_the_value():
    def unit(text, expects=BYTES):
        return read(text, expects).unit

    assert unit("112 Gb") == "Gbit"
    assert unit("112 gigabytes") == unit("112 Gbytes") == "GB"
    assert unit("560 us", TIME) == "µs"
    assert unit("8 GB + 3 GB") == "GB"
    assert unit("8 GB + 3 MB") is None
    assert read("112 GB/s", BYTES).dimension == byte / second
    assert read("1,750 GB", BYTES).other == Fraction(1750, 1000) * 10**9
    assert read("1,750", NUMBER).other == Fraction(1750, 1000)
    for text in ("112,000,000 B", "1750 GB", "1 750 GB", "1,750.5 GB", "2*1,750 GB"):
        assert read(text, BYTES).other is None


SAME = [
    "(N-1)S/N", "(N-1)*S/N", "S(1-1/N)", "S - S/N", r"\frac{N-1}{N}S", r"\frac{N - 1}{N} \cdot S", r"S\left(1-\frac{1}{N}\right)",
    "(N-1)/N·S",
    "S×(N−1)÷N", "(N - 1)(S)/N", "S*(N-1)*N^-1", "S (N-1) / N", "S*(1 - N^(-1))", "(N²-N)S/N²", "NS/N - S/N", "-S/N + S", "S x (N-1)/N",
]  # fmt: skip
OTHER = ["S(N+1)/N", "S/N", "(N-1)S", "(N-1)/S*N", "S", "S(1+1/N)", "0", "S(N-1)/(N+1)", "2(N-1)S/N", "S*N/(N-1)", "S - 1/N",
"S^2(N-1)/(N*S+1)"]


@pytest.mark.parametrize("text", SAME)
def test_a_formula_is_right_in_any_form(text):
    outcome = read(text, FORMULA)
    assert isinstance(outcome, Read), outcome
    assert same_expression(outcome.value, (N - 1) * S / N, (N, S))


@pytest.mark.parametrize("text", OTHER)
def test_another_formula_is_another(text):
    outcome = read(text, FORMULA)
    assert isinstance(outcome, Read), outcome
    assert not same_expression(outcome.value, (N - 1) * S / N, (N, S))


TYPED = [
    (r"N_{\mathrm{data}} P", N_d * P), ("N_d P", N_d * P), ("b_w P", b_w * P), ("b_{w}P", b_w * P), ("b_wP", b_w * P),
    ("phi T_comm", phi * T_comm), ("φT_comm", phi * T_comm),
    (r"\varphi T_{\mathrm{comm}}", phi * T_comm), ("(1-φ)·T_comm", (1 - phi) * T_comm), ("√(L·c/A)", sqrt(L * c / A)),
    ("sqrt(L c / A)", sqrt(L * c / A)), (r"\sqrt{\frac{L c}{A}}", sqrt(L * c / A)), ("(L*c/A)^(1/2)", sqrt(L * c / A)),
    ("(L*c/A)^0.5", sqrt(L * c / A)), ("√L·√c/√A", sqrt(L * c / A)), ("T_comp + T_comm - φT_comm", T_comp + T_comm - phi * T_comm),
]  # fmt: skip


@pytest.mark.parametrize(("text", "truth"), TYPED)
def test_letters_are_read_in_each_way_they_are_typed(text, truth):
    letters = (N_d, b_w, P, phi, T_comm, T_comp, L, c, A)
    outcome = read(text, Symbolic(letters))
    assert isinstance(outcome, Read), outcome
    assert same_expression(outcome.value, truth, letters)


def test_one_point_at_which_two_formulas_agree_is_not_enough():
    assert not agree((1,) + (None,) * 11, (1,) * 12)
    assert agree((1,) * 7 + (None,) * 5, (1,) * 12)
    assert not agree((1,) * 11 + (2,), (1,) * 12)


COMMA = "decimal mark is a point"
CASE = "bytes or bits?"
LARGE = "too large"
INVALID = [
    ("112", BYTES, "a unit is missing: add one, such as 112 GB", 3), (112, BYTES, "unit is missing", 3),
    ("1e9", TIME, "unit is missing", 3),
    ("1,12", NUMBER, COMMA, 1), ("0,56 s", TIME, COMMA, 1), ("0,560 s", TIME, COMMA, 1), ("1,1234", COUNT, COMMA, 1),
    ("1,123,45", COUNT, COMMA, 5), ("12,34 GB", BYTES, COMMA, 2), ("1.5,5", COUNT, COMMA, 3),
    ("112 gb", BYTES, CASE, 4), ("112 G", BYTES, CASE, 4), ("112 Gib", BYTES, CASE, 4), ("112 mb", BYTES, CASE, 4),
    ("112 KB", BYTES, "kB", 4), ("112 GB per rank", BYTES, "a number and a unit only", 11), ("≈112", BYTES, "a number and a unit only", 0),
    ("112 ± 1", NUMBER, "a number and a unit only", 4), ("112 GB GB", BYTES, "a number and a unit only", 7),
    ("7B", BYTES, "7 bytes, or 7e9 parameters?", 1), ("16*7B", BYTES, "7 bytes, or 7e9 parameters?", 4),
    ("7 B", COUNT, "7 bytes, or 7e9", 2),
    ("(n-1)s/n", FORMULA, "case-sensitive, and 'n' and 's' are no letters here: did you mean N, S?", 1),
    ("S*N-1)/N", FORMULA, "leave it out", 5), ("112..", NUMBER, "one decimal point", 4), ("1.1.2", NUMBER, "one decimal point", 3),
    ("112 # GB", BYTES, "a number and a unit only", 4), ("１１２", NUMBER, "U+FF11", 0),
    ("112 GB\u200b", BYTES, "invisible character (U+200B)", 6),
    ("112\u202e GB", BYTES, "invisible", 3), ("112 GB\ufe0f", BYTES, "U+FE0F", 6), ("２GB", BYTES, "type '2'", 0),
    ("2½", NUMBER, "two ways", 1),
    ("9**9**9**9", NUMBER, LARGE, 4), ("10**(10**8)", NUMBER, LARGE, 2), ("1e400", NUMBER, LARGE, 0), ("1e-400", NUMBER, LARGE, 0),
    ("9" * 5000, NUMBER, "too long", None), (10**2000, NUMBER, LARGE, None), ("2^65", NUMBER, LARGE, 1),
    ("(2^64)^64^1*2", NUMBER, LARGE, 6),
    ("((9^64)^20)^4", NUMBER, LARGE, 11), ("9**9**9**9*N", FORMULA, LARGE, 4), ("N^65", FORMULA, LARGE, 1),
    ("(S^60)^60", FORMULA, LARGE, None),
    ("factorial(10**7)", NUMBER, "'factorial' is no number", 0), ("factorial(N)", FORMULA, "'factorial' is no letter", 0),
    ("1/0", NUMBER, "zero", 1), ("1/(2-2)", NUMBER, "zero", 1), ("0^-1", NUMBER, "zero", 1), ("S/(N-N)", FORMULA, "zero", None),
    *((text, NUMBER, "write a finite number", 0) for text in ("NaN", "inf", "oo", "Infinity", "∞", "nan")), (float("inf"),
    NUMBER, "finite", 0),
    ('__import__("os").system("…")', NUMBER, "U+2026", 25), ('__import__("os").system("id")', NUMBER, "'_' has no meaning", 0),
    ('__import__("os").system("id")', FORMULA, "'_' has no meaning", 0), ("().__class__.__base__", NUMBER, "one decimal point", 2),
    ("open('x')", NUMBER, "no meaning", 5), ("lambda: 0", NUMBER, "':'", 6), ("[1,2]", NUMBER, "round", 0),
    ("x=1", NUMBER, "without '='", 1),
    ("True", NUMBER, "'True' is no number", 0), ("True", COUNT, "'True'", 0), ("(" * 30_000, NUMBER, "too long", None),
    ("1+" * 20_000, NUMBER, "too long", None), ("a" * 10**6, FORMULA, "too long", None), ("(" * 26 + "1" + ")" * 26, NUMBER, "25 deep", 26),
    ("<script>", NUMBER, "'<' has no meaning", 0), (r"$\href{}", NUMBER, "dollar", 0), (r"\href{}", FORMULA, "'href' is not read", 0),
    ("S/2N", FORMULA, r"a/(b*c), or (a/b)*c", 3), ("(N-1)/N S", FORMULA, r"a/(b*c), or (a/b)*c", 8), ("1/NS", FORMULA, "a/(b*c)", 3),
    ("2chis", Symbolic((c, h, i, chi, s)), "'chis' can be taken apart in two ways", 1),
    ("(9^64)^20 * (9^64)^20", NUMBER, LARGE, 10),
    ("q", FORMULA, "'q' is no letter here: write it in N, S", 0), ("N2", FORMULA, "write a sign such as *", 1),
    ("112 00", NUMBER, "in threes", 4),
    ("Tcomm", Symbolic((T_comm, N)), "did you mean T_comm?", 0), ("φ", FORMULA, "'phi' is no letter", 0), ("17%", FORMULA, "percent", 2),
    ("sqrt(2)", NUMBER, "no exact value", 0), ("sqrt(-4)", NUMBER, "negative", 0), ("sqrt(N-1)", FORMULA, "no exact value", None),
    ("8 ms + 3", TIME, "one part has a unit", 5), ("8 ms + 3 GB", TIME, "a time and bytes cannot be added", 5),
    ("GB", BYTES, "a number is missing", 0),
    ("(2 GB)^2", BYTES, "no power", 6), ("(8 ms) s", TIME, "two units", 7), ("3 FLOPs", Quantity(flop, "FLOP"), "FLOP or FLOP/s", 2),
    ("3 GFlops", Quantity(flop, "FLOP"), "GFLOP or GFLOP/s", 2),
    ("(112 GB", BYTES, "never closed", 0), ("2*", NUMBER, "missing at the end", 2), ("*2", NUMBER, "to its left", 0),
    ("2+/3", NUMBER, "to its left", 2),
    ("1, 2", NUMBER, "one answer", 1), ("max 3", NUMBER, "max(...)", 4), ("max(3)", NUMBER, "max(a, b)", 0),
    (r"\frac12", NUMBER, r"\frac{a}{b}", 5),
    ("32 x 4", SPLIT, "3 whole numbers", None), ("32.5 x 4 x 8", SPLIT, "3 whole numbers", None), ("32 x 4,8", SPLIT, "3 whole", None),
    ("-32 x 4 x 8", SPLIT, "3 whole", None), ("none", SPLIT, "3 whole", None), ("none", COUNT, "'none'", 0),
    ("zreo 3", STAGE, "did you mean ZeRO-3?", None), ("<b>", STAGE, "write one of ZeRO-1, ZeRO-2, ZeRO-3", None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expects", "says", "column"), INVALID, ids=lambda x: str(x)[:24])
def test_what_cannot_be_read_is_met_with_a_line_that_helps(text, expects, says, column):
    outcome = read(text, expects)
    assert isinstance(outcome, Invalid), outcome
    assert says in outcome.message
    assert "\n" not in outcome.message
    assert outcome.column == column
    assert outcome.caret.endswith(f"\n{' ' * column}^") if column is not None else outcome.caret == ""


def test_the_caret_stands_under_the_typed_text():
    assert read("S*N-1)/N", FORMULA).caret == "S*N-1)/N\n     ^"
    assert read("½·S ×（N", FORMULA).caret == "½·S ×?N\n     ^"
    assert read("10⁹⁹ + \u202e1", NUMBER).caret == "10⁹⁹ + ?1\n       ^"
    assert read("10⁹⁹ + 1", NUMBER).caret == "10⁹⁹ + 1\n  ^"


@pytest.mark.parametrize("text", ["", " ", "\n\t ", "\u00a0", None])
@pytest.mark.parametrize("expects", [BYTES, FORMULA, SPLIT, STAGE])
def test_nothing_is_not_answered(text, expects):
    assert read(text, expects) == NotAnswered()


class Sly(str):
    """A text that calls itself equal to anything."""

    def __eq__(self, other):
        return True

    __hash__ = str.__hash__


class SlyNumber(int):
    pass


@pytest.mark.parametrize("thing", [True, Decimal(8), np.int64(8), np.float64(8), Sly("8"), SlyNumber(8), b"8", [8], Fraction(8),
8j, object(), ...])
@pytest.mark.parametrize("expects", [COUNT, FORMULA, SPLIT, STAGE])
def test_exact_types_only(thing, expects):
    outcome = read(thing, expects)
    assert isinstance(outcome, Invalid)
    assert "put it in quotes" in outcome.message


@pytest.mark.parametrize("text", ["32 x 4 x 8", "32x4x8", "32,4,8", "(32, 4, 8)", "32×4×8", "32*4*8", " 32 X 4 X 8 ",
r"32 \times 4 \times 8"])
def test_a_triple(text):
    assert read(text, SPLIT) == Read((32, 4, 8), "32 x 4 x 8 (data x pipeline x tensor)")


@pytest.mark.parametrize("text", ["ZeRO-3", "zero 3", "ZERO_3", "zero3", "FSDP", "fsdp.", "3", "ZeRO\u20113"])
def test_a_choice(text):
    assert read(text, STAGE) == Read("ZeRO-3", "ZeRO-3")


@pytest.mark.parametrize("expects", [Count(or_none=True), Triple(("data", "tensor"), or_none=True)])
def test_there_may_be_none(expects):
    for text in ("none", "None.", "there is none"):
        assert read(text, expects) == Read(None, "there is none")
    assert isinstance(read("nonsense", expects), Invalid)

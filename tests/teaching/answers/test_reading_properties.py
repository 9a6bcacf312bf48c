"""An amount or a formula reads back equal, in whichever accepted way it is written."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sympy import Integer, Max, Min, Piecewise, Rational, ceiling, floor, sqrt
from sympy.core.basic import Basic
from sympy.core.relational import Relational

from fsdp_sym.algebra import units as house
from fsdp_sym.algebra.arithmetic import over
from fsdp_sym.algebra.printing import to_text
from fsdp_sym.algebra.units import Amount, byte, one, second, show
from fsdp_sym.algebra.vocabulary import L, N, P, S, T_comm, e, phi
from fsdp_sym.reasoning.catalogue import formulas
from fsdp_sym.teaching.answers import Invalid, Number, Quantity, Read, Symbolic, read, same_expression
from fsdp_sym.teaching.answers.expressions import Node, Tree, formula_text
from fsdp_sym.teaching.answers.reading import LONGEST
from fsdp_sym.teaching.answers.units import TABLE, dimension_of

# Numbers, and ways to write each of them.

VALUES = st.one_of(
    st.integers(0, 10**15), st.builds(over, st.integers(1, 10**6), st.integers(1, 10**6)),
    st.builds(lambda n, power: over(n, 10**power), st.integers(0, 10**9), st.integers(0, 12)),
)  # fmt: skip


def grouped(mark: str):
    def write(value: int | Fraction) -> str | None:
        return f"{value:,}".replace(",", mark) if isinstance(value, int) else None

    return write


def decimal(value: int | Fraction) -> str | None:
    if 10**18 % value.denominator:
        return None
    digits = str(value * 10**18).rjust(19, "0")
    return f"{digits[:-18]}.{digits[-18:]}"


def scientific(letter: str):
    def write(value: int | Fraction) -> str | None:
        return f"{value * 10**18}{letter}-18" if 10**18 % value.denominator == 0 else None

    return write


WRITERS = {
    "plain": str,
    "quotient": lambda v: f"{v.numerator} / {v.denominator}",
    "LaTeX": lambda v: rf"\frac{{{v.numerator}}}{{{v.denominator}}}",
    "commas": grouped(","),
    "spaces": grouped(" "),
    "thin spaces": grouped("\u2009"),
    "underscores": grouped("_"),
    "decimal": decimal,
    "e": scientific("e"),
    "E": scientific("E"),
    "times": scientific(" × 10^"),
    "power": scientific("*10**"),
    "brackets": lambda v: f"(({v}))",
    "half": lambda v: f"½·({2 * v})",
    "sum": lambda v: f"({v} + 3 - 3)",
    "signs": lambda v: f"--{v}",
    "inverse": lambda v: f"(({v})^-1)^-1" if v else None,
    "superscript": lambda v: f"({v}·10³)·10⁻³",
}
UNITS = sorted(TABLE.items())


@settings(max_examples=1500)
@given(VALUES, st.sampled_from(sorted(WRITERS)), st.sampled_from(UNITS), st.sampled_from([" ", "  ", "\u00a0", "", "\n"]))
@example(7, "plain", ("GB", TABLE["GB"]), "")
def test_an_amount_in_any_unit_and_any_writing_reads_back_equal(value, writer, unit, gap):
    text = WRITERS[writer](value)
    spelling, of = unit
    if text is None or len(text) > 150 or (spelling == "B" and not gap):
        return
    outcome = read(f"{text}{gap}{spelling}", Quantity(dimension_of(of.powers), of.name))
    assert isinstance(outcome, Read), (text, spelling, outcome)
    assert outcome.value == value * of.size
    assert outcome.dimension == dimension_of(of.powers)


@given(VALUES, st.sampled_from(UNITS), st.sampled_from(UNITS), st.sampled_from(["/", " / ", " per "]))
def test_a_unit_per_another_reads_back_equal(value, above, below, per):
    (above_text, above_unit), (below_text, below_unit) = above, below
    dimension = dimension_of(above_unit.powers) / dimension_of(below_unit.powers)
    if below_text == "%" or "%" in above_text:
        return
    outcome = read(f"{value.numerator}/{value.denominator} {above_text}{per}{below_text}", Quantity(dimension, "B"))
    assert isinstance(outcome, Read), outcome
    assert outcome.value == value * above_unit.size / Fraction(below_unit.size)
    assert outcome.dimension == dimension


HOUSE_UNITS = [*sorted(house.UNITS), "GB/s", "B/param", "Gbit/s"]


@settings(max_examples=500)
@given(VALUES, st.sampled_from(HOUSE_UNITS))
def test_what_the_house_shows_reads_back_equal(value, unit):
    size, dimension = house.unit_size(unit)
    amount = Amount(Rational(value.numerator, value.denominator) * size, dimension)
    outcome = read(show(amount, unit), Quantity(dimension, unit))
    assert isinstance(outcome, Read), (show(amount, unit), outcome)
    assert outcome.value == Fraction(int(amount.value.p), int(amount.value.q))


@given(VALUES, st.sampled_from([(byte, "GB"), (second, "ms"), (one, "")]))
def test_an_echo_without_rounding_reads_back_equal(value, asked):
    expects = Quantity(*asked)
    outcome = read(f"{value.numerator}/{value.denominator} {expects.unit}", expects)
    assert isinstance(outcome, Read)
    for text in outcome.echo.split(";")[0].split(" = "):
        if "≈" not in text:
            again = read(text, expects)
            assert isinstance(again, Read), (text, again)
            assert again.value == outcome.value


# Formulas: a tree, written in several ways by a writer of the test's own, and as SymPy's.

LETTERS = (N, P, S, L, T_comm, phi)
LEAVES = st.one_of(st.sampled_from([s.name for s in LETTERS]), st.integers(0, 99), st.sampled_from([Fraction(1, 2), Fraction(7, 4)]))


def branches(parts):
    two = st.tuples(parts, parts)
    return st.one_of(
        st.builds(Node, st.sampled_from("+-*/"), two),
        st.builds(lambda part, power: Node("^", (part, power)), parts, st.integers(0, 3)),
        st.builds(lambda part: Node("negative", (part,)), parts),
        st.builds(lambda name, part: Node(name, (part,)), st.sampled_from(["ceil", "floor"]), parts),
        st.builds(Node, st.sampled_from(["max", "min"]), two),
    )


TREES = st.recursive(LEAVES, branches, max_leaves=7)


def written(tree: Tree, style: str) -> str:
    """The tree as typed: everything in brackets, in one of the styles."""
    if not isinstance(tree, Node):
        if style == "greek" and tree == "phi":
            return "φ"
        if style == "LaTeX" and tree == "T_comm":
            return r"T_{\mathrm{comm}}"
        return rf"\frac{{{tree.numerator}}}{{{tree.denominator}}}" if isinstance(tree, Fraction) and style == "LaTeX" else str(tree)
    parts = [written(part, style) for part in tree.parts]
    match tree.operator, style:
        case "/", "LaTeX":
            return rf"\frac{{{parts[0]}}}{{{parts[1]}}}"
        case "^", "LaTeX":
            return rf"\left({parts[0]}\right)^{{{parts[1]}}}"
        case "^", "Python":
            return f"({parts[0]})**({parts[1]})"
        case "^", "greek":
            return f"({parts[0]}){''.join('⁰¹²³⁴⁵⁶⁷⁸⁹'[int(d)] for d in parts[1])}"
        case "*", "implicit":
            return f"({parts[0]})({parts[1]})"
        case "*", "LaTeX":
            return rf"\left({parts[0]}\right) \cdot \left({parts[1]}\right)"
        case "*", "greek":
            return f"({parts[0]})×({parts[1]})"
        case "-", "greek":
            return f"({parts[0]})−({parts[1]})"
        case ("+" | "-" | "*" | "/" | "^") as operator, _:
            return f"({parts[0]}){operator}({parts[1]})"
        case "negative", _:
            return f"-({parts[0]})"
        case ("ceil" | "floor") as name, "LaTeX":
            return rf"\l{name} {parts[0]} \r{name}"
        case "ceil", "greek":
            return f"⌈{parts[0]}⌉"
        case name, _:
            return f"{name}({', '.join(parts)})"


def as_sympy(tree: Tree) -> Basic:
    """The same formula, built by SymPy's own operators."""
    if not isinstance(tree, Node):
        symbols = {s.name: s for s in (*LETTERS, e)}
        return symbols[tree] if isinstance(tree, str) else Rational(tree.numerator, tree.denominator)
    parts = [as_sympy(part) for part in tree.parts]
    match tree.operator:
        case "+":
            return parts[0] + parts[1]
        case "-":
            return parts[0] - parts[1]
        case "*":
            return parts[0] * parts[1]
        case "/":
            return parts[0] / parts[1]
        case "^":
            return parts[0] ** parts[1]
        case "negative":
            return -parts[0]
        case name:
            return {"ceil": ceiling, "floor": floor, "max": Max, "min": Min, "sqrt": sqrt}[name](*parts)


@settings(max_examples=400)
@given(TREES, st.sampled_from(["plain", "implicit", "Python", "LaTeX", "greek", "echo"]))
def test_a_formula_in_any_writing_reads_back_the_same(tree, style):
    text = formula_text(tree) if style == "echo" else written(tree, style)
    outcome = read(text, Symbolic(LETTERS))
    if not isinstance(outcome, Read):
        assert any(why in outcome.message for why in ("zero", "too large", "too long", "25 deep")), (text, outcome)
        return
    wanted = as_sympy(tree)
    assert not wanted.has(house.oo)
    assert same_expression(outcome.value, tree, LETTERS), text
    assert same_expression(outcome.value, wanted, LETTERS), text
    assert not same_expression(outcome.value, wanted + phi / 1000, LETTERS), text
    if style != "echo":
        assert read(outcome.echo, Symbolic(LETTERS)).echo == outcome.echo


# A comparison is answered by yes or no, and a choice by what is chosen; a student's answer has at most 200 characters.
NO_ANSWER = [f for f in formulas().values() if isinstance(f.exact, Relational | Piecewise) or len(to_text(f.exact)) > LONGEST]
PRINTED = [f for f in formulas().values() if f not in NO_ANSWER]


@pytest.mark.parametrize("formula", NO_ANSWER, ids=lambda f: f.id)
def test_what_no_student_writes_as_a_formula_is_refused_in_one_line(formula):
    printed = to_text(formula.exact)
    outcome = read(printed, Symbolic(tuple(sorted(formula.exact.free_symbols, key=str))))
    assert isinstance(outcome, Invalid)
    assert "\n" not in outcome.message
    said = r"this is too long: .* at most 200" if len(printed) > LONGEST else r"has no meaning in an answer: leave it out|without '='"
    assert re.search(said, outcome.message)


@pytest.mark.parametrize("formula", PRINTED, ids=lambda f: f.id)
def test_what_the_printer_writes_of_a_formula_is_read_as_that_formula(formula):
    letters = tuple(sorted(formula.exact.free_symbols, key=str))
    outcome = read(to_text(formula.exact), Symbolic(letters))
    assert isinstance(outcome, Read), (to_text(formula.exact), outcome)
    assert same_expression(outcome.value, formula.exact, letters)
    assert not same_expression(outcome.value, formula.exact * Rational(1001, 1000), letters) or formula.exact == 0
    for letter in letters:
        other = formula.exact.subs(letter, letter + Integer(1))
        assert not same_expression(outcome.value, other, letters), letter


def test_one_text_read_as_a_number_and_as_a_formula_agree():
    for text in ("16*7e9/8", "2^3^2", "-2^2", "(1-1/8)*700", "½·3", "ceil(7/2)", "7/8/2", "2-3-4", "sqrt(9/16)"):
        number, formula = read(text, Number()), read(text, Symbolic((N,)))
        assert isinstance(number, Read)
        assert isinstance(formula, Read)
        assert same_expression(formula.value, number.value, (N,))

"""One printer: the same expression as a line of text and as LaTeX, in the order of the vocabulary."""

from __future__ import annotations

import pytest
from sympy import Eq, Gt, Integer, Le, Max, Min, Ne, Piecewise, Rational, Sum, ceiling, false, floor, oo, sqrt, true, zoo

from fsdp_sym.algebra.printing import amount_to_latex, over_lines, to_latex, to_text
from fsdp_sym.algebra.vocabulary import (
    A,
    B,
    G,
    L,
    M_max,
    N,
    N_p,
    N_t,
    P,
    R_bit,
    S,
    T_comm,
    T_comp,
    a,
    b,
    b_a,
    b_c,
    b_g,
    b_m,
    b_w,
    c,
    d,
    e,
    i,
    j,
    k,
    n_bit,
    phi,
    r,
    rho,
    rho_max,
    s,
    sigma,
)  # fmt: skip
from fsdp_sym.reasoning.catalogue import formulas

TABLE = [
    # Positive terms first, then vocabulary order, bare numbers last.
    (N - 1, "N - 1", "N - 1"),
    (1 - N, "1 - N", "1 - N"),
    (b_c + b_g + b_w + b_m, "b_w + b_g + b_c + b_m", "b_{w} + b_{g} + b_{c} + b_{m}"),
    (1 - sigma / rho, "1 - σ/ρ", r"1 - \frac{\sigma}{\rho}"),
    (S / N - S / (N + 1), "S/N - S/(N + 1)", r"\frac{S}{N} - \frac{S}{N + 1}"),
    (-S / N, "-S/N", r"-\frac{S}{N}"),
    # A plain fraction stands before the quantity it scales.
    (S * (N - 1) / N, "(N - 1)/N·S", r"\frac{N - 1}{N} \, S"),
    (2 * S * (N - 1) / N, "2·(N - 1)/N·S", r"2 \, \frac{N - 1}{N} \, S"),
    (2 * S * (N - 1) / (3 * N), "(2/3)·(N - 1)/N·S", r"\frac{2}{3} \, \frac{N - 1}{N} \, S"),
    (3 * S / 2, "(3/2)·S", r"\frac{3}{2} \, S"),
    (-3 * S / 2, "-(3/2)·S", r"-\frac{3}{2} \, S"),
    (S / 3, "S/3", r"\frac{S}{3}"),
    (P * (b_w + b_g) / N, "P·(b_w + b_g)/N", r"\frac{P \, \left(b_{w} + b_{g}\right)}{N}"),
    (T_comm * (1 - phi) / T_comp, "(1 - φ)·T_comm/T_comp", r"\frac{\left(1 - \varphi\right) \, T_{\mathrm{comm}}}{T_{\mathrm{comp}}}"),
    (G / (N_p * N_t), "G/(N_p·N_t)", r"\frac{G}{N_{\mathrm{pipeline}} \, N_{\mathrm{tensor}}}"),
    (S * n_bit / R_bit, "S·n_bit/R_bit", r"\frac{S \, n_{\mathrm{bit}}}{R_{\mathrm{bit}}}"),
    # Roots are merged.
    (sqrt(L * c / A), "√(L·c/A)", r"\sqrt{\frac{L \, c}{A}}"),
    (2 * sqrt(L * c * A), "2·√(L·c·A)", r"2 \, \sqrt{L \, c \, A}"),
    (sqrt(L), "√L", r"\sqrt{L}"),
    (sqrt(L / 2), "√(2·L)/2", r"\frac{\sqrt{2 \, L}}{2}"),
    (1 / sqrt(N - 1), "√(1/(N - 1))", r"\sqrt{\frac{1}{N - 1}}"),
    (4 * sqrt(6), "4·√6", r"4 \, \sqrt{6}"),
    # Powers keep what they hold together.
    (34 * b * s * d + 5 * a * b * s**2, "34·b·s·d + 5·b·s^2·a", r"34 \, b \, s \, d + 5 \, b \, s^{2} \, a"),
    ((N - 1) ** 2, "(N - 1)^2", r"\left(N - 1\right)^{2}"),
    (2 ** (e + 1), "2^(e + 1)", "2^{e + 1}"),
    (2**-e, "2^(-e)", "2^{-e}"),
    (L ** Rational(3, 2), "L^(3/2)", r"L^{\frac{3}{2}}"),
    (P**-2, "1/P^2", r"\frac{1}{P^{2}}"),
    # Sums, rounding, the larger, cases and relations.
    (Sum(ceiling(S / N), (i, 1, N - 1)), "Σ[i=1..N - 1] ⌈S/N⌉", r"\sum_{i=1}^{N - 1} \left\lceil \frac{S}{N} \right\rceil"),
    (Sum(Sum(1, (j, 0, e - i)), (i, 0, e)), "Σ[i=0..e] Σ[j=0..e - i] 1", r"\sum_{i=0}^{e} \sum_{j=0}^{e - i} 1"),
    (Sum(S, (i, 1, N)) + S, "(Σ[i=1..N] S) + S", r"\left(\sum_{i=1}^{N} S\right) + S"),
    (2 * Sum(S, (i, 1, N)) + S, "(2·Σ[i=1..N] S) + S", r"\left(2 \, \sum_{i=1}^{N} S\right) + S"),
    (floor(P / N) * b_w, "⌊P/N⌋·b_w", r"\left\lfloor \frac{P}{N} \right\rfloor \, b_{w}"),
    (ceiling(L / k) ** 2, "⌈L/k⌉^2", r"\left\lceil \frac{L}{k} \right\rceil^{2}"),
    (
        T_comp + Max(0, T_comm - T_comp),
        "T_comp + max(T_comm - T_comp, 0)",
        r"T_{\mathrm{comp}} + \max\left(T_{\mathrm{comm}} - T_{\mathrm{comp}}, 0\right)",
    ),
    (Min(N, P), "min(N, P)", r"\min\left(N, P\right)"),
    (
        N * Piecewise((0, Le(N, 2)), (1, True)),
        "N·(0 if N ≤ 2; 1 otherwise)",
        r"N \, \begin{cases}0 & \text{if }N \le 2 \\ 1 & \text{otherwise}\end{cases}",
    ),
    (Le(P * B / N, M_max), "P·B/N ≤ M_max", r"\frac{P \, B}{N} \le M_{\mathrm{max}}"),
    (Gt(rho, rho_max), "ρ > ρ_max", r"\rho > \rho_{\max}"),
    (Eq(N, G), "N = G", "N = G"),
    (Ne(N, 1), "N ≠ 1", r"N \ne 1"),
    # Numbers.
    (Integer(-5), "-5", "-5"),
    (Rational(-1, 2), "-1/2", r"-\frac{1}{2}"),
    (Integer(123456), "123,456", "123{,}456"),
    (N * (-123456 - P), "N·(-P - 123,456)", r"N \, \left(-P - 123{,}456\right)"),
    (7 * 10**9 * B, "7e9·B", r"7 \times 10^{9} \, B"),
    (oo, "∞", r"\infty"),
    (true, "true", r"\text{true}"),
    (false, "false", r"\text{false}"),
    ((r + 2) * S * (N - 1) / N, "(r + 2)·(N - 1)/N·S", r"\frac{\left(r + 2\right) \, \left(N - 1\right)}{N} \, S"),
    (b * s * d * b_a, "b·s·d·b_a", r"b \, s \, d \, b_{a}"),
]


@pytest.mark.parametrize(("expr", "text", "latex"), TABLE, ids=[row[1] for row in TABLE])
def test_printing(expr, text, latex):
    assert to_text(expr) == text
    assert to_latex(expr) == latex


SUBSTITUTED = [
    (S * (N - 1) / N, {S: "700 MB", N: "4"}, "(4 - 1) / 4 × 700 MB", r"\frac{4 - 1}{4} \times 700\,\mathrm{MB}"),
    (P * B / N, {P: "7e9", B: "16 B/param", N: "8"}, "7e9 × 16 B/param / 8", r"\frac{7 \times 10^{9} \times 16\,\mathrm{B/param}}{8}"),
    (ceiling(S / N), {S: "700 MB", N: "4"}, "⌈700 MB / 4⌉", r"\left\lceil \frac{700\,\mathrm{MB}}{4} \right\rceil"),
    (1 - sigma / rho, {sigma: "17.5%", rho: "0.375"}, "1 - 17.5% / 0.375", r"1 - \frac{17.5\%}{0.375}"),
    (rho * (1 - phi), {rho: "3/8", phi: "8/15"}, "(3/8) × (1 - 8/15)", r"3/8 \times \left(1 - 8/15\right)"),
    (P**2, {P: "7e9"}, "(7e9)^2", r"\left(7 \times 10^{9}\right)^{2}"),
    (P - phi, {P: "2", phi: "-3"}, "2 - (-3)", r"2 - \left(-3\right)"),
    (N**2, {N: "4"}, "4^2", "4^{2}"),
    (N * k, {N: "4"}, "4 × k", r"4 \times k"),
]


@pytest.mark.parametrize(("expr", "values", "text", "latex"), SUBSTITUTED, ids=[row[2] for row in SUBSTITUTED])
def test_substitution(expr, values, text, latex):
    assert to_text(expr, values) == text
    assert to_latex(expr, values) == latex


@pytest.mark.parametrize(
    ("shown", "latex"),
    [
        ("14 GB", r"14\,\mathrm{GB}"),
        ("≈ 3.94518 GB", r"\approx 3.94518\,\mathrm{GB}"),
        ("3 µs", r"3\,\mathrm{\mu{}s}"),
        ("6,738,415,616", "6{,}738{,}415{,}616"),
        ("7e9 params", r"7 \times 10^{9}\,\mathrm{params}"),
        ("17.5%", r"17.5\%"),
        ("∞", r"\infty"),
    ],
)
def test_an_amount_in_latex(shown, latex):
    assert amount_to_latex(shown) == latex


def test_what_cannot_be_printed_says_where_to_add_it():
    with pytest.raises(TypeError, match=r"add it to algebra/printing\.py"):
        to_text(zoo)


@pytest.mark.parametrize("formula", formulas().values(), ids=lambda f: f.id)
def test_every_state_and_reading_of_every_formula_prints(formula):
    for expr in (*formula.states, formula.full, formula.closed, formula.exact):
        text, latex = to_text(expr), to_latex(expr)
        assert text
        assert "**" not in text
        assert text.count("(") == text.count(")")
        assert latex.count("{") == latex.count("}")
        assert latex.count(r"\left") == latex.count(r"\right")
    for hypothesis in (*formula.hypotheses, *formula.where):
        assert hypothesis.text
        assert hypothesis.latex.count("{") == hypothesis.latex.count("}")


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("a + b", ["a + b"]),
        ("aaaaaa·(b - c) + dddddd - e", ["aaaaaa·(b - c)", "  + dddddd", "  - e"]),
        ("aaa·(bbbbbbbb + (c + d)·eeeee) - f", ["aaa·(bbbbbbbb", "  + (c + d)·eeeee)", "  - f"]),
        ("aaa·(bbbbb + c·eeeee) - f", ["aaa·(bbbbb + c·eeeee)", "  - f"]),
        ("⌈aaaaaaaaaaaaa + bbbbbbbbbbbbb⌉ - ccc", ["⌈aaaaaaaaaaaaa", "  + bbbbbbbbbbbbb⌉", "  - ccc"]),
        ("aaa - (bbbbbbbbbbbbb + (ccccccc + dddd))", ["aaa", "  - (bbbbbbbbbbbbb", "    + (ccccccc + dddd))"]),
        ("-a·b·c·d·e·f·g·h·i·j·k", ["-a·b·c·d·e·f·g·h·i·j·k"]),
        ("(aaaaaaa + bbbbbbb) × (c + d) / (e × f)", ["(aaaaaaa + bbbbbbb)", "  × (c + d) / (e × f)"]),
        ("a × 2 × 3 / 4 × (ccccccccccc + ddddddddddddddddd)", ["a × 2 × 3 / 4 × (ccccccccccc", "  + ddddddddddddddddd)"]),
    ],
)
def test_a_long_line_is_broken_at_its_outer_signs(text, lines):
    assert over_lines(text, 18, "") == lines
    assert over_lines(text, 22, "    ") == [f"    {line}" for line in lines]


def test_a_sum_wider_than_a_page_has_its_terms_below_each_other():
    wide = to_latex(formulas()["micro_batch_time"].start)
    assert wide.count(r" \\ & {} + ") == 6
    assert wide.startswith(r"\begin{aligned} & \frac{")
    assert wide.endswith(r" \end{aligned}")
    assert "aligned" not in to_latex(formulas()["all_gather"].start)

"""Hypotheses are values: they print, substitute themselves, travel with a lemma, and test themselves on numbers."""

from __future__ import annotations

import pytest
from sympy import Integer, Rational

from fsdp_sym.algebra.hypotheses import AtMost, Divides, Equal
from fsdp_sym.algebra.vocabulary import A, L, N, N_d, N_t, P, S, T_comm, T_comp, c, phi, rho


@pytest.mark.parametrize(
    ("hypothesis", "text", "latex"),
    [
        (Divides(N, S), "N divides S", r"N \mid S"),
        (Divides(N * N_t, P), "N·N_t divides P", r"N \, N_{\mathrm{tensor}} \mid P"),
        (Equal(c, A), "c = A", "c = A"),
        (Equal(rho, T_comm / T_comp), "ρ = T_comm/T_comp", r"\rho = \frac{T_{\mathrm{comm}}}{T_{\mathrm{comp}}}"),
        (AtMost(T_comp, T_comm), "T_comp is at most T_comm", r"T_{\mathrm{comp}} \le T_{\mathrm{comm}}"),
        (AtMost(2, N), "2 is at most N", r"2 \le N"),
    ],
)
def test_printing(hypothesis, text, latex):
    assert hypothesis.text == str(hypothesis) == text
    assert hypothesis.latex == latex


@pytest.mark.parametrize(
    ("hypothesis", "values", "holds"),
    [
        (Divides(N, S), {N: 4, S: 700}, True),
        (Divides(N, S), {N: 7, S: 10}, False),
        (Divides(N, S), {N: 7}, None),
        (Divides(1, S), {}, True),
        (Divides(N, 2 * S), {N: 4, S: 2}, True),
        (Equal(c, A), {c: 3, A: 3}, True),
        (Equal(c, A), {c: 3, A: 4}, False),
        (Equal(c, A), {c: 3}, None),
        (Equal(rho, T_comm / T_comp), {rho: Rational(3, 8), T_comm: 3, T_comp: 8}, True),
        (AtMost(T_comp, T_comm), {T_comp: 3, T_comm: 3}, True),
        (AtMost(T_comp, T_comm), {T_comp: 4, T_comm: 3}, False),
        (AtMost(T_comp, T_comm), {T_comm: 3}, None),
        (AtMost(2, N), {N: 1}, False),
        (AtMost(phi, 1), {phi: Rational(1, 2)}, True),
    ],
)
def test_testing_on_numbers(hypothesis, values, holds):
    assert hypothesis.holds({s: Integer(v) if isinstance(v, int) else v for s, v in values.items()}) is holds


@pytest.mark.parametrize(
    "hypothesis",
    [
        Divides(N, S), Divides(N * N_t, P), Divides(N, 2 * S), Equal(c, A), Equal(c, 2 * A),
        AtMost(T_comp, T_comm), AtMost(2, N), AtMost(N, P),
    ],
    ids=str,
)  # fmt: skip
def test_once_substituted_it_holds(hypothesis):
    """What it puts for a letter makes it true of all numbers."""
    put = hypothesis.substitution()
    assert put
    free = {x: Integer(3) for value in put.values() for x in value.free_symbols}
    values = {s: v.xreplace(free) for s, v in put.items()} | {s: free.get(s, Integer(3)) for s in hypothesis.symbols - set(put)}
    assert hypothesis.holds(values) is True


@pytest.mark.parametrize("hypothesis", [Divides(S, 2), AtMost(phi, 1), Divides(N, T_comm), Equal(A, 3).at({A: Integer(3)})], ids=str)
def test_what_cannot_substitute_itself_puts_nothing(hypothesis):
    assert hypothesis.substitution() == {}


@pytest.mark.parametrize(
    ("hypothesis", "at", "moved"),
    [
        (Divides(N, S), {N: N_d, S: S / N_t}, Divides(N_d, S / N_t)),
        (Divides(N, S), {N: Integer(1)}, Divides(1, S)),
        (Equal(c, A), {A: 2 * L}, Equal(c, 2 * L)),
        (Equal(c, A), {c: 2 * L}, Equal(A, 2 * L)),
        (AtMost(T_comp, T_comm), {T_comp: 2 * T_comp}, AtMost(2 * T_comp, T_comm)),
        (Divides(N, S), {}, Divides(N, S)),
    ],
)
def test_travelling(hypothesis, at, moved):
    assert hypothesis.at(at) == moved
    assert hash(hypothesis.at(at)) == hash(moved)


def test_what_is_true_of_every_value_is_trivial():
    assert Divides(N, S).at({N: Integer(1)}).trivial
    assert Equal(c, A).at({c: A}).trivial
    assert not Divides(N, S).trivial


def test_the_letters_it_speaks_of():
    assert Divides(N * N_t, P).symbols == {N, N_t, P}
    assert AtMost(2, N).symbols == {N}

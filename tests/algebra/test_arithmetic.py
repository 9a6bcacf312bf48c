"""Compiled arithmetic equals SymPy at every exact point, and never gives a float."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Abs, Eq, Expr, Ge, Gt, Integer, Le, Lt, Max, Min, Ne, Piecewise, Rational, Sum, ceiling, floor, oo, sqrt, true

from fsdp_sym.algebra.agreement import exact
from fsdp_sym.algebra.arithmetic import Surd, compiled, over, root
from fsdp_sym.algebra.vocabulary import B, G, L, N, P, S, T_comm, T_comp, e, i, j, phi, rho

WHOLE, REAL = (N, G, P), (T_comm, phi)
_leaves = st.one_of(
    st.sampled_from([*WHOLE, *REAL]),
    st.integers(-5, 5).map(Integer),
    st.fractions(-3, 3, max_denominator=7).map(exact),
)


def _grown(inner: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    pair = st.tuples(inner, inner)
    return st.one_of(
        pair.map(lambda p: p[0] + p[1]),
        pair.map(lambda p: p[0] * p[1]),
        pair.map(lambda p: p[0] / (1 + p[1] ** 2)),
        pair.map(lambda p: Max(*p)),
        pair.map(lambda p: Min(*p)),
        pair.map(lambda p: Piecewise((p[0], Le(*p)), (p[1] - 1, True))),
        pair.map(lambda p: Piecewise((p[0], Eq(p[0], p[1])), (2, Gt(*p)), (p[1], True))),
        inner.map(ceiling),
        inner.map(floor),
        inner.map(lambda x: x**2),
        inner.map(lambda x: (1 + x**2) ** -2),
        inner.map(lambda x: Sum(i * x, (i, 1, N))),
        inner.map(lambda x: Sum(Sum(x + i + j, (j, 0, i)), (i, 0, 3))),
    )


_expressions = st.recursive(_leaves, _grown, max_leaves=4)


@settings(max_examples=60)
@given(
    _expressions,
    st.integers(1, 9), st.integers(1, 9), st.integers(1, 10**12),
    st.fractions(0, 10, max_denominator=9), st.fractions(0, 1, max_denominator=9),
)  # fmt: skip
def test_compiled_equals_sympy(expr, n, g, p, t, share):
    values = dict(zip((*WHOLE, *REAL), (n, g, p, t, share), strict=True))
    truth = expr.xreplace({s: exact(v) for s, v in values.items()}).doit()
    found = compiled(expr, (*WHOLE, *REAL))(*values.values())
    assert type(found) in (int, Fraction)
    assert exact(found) == truth


@pytest.mark.parametrize(
    ("expr", "values", "found"),
    [
        (P * B / N, {P: 7 * 10**9, B: 16, N: 8}, 14 * 10**9),
        (P / N, {P: 7, N: 2}, Fraction(7, 2)),
        (ceiling(P / N), {P: 10, N: 7}, 2),
        (floor(P / N), {P: 10, N: 7}, 1),
        (ceiling(8 * P / N), {P: Fraction(322, 10), N: Fraction(112, 10)}, 23),
        (Sum(ceiling(S / N), (i, 1, N - 1)), {S: 10, N: 7}, 12),
        (Sum(ceiling(S / N), (i, 1, N - 1)), {S: 10, N: 1}, 0),
        (Sum(Sum(1, (j, 0, e - i)), (i, 0, e)), {e: 10}, 66),
        (2**e, {e: 100}, 2**100),
        (sqrt(L), {L: 96 * 96}, 96),
        (1 / sqrt(L), {L: 16}, Fraction(1, 4)),
        (L ** Rational(3, 2), {L: 16}, 64),
        (sqrt(L / N), {L: 9, N: 4}, Fraction(3, 2)),
        (Max(T_comp, T_comm), {T_comp: Fraction(1, 3), T_comm: Fraction(1, 4)}, Fraction(1, 3)),
        (Piecewise((0, Le(N, 2)), (1, True)), {N: 3}, 1),
        (Le(P * B, S), {P: 5, B: 2, S: 10}, True),
        (Lt(P * B, S), {P: 5, B: 2, S: 10}, False),
        (Ge(rho, phi), {rho: Fraction(1, 2), phi: Fraction(1, 2)}, True),
        (Ne(N, G), {N: 1, G: 1}, False),
        (true, {}, True),
        (Piecewise((N, Le(N, 2)), (oo, True)), {N: 3}, oo),
    ],
)
def test_values(expr, values, found):
    result = compiled(expr, tuple(values))(*values.values())
    assert result == found
    assert type(result) is type(found)


@pytest.mark.parametrize(
    ("expr", "value"),
    [(sqrt(L), 96), (sqrt(6) * L, 1), (sqrt(L), Fraction(1, 2)), (L ** Rational(1, 3), 9), (1 / sqrt(L), 2)],
)
def test_surds_are_refused(expr, value):
    with pytest.raises(Surd):
        compiled(expr, (L,))(value)


def test_dividing_by_zero_is_an_error():
    with pytest.raises(ZeroDivisionError):
        compiled(1 / (N - 1), (N,))(1)


def test_what_has_no_arithmetic_says_where_to_add_it():
    with pytest.raises(TypeError, match=r"add it to algebra/arithmetic\.py"):
        compiled(Abs(N - 2), (N,))


@given(st.fractions(), st.fractions().filter(bool))
def test_quotients_are_whole_where_they_can_be(above, below):
    found = over(above, below)
    assert found == above / below
    assert isinstance(found, int) == ((above / below).denominator == 1)


@given(st.fractions(min_value=0))
def test_roots_of_squares(x):
    assert root(x * x, 2) == x
    with pytest.raises(Surd):
        root(x * x * 2 if x else 2, 2)

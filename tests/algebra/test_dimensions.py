"""Bytes are added to bytes, and an error names the part where they were not."""

from __future__ import annotations

import pytest
from sympy import Abs, Eq, Integer, Le, Max, Min, Piecewise, Rational, Sum, ceiling, oo, sqrt, true

from fsdp_sym.algebra.dimensions import dimension_of
from fsdp_sym.algebra.errors import DimensionError, UnknownName
from fsdp_sym.algebra.units import byte, one, param, second
from fsdp_sym.algebra.vocabulary import A, B, L, M_max, N, P, R_bit, S, T_comm, T_comp, W, b_g, b_w, c, e, i, k, n_bit, phi, rho


@pytest.mark.parametrize(
    ("expr", "dimension"),
    [
        (S, byte),
        (P * (b_w + b_g) / N, byte),
        (ceiling(P / N), param),
        (Sum(ceiling(S / N), (i, 1, N - 1)), byte),
        (S / W, second),
        (R_bit / n_bit, byte / second),
        (sqrt(L * c / A), one),
        (sqrt(L * c * A), byte),
        (T_comp + Max(0, T_comm - T_comp), second),
        (Max(T_comp, T_comm), second),
        (Min(N, L / k), one),
        (2**e, one),
        (S**2, byte**2),
        (S ** Rational(1, 2), sqrt(byte)),
        (1 - phi, one),
        (Piecewise((0, Le(P * B, M_max)), (1, True)), one),
        (Piecewise((S, Le(N, 2)), (0, True)), byte),
        (Le(P * B / N, M_max), one),
        (Eq(rho, T_comm / T_comp), one),
        (true, one),
        (Integer(3), one),
        (Integer(0), None),
        (oo, None),
        (0 * S, None),
    ],
)
def test_dimension(expr, dimension):
    assert dimension_of(expr) == dimension


@pytest.mark.parametrize(
    ("expr", "message"),
    [
        (S + T_comm, r"T_comm is a time beside bytes|S is bytes beside a time"),
        (S + 1, "a plain number"),
        (P * B + P, "a count of parameters"),
        (Max(S, N), "a plain number"),
        (Le(S, P), "a count of parameters"),
        (Eq(T_comm, S / N), "a time"),
        (2**S, "the exponent S has a dimension"),
        (S**N, "S has a dimension and cannot be raised to N"),
        (Sum(S, (i, 1, S)), "no plain number|beside"),
        (Piecewise((S, Le(N, 2)), (N, True)), "a plain number beside bytes"),
        (Piecewise((N, Le(S, T_comm)), (1, True)), "a time"),
        (ceiling(S + T_comm), "they cannot be added"),
        (Abs(S - A), "add it to algebra/dimensions.py"),
    ],
)
def test_a_clash_is_named(expr, message):
    with pytest.raises(DimensionError, match=message) as clash:
        dimension_of(expr)
    assert "\n" not in str(clash.value)


def test_a_letter_outside_the_vocabulary_is_named():
    with pytest.raises(UnknownName, match="no letter is called 'byte'"):
        dimension_of(N * byte)

"""Factors by common divisors are those that SymPy's search finds."""

import pytest
from sympy import sqrt

from fsdp_sym.algebra.vocabulary import B, L, N, P, S, T, W
from fsdp_sym.reasoning.factors import factored, root_of_line


@pytest.mark.parametrize("expr", [
    P * B / N + S * B / N, (P * B - P * S) / (N**2 - 1), (P**2 - S**2) / (P + S), (1 - N) / 2, -(N + 2) / 2 * 3,
    (N * L - N + L - 1) * P**2, (sqrt(8 * N + 1) - 3) / 2, P / 3 - S / 4, -P - S, N - N,
], ids=str)  # fmt: skip
def test_factors_are_those_of_sympy(expr):
    assert factored(expr) == expr.factor()


def test_the_root_of_a_line():
    assert root_of_line(2 * S * (N - 1) / (N * W) - T, S) == (N * T * W / (2 * N - 2)).factor()
    assert root_of_line(2 * S * (N - 1) / (N * W) - T, N) == (2 * S / (2 * S - T * W)).factor()
    assert root_of_line(N**2 - S, N) is None
    assert root_of_line(sqrt(N) - S, N) is None
    assert root_of_line(P - S, N) is None

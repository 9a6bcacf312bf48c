"""Tokens go to their experts, and the busiest expert's rank sets the pace.

Bytes the busiest rank receives when experts are spread over N ranks: S is what one rank would receive, its own tokens included,
if every expert were equally popular, and x_hot how many times that the most popular one draws. A rank's own tokens stay.
"""

from fractions import Fraction

from sympy import Sum, oo

from ...algebra.formula import Formula, Published, Source
from ...algebra.steps import Near, Same
from ...algebra.vocabulary import N, S, V_a2a, i, x_hot


def count(N: int, S: int, x_hot: Fraction) -> Fraction:
    """Every rank sends the busiest one as much; it keeps its own."""
    sent = [Fraction(S) * x_hot / N for _ in range(N)]
    return sum(sent[1:], Fraction(0))


expert_all_to_all = Formula(
    __name__,
    defines=V_a2a,
    start=Sum(x_hot * S / N, (i, 1, N - 1)),
    steps=(
        Same(x_hot * S * (N - 1) / N, "every other rank sends the same share"),
        Near(x_hot * S, "the own share vanishes", limit=(N, oo)),
    ),
    source=Source("arXiv:2006.16668", "section 3.2: all-to-all dispatch"),
    counted=count,
    published=(Published({N: 8, S: 800, x_hot: 1}, 700, Source("NVIDIA nccl-tests", "doc/PERFORMANCE.md, factor (n-1)/n")),),
)

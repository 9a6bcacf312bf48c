"""Where what is masked is skipped, attention computes little more than half of its scores.

Share of the pairs of query and key that a causal mask leaves: the first token meets itself alone, the last one all of them. A kernel
that computes every score and masks afterwards does all the work.
"""

from fractions import Fraction

from sympy import Rational, Sum, oo

from ...algebra.formula import Formula, Source
from ...algebra.steps import Near, Same
from ...algebra.vocabulary import i, s, x_pair


def count(s: int) -> Fraction:
    """The keys that each query meets, over those of a query that meets them all."""
    return Fraction(sum(len(range(query + 1)) for query in range(s)), s) / s


causal_share = Formula(
    __name__,
    defines=x_pair,
    start=Sum(i, (i, 1, s)) / s**2,
    steps=(
        Same((s + 1) / (2 * s), "the keys of all queries, one more with each"),
        Near(Rational(1, 2), "the diagonal is a vanishing part of the square", limit=(s, oo)),
    ),
    source=Source("arXiv:2205.14135", "causal masks by blocks"),
    counted=count,
)

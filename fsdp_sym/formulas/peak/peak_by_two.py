"""What does not halve follows a law all the same.

Peak on N ranks as the peaks on one and two predict it: the unshared part, and an N-th of the rest.
"""

from fractions import Fraction

from sympy import oo

from ...algebra.formula import Formula, Published
from ...algebra.steps import Near, Using
from ...algebra.vocabulary import M_fix, M_law, M_one, M_two, N
from .unshared_part import XPU, unshared_part


def count(M_one: int, M_two: int, N: int) -> Fraction:
    """The shared part dealt out, the rest on everybody."""
    shared = (M_one - M_two) + (M_one - M_two)
    return Fraction(shared, N) + (M_one - shared)


peak_by_two = Formula(
    __name__,
    defines=M_law,
    start=M_fix + (M_one - M_fix) / N,
    steps=(
        Using(2 * M_two - M_one + 2 * (M_one - M_two) / N, "twice the fall from one rank to two is shared", lemma=unshared_part),
        Near(2 * M_two - M_one, "the shared part vanishes", limit=(N, oo)),
    ),
    source=XPU,
    counted=count,
    published=(Published({M_one: 33060, M_two: 19020, N: 4}, 12000, XPU), Published({M_one: 33060, M_two: 19020, N: 8}, 8490, XPU)),
)

"""A collective's algorithm bandwidth is its tensor over the time it took.

It says how fast a job gets on, and not how fast the links are: for the same links it falls as ranks are added, and differs from collective
to collective. The bus bandwidth of an all-reduce corrects it by the bytes that each rank really receives.
"""

from fractions import Fraction

from sympy import Eq

from ...algebra.formula import Formula, Published, Source
from ...algebra.steps import Solved
from ...algebra.vocabulary import S, T_comm, W_alg
from ..time.timeline import Number


def count(S: int, T_comm: Number) -> Fraction:
    """As many runs in a row as fill whole seconds: their bytes, over those seconds."""
    runs = Fraction(T_comm).denominator
    seconds = sum(Fraction(T_comm).numerator for _ in range(runs)) // runs
    return Fraction(sum(S for _ in range(runs)), seconds)


algorithm_bandwidth = Formula(
    __name__,
    defines=W_alg,
    start=Eq(W_alg * T_comm, S),
    steps=(Solved(S / T_comm, "in the time of the collective all of the tensor is done"),),
    source=Source("NVIDIA nccl-tests", "doc/PERFORMANCE.md, algorithm bandwidth"),
    counted=count,
    published=(Published({S: 20 * 10**9, T_comm: 1}, 20 * 10**9, Source("by definition", "20 GB in a second")),),
)

"""The slowest link that hides a gather is set by the tokens of a GPU and by what it delivers.

Twice the tokens do with half the bandwidth; a GPU twice as fast needs a link twice as fast. A faster link gains nothing.
"""

from fractions import Fraction

from sympy import Integer

from ...algebra.formula import Formula, Source
from ...algebra.hypotheses import AtMost
from ...algebra.steps import Using
from ...algebra.vocabulary import N, P_block, S, T_comp, W_even, W_hide, X_gpu, b, b_e, n_op, s
from ..communication.ring import ring_all_gather
from ..time.hiding_bandwidth_all_gather import hiding_bandwidth_all_gather
from ..time.timeline import Number, passing_time


def count(N: int, b: int, s: int, P_block: int, b_e: int, X_gpu: Number, n_op: int) -> Fraction:
    """The bytes that a ring brings, over the time in which each sequence has passed the layer; the link found is tried."""
    computing = sum((Fraction(n_op * s * P_block) / X_gpu for _ in range(b)), Fraction(0))
    received = sum(ring_all_gather(b_e * P_block, N))
    found = received / computing
    assert passing_time(received, found) == computing
    return found


break_even_link = Formula(
    __name__,
    defines=W_even,
    start=W_hide,
    steps=(
        Using(
            b_e * X_gpu * (N - 1) / (n_op * b * s * N), "a layer's parameters against its operations; its size drops out",
            lemma=hiding_bandwidth_all_gather, at={S: b_e * P_block, T_comp: n_op * b * s * P_block / X_gpu},
        ),
    ),
    source=Source("by definition", "bytes over the time that hides them"),
    counted=count,
    where=(AtMost(Integer(2), N),),
)  # fmt: skip

"""Each further rank saves less than the one before it.

Bytes that leave a rank when N ranks become N + 1. The saving falls with the square of the rank count: from 1 to 2
ranks it is half of the state, from 64 to 65 less than a four-thousandth. Padding can swallow a single step entirely.
"""

from sympy import Integer, oo

from ...algebra.formula import Formula, Source
from ...algebra.steps import Tends, Using
from ...algebra.vocabulary import M_3, M_next, M_saved, N, P, b_c, b_g, b_m, b_v, b_w, b_x
from .buffers import Number, fullest_rank, kept
from .sharded_state import sharded_state


def count(P: int, N: int, b_w: int, b_g: int, b_c: int, b_m: int, b_v: int, b_x: int) -> Number:
    """The fullest rank before and after one more joins."""
    buffers = kept(b_w, b_g, b_c, b_m, b_v, b_x)
    return fullest_rank(P, N, buffers, stage=3) - fullest_rank(P, N + 1, buffers, stage=3)


marginal_saving = Formula(
    __name__,
    defines=M_saved,
    start=M_3 - M_next,
    steps=(
        Using(P * (b_w + b_g + b_c + b_m + b_v + b_x) / N - M_next, "the state at N ranks", lemma=sharded_state),
        Using(
            P * (b_w + b_g + b_c + b_m + b_v + b_x) / (N * (N + 1)), "less the state at one rank more",
            lemma=sharded_state, at={N: N + 1}, replaces=M_next,
        ),
        Tends(Integer(0), "what is already small cannot shrink by much", limit=(N, oo)),
    ),
    source=Source("by definition"),
    counted=count,
)  # fmt: skip

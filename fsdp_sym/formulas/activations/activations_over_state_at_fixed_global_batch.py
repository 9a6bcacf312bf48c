"""At a fixed global batch the ratio of activations to sharded state does not depend on the ranks.

A plain number: both fall as 1/N, one because the sequences are dealt out, the other because it is sharded. The ranks come
back in only where they do not divide the batch.
"""

from fractions import Fraction

from ...algebra.formula import Formula, Source
from ...algebra.steps import Using
from ...algebra.vocabulary import A_fixed, L, M_mean, N, P, b_a, b_all, b_c, b_g, b_m, b_v, b_w, b_x, d, kappa_all, s
from ..memory.buffers import kept, rank_bytes
from ..memory.mean_state import mean_state
from .activations_at_fixed_global_batch import activations_at_fixed_global_batch
from .activations_at_fixed_global_batch import count as fullest_gpu


def count(
    L: int, b_all: int, N: int, s: int, d: int, b_a: int, P: int, b_w: int, b_g: int, b_c: int, b_m: int, b_v: int, b_x: int
) -> Fraction:
    """The fullest GPU's activations against the mean share of the state."""
    state = sum(rank_bytes(P, N, kept(b_w, b_g, b_c, b_m, b_v, b_x), stage=3))
    return Fraction(fullest_gpu(L, b_all, N, s, d, b_a) * N) / state


activations_over_state_at_fixed_global_batch = Formula(
    __name__,
    defines=kappa_all,
    start=A_fixed / M_mean,
    steps=(
        Using(L * s * d * b_a * b_all / (N * M_mean), "the sequences are dealt out", lemma=activations_at_fixed_global_batch),
        Using(
            L * b_all * s * d * b_a / (P * (b_w + b_g + b_c + b_m + b_v + b_x)), "the state is sharded over as many, and N cancels",
            lemma=mean_state,
        ),
    ),
    source=Source("by definition"),
    counted=count,
)

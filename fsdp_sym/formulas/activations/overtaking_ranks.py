"""Activations overtake the sharded state at as many ranks as they go into the whole state.

A rank count, taken as a real number: with more ranks than this a GPU holds more bytes of activations than of model state,
at a fixed batch per GPU. Below 1, activations weigh more even where nothing is sharded.
"""

from fractions import Fraction

from sympy import Eq

from ...algebra.formula import Formula, Source
from ...algebra.steps import Solved, Using
from ...algebra.vocabulary import A_all, L, M_mean, N, N_cross, P, b, b_a, b_c, b_g, b_m, b_v, b_w, b_x, d, s
from ..memory.buffers import kept, replica_bytes
from ..memory.mean_state import mean_state
from .all_activations import all_activations
from .tensors import Tensor, all_layers, total


def count(L: int, b: int, s: int, d: int, b_a: int, P: int, b_w: int, b_g: int, b_c: int, b_m: int, b_v: int, b_x: int) -> Fraction:
    """The whole state, dealt out in portions as large as one rank's activations."""
    portion = all_layers(L, total([Tensor("layer output", (b, s, d), b_a)]))
    return Fraction(replica_bytes(P, kept(b_w, b_g, b_c, b_m, b_v, b_x))) / portion


overtaking_ranks = Formula(
    __name__,
    defines=N_cross,
    start=Eq(A_all, M_mean),
    steps=(
        Using(Eq(L * b * s * d * b_a, M_mean), "no rank shares its activations", lemma=all_activations),
        Using(
            Eq(L * b * s * d * b_a, P * (b_w + b_g + b_c + b_m + b_v + b_x) / N_cross), "the ranks share the state",
            lemma=mean_state, at={N: N_cross},
        ),
        Solved(P * (b_w + b_g + b_c + b_m + b_v + b_x) / (L * b * s * d * b_a), "both sides times the rank count"),
    ),
    source=Source("by definition"),
    counted=count,
)  # fmt: skip

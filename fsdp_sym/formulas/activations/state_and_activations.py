"""A rank holds its shard of the state and, beside it, all of its own activations.

Bytes on the fullest rank, without checkpoints: the state is divided by N, the activations are not. What is gathered for a
moment and what the optimizer step needs for a moment come on top.
"""

from sympy import oo

from ...algebra.formula import Formula, Source
from ...algebra.steps import Near, Using
from ...algebra.vocabulary import M_3, A_all, L, M_held, N, P, b, b_a, b_c, b_g, b_m, b_v, b_w, b_x, d, s
from ..memory.buffers import Number, fullest_rank, kept
from ..memory.sharded_state import sharded_state
from .all_activations import all_activations
from .tensors import Tensor, all_layers, total


def count(
    L: int, b: int, s: int, d: int, b_a: int, P: int, N: int,
    b_w: Number, b_g: Number, b_c: Number, b_m: Number, b_v: Number, b_x: Number,
) -> Number:  # fmt: skip
    """Lays out the fullest rank's buffers and its layers' tensors, and adds them up."""
    layers = all_layers(L, total([Tensor("layer output", (b, s, d), b_a)]))
    return fullest_rank(P, N, kept(b_w, b_g, b_c, b_m, b_v, b_x), stage=3) + layers


state_and_activations = Formula(
    __name__,
    defines=M_held,
    start=M_3 + A_all,
    steps=(
        Using(P * (b_w + b_g + b_c + b_m + b_v + b_x) / N + A_all, "the state is sharded", lemma=sharded_state),
        Using(
            P * (b_w + b_g + b_c + b_m + b_v + b_x) / N + L * b * s * d * b_a, "the activations are not", lemma=all_activations
        ),
        Near(L * b * s * d * b_a, "the shard vanishes, the activations stay", limit=(N, oo)),
    ),
    source=Source("by definition"),
    counted=count,
)

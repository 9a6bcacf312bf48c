"""At a fixed batch per GPU, activations outgrow the sharded state in step with the number of ranks.

A plain number: bytes of activations on a GPU over its mean share of the model state. The share shrinks as ranks are
added, the activations do not, so the ratio has no ceiling.
"""

from fractions import Fraction

from ...algebra.formula import Formula, Source
from ...algebra.steps import Using
from ...algebra.vocabulary import A_all, L, M_mean, N, P, b, b_a, b_c, b_g, b_m, b_v, b_w, b_x, d, kappa, s
from ..memory.buffers import kept, rank_bytes
from ..memory.mean_state import mean_state
from .all_activations import all_activations
from .tensors import Tensor, all_layers, total


def count(
    L: int, b: int, s: int, d: int, b_a: int, P: int, N: int, b_w: int, b_g: int, b_c: int, b_m: int, b_v: int, b_x: int
) -> Fraction:
    """What N ranks hold of activations, against what they hold of state."""
    state = sum(rank_bytes(P, N, kept(b_w, b_g, b_c, b_m, b_v, b_x), stage=3))
    layers = all_layers(L, total([Tensor("layer output", (b, s, d), b_a)]))
    return Fraction(layers * N) / state


activations_over_state = Formula(
    __name__,
    defines=kappa,
    start=A_all / M_mean,
    steps=(
        Using(L * b * s * d * b_a / M_mean, "no rank shares its activations", lemma=all_activations),
        Using(
            L * b * s * d * b_a * N / (P * (b_w + b_g + b_c + b_m + b_v + b_x)), "the ranks share the state", lemma=mean_state
        ),
    ),
    source=Source("by definition"),
    counted=count,
)

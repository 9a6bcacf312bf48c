"""At a fixed global batch the activations per GPU do fall with the ranks, because each gets fewer sequences.

Bytes on the fullest GPU. Nothing is sharded: the global batch is dealt out in whole sequences, and each GPU holds all
activations of its own.
"""

from sympy import ceiling

from ...algebra.formula import Formula, Source
from ...algebra.hypotheses import Divides
from ...algebra.steps import Same, Using
from ...algebra.vocabulary import A_all, A_fixed, L, N, b, b_a, b_all, d, s
from ..memory.buffers import shares
from .all_activations import all_activations
from .tensors import Tensor, all_layers, total


def count(L: int, b_all: int, N: int, s: int, d: int, b_a: int) -> int:
    """The sequences dealt out, and the fullest GPU's layers."""
    return all_layers(L, total([Tensor("layer output", (max(shares(b_all, N)), s, d), b_a)]))


activations_at_fixed_global_batch = Formula(
    __name__,
    defines=A_fixed,
    start=A_all,
    steps=(
        Using(
            L * s * d * b_a * ceiling(b_all / N), "the fullest GPU has its share of the sequences, rounded up",
            lemma=all_activations, at={b: ceiling(b_all / N)},
        ),
        Same(L * s * d * b_a * b_all / N, "every GPU has as many sequences", given=(Divides(N, b_all),)),
    ),
    source=Source("by definition"),
    counted=count,
)  # fmt: skip

"""One activation tensor costs its elements times their width.

Bytes on one GPU. A layer is counted here with a single tensor of the hidden size, the one it hands on; a real block
keeps many more.
"""

from ...algebra.formula import Formula, Published, Source
from ...algebra.steps import Using
from ...algebra.vocabulary import A, E, b, b_a, d, s
from .activation_elements import activation_elements
from .tensors import Tensor, total

activation_tensor = Formula(
    __name__,
    defines=A,
    start=E * b_a,
    steps=(Using(b * s * d * b_a, "each element has the same width", lemma=activation_elements),),
    source=Source("by definition"),
    counted=lambda b, s, d, b_a: total([Tensor("layer output", (b, s, d), b_a)]),
    published=(
        Published({b: 8, s: 2048, d: 12288, b_a: 2}, 402653184, Source("GPT-3's hidden size", "eight sequences of 2048 tokens, fp16")),
    ),
)

"""Without checkpoints the activations of all layers are held at once.

Bytes on one GPU when the forward pass has ended and the backward pass has not yet freed anything: one tensor a layer.
FSDP does not shard them, so no rank count appears.
"""

from sympy import Sum

from ...algebra.formula import Formula, Published, Source
from ...algebra.steps import Same, Using
from ...algebra.vocabulary import A, A_all, L, b, b_a, d, i, s
from .activation_tensor import activation_tensor
from .tensors import Tensor, all_layers, total

all_activations = Formula(
    __name__,
    defines=A_all,
    start=Sum(A, (i, 1, L)),
    steps=(
        Same(L * A, "every layer keeps as much"),
        Using(L * b * s * d * b_a, "one tensor a layer", lemma=activation_tensor),
    ),
    source=Source("by definition"),
    counted=lambda L, b, s, d, b_a: all_layers(L, total([Tensor("layer output", (b, s, d), b_a)])),
    published=(
        Published({L: 96, b: 8, s: 2048, d: 12288, b_a: 2}, 38654705664, Source("GPT-3's shape", "eight sequences of 2048 tokens, fp16")),
    ),
)

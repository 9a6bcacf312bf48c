"""A stage hands the next one a hidden vector for every token of a micro-batch.

Bytes for one micro-batch; backward a gradient of the same size returns. Nothing of it depends on how many parameters or layers a stage
holds, so stages may lie in different nodes. Every rank of a tensor group holds the whole vector and sends it to its partner.
"""

from ...algebra.formula import Formula, Source
from ...algebra.steps import Using
from ...algebra.vocabulary import A, V_hand, b, b_a, d, s
from ..activations.activation_tensor import activation_tensor
from ..activations.tensors import Tensor, total

handover = Formula(
    __name__,
    defines=V_hand,
    start=A,
    steps=(Using(b * s * d * b_a, "the output of the stage's last layer", lemma=activation_tensor),),
    source=Source("arXiv:2104.04473", "section 3.2: point-to-point communication of b s h"),
    counted=lambda b, s, d, b_a: total([Tensor("sequence", (s, d), b_a) for _ in range(b)]),
)

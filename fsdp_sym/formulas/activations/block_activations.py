"""A transformer block keeps some seventeen hidden vectors a token, and its attention a square of the sequence.

Bytes a block keeps for its backward pass, without tensor parallelism and without a fused attention kernel: the inputs of
its matrix products and non-linearities in activations of b_a bytes, and dropout masks of b_k bytes. The attention has a
heads, each with a score for every pair of tokens; that part grows with the square of s and not with d.
"""

from ...algebra.formula import Formula, Published, Source
from ...algebra.hypotheses import Equal
from ...algebra.steps import Same
from ...algebra.vocabulary import A_block, a, b, b_a, b_k, d, f, s
from .tensors import Tensor, total


def count(b: int, s: int, d: int, f: int, a: int, b_a: int, b_k: int) -> int:
    """The block's tensors by name, shape and width."""
    token, wide, pair = (b, s, d), (b, s, f), (b, a, s, s)
    return total(
        (
            Tensor("input of the first norm", token, b_a),
            Tensor("input of the query, key and value products", token, b_a),
            Tensor("queries", token, b_a),
            Tensor("keys", token, b_a),
            Tensor("values", token, b_a),
            Tensor("output of the softmax", pair, b_a),
            Tensor("mask of the softmax dropout", pair, b_k),
            Tensor("output of the softmax dropout", pair, b_a),
            Tensor("input of the projection", token, b_a),
            Tensor("mask of the attention dropout", token, b_k),
            Tensor("input of the second norm", token, b_a),
            Tensor("input of the first linear layer", token, b_a),
            Tensor("input of the activation function", wide, b_a),
            Tensor("input of the second linear layer", wide, b_a),
            Tensor("mask of the last dropout", token, b_k),
        )
    )


_PAPER = Source("arXiv:2205.05198", "section 4.1: 34 sbh + 5 as²b")

_NORMS = 2 * b * s * d * b_a
_ATTENTION = 5 * b * s * d * b_a + b * s * d * b_k + a * b * s**2 * (2 * b_a + b_k)
_FEED_FORWARD = b * s * d * b_a + 2 * b * s * f * b_a + b * s * d * b_k

block_activations = Formula(
    __name__,
    defines=A_block,
    start=_NORMS + _ATTENTION + _FEED_FORWARD,
    steps=(
        Same(
            16 * b * s * d * b_a + 2 * b * s * d * b_k + a * b * s**2 * (2 * b_a + b_k),
            "the feed-forward layer is four times as wide as the hidden size", given=(Equal(f, 4 * d),),
        ),
        Same(34 * b * s * d * b_k + 5 * a * b * s**2 * b_k, "an activation is two bytes to a mask's one", given=(Equal(b_a, 2 * b_k),)),
    ),
    source=_PAPER,
    counted=count,
    published=(
        Published({b: 1, s: 2048, d: 12288, f: 49152, a: 96, b_a: 2, b_k: 1}, 2868903936, _PAPER),
    ),
)  # fmt: skip

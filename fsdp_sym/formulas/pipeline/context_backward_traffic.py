"""Backward, keys and values go round once more, and their gradients go round with them.

Bytes a rank receives in one layer's backward pass of one micro-batch under context parallelism. A block of keys and values meets the
queries of every rank, and each adds its part to the block's gradient, which ends at the rank that owns the block. Each begins where the
forward pass left the block, with its owner's neighbour, so that one hop fewer than there are ranks is enough for both.
"""

from sympy import Sum

from ...algebra.formula import Formula, Published, Source
from ...algebra.steps import Same, Using
from ...algebra.vocabulary import N_c, V_kv, V_kvb, a_kv, b, b_a, b_r, d_h, i, s
from ..activations.tensors import Tensor, total
from ..communication.ring import passed_on
from .context_traffic import context_traffic


def count(N_c: int, b: int, s: int, a_kv: int, d_h: int, b_a: int, b_r: int) -> int:
    """Plays the ring hop by hop, and asks at the end whether every gradient is at home and complete."""
    (size,) = {len(range(rank, s, N_c)) for rank in range(N_c)}
    block = [Tensor(name, (b, size, a_kv, d_h), width) for name in ("keys", "values") for width in (b_a, b_r)]
    # Which block each rank has in hand, and whose parts are in its gradient.
    hand = [((rank + 1) % N_c, {rank}) for rank in range(N_c)]
    found = 0
    for _ in passed_on(N_c):
        hand = [*hand[1:], hand[0]]
        for rank, (_, parts) in enumerate(hand):
            parts.add(rank)
        found += total(block)
    assert hand == [(rank, set(range(N_c))) for rank in range(N_c)], "each gradient is at home, with a part of every rank"
    return found


_BLOCKS = 2 * b * s * a_kv * d_h * (N_c - 1) / N_c

context_backward_traffic = Formula(
    __name__,
    defines=V_kvb,
    start=V_kv + Sum(2 * b * s * a_kv * d_h * b_r / N_c, (i, 1, N_c - 1)),
    steps=(
        Using(
            _BLOCKS * b_a + Sum(2 * b * s * a_kv * d_h * b_r / N_c, (i, 1, N_c - 1)), "keys and values as in the forward pass",
            lemma=context_traffic,
        ),
        Same(_BLOCKS * (b_a + b_r), "the gradient of a block with it, as many hops"),
    ),
    source=Source("NVIDIA Transformer Engine, context_parallel.py", "the first hop has keys and values, the last one gradients"),
    counted=count,
    where=context_traffic.where,
    published=(
        Published({N_c: 4, b: 1, s: 8, a_kv: 2, d_h: 4, b_a: 2, b_r: 4}, 576, Source("by hand", "3 hops of 64 B and of 128 B")),
    ),
)  # fmt: skip

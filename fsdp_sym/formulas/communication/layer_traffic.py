"""A sharded layer is gathered for the forward pass, perhaps again for the backward pass, and its gradients are scattered.

With r = 1 (reshard_after_forward) the parameters are freed after the forward pass and gathered a second time;
with r = 0 they stay. S is the layer's parameters in bytes, and gradients are as wide. Counted are the bytes
one rank receives in one step with one micro-batch.
"""

from sympy import oo

from ...algebra.formula import Formula, Published, Source
from ...algebra.steps import Near, Using
from ...algebra.vocabulary import N, S, V_ag, V_layer, V_rs, r
from .all_gather import all_gather
from .reduce_scatter import reduce_scatter
from .ring import ring_all_gather, ring_reduce_scatter

_ZERO = Source("arXiv:1910.02054", "section 7.2.2: three times the parameters, times (N-1)/N")


def count(S: int, N: int, r: int) -> int:
    """Plays the step: forward, backward, gradients."""
    received = sum(ring_all_gather(S, N))
    for _ in range(r):
        received += sum(ring_all_gather(S, N))
    return received + sum(ring_reduce_scatter(S, N))


layer_traffic = Formula(
    __name__,
    defines=V_layer,
    start=V_ag + r * V_ag + V_rs,
    steps=(
        Using(S * (1 + r) * (N - 1) / N + V_rs, "one all-gather forward and r backward", lemma=all_gather),
        Using(S * (2 + r) * (N - 1) / N, "one reduce-scatter of the gradients", lemma=reduce_scatter),
        Near((2 + r) * S, "each collective tends to the whole tensor", limit=(N, oo)),
    ),
    source=Source("PyTorch documentation", "fully_shard, reshard_after_forward"),
    counted=count,
    published=(
        Published({S: 1024, N: 2, r: 1}, 1536, _ZERO),
        Published({S: 1024, N: 8, r: 1}, 2688, _ZERO),
        Published({S: 1024, N: 64, r: 1}, 3024, _ZERO),
    ),
)

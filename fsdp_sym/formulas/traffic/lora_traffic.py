"""Adapters save the reduction, not the gathering.

Bytes each rank receives in one step that trains adapters alone: the frozen base is gathered as ever, and only the adapters'
gradients are reduced.
"""

from ...algebra.formula import Formula, Source
from ...algebra.steps import Using
from ...algebra.vocabulary import N, S, S_ad, V_ad, V_ag, V_lora, r
from ..communication.all_gather import all_gather
from ..communication.reduce_scatter import reduce_scatter
from ..communication.ring import ring_all_gather, ring_reduce_scatter


def count(N: int, S: int, S_ad: int, r: int) -> int:
    """Gathers of the base and one reduction of the adapters."""
    return sum(sum(ring_all_gather(S, N)) for _ in range(1 + r)) + sum(ring_reduce_scatter(S_ad, N))


lora_traffic = Formula(
    __name__,
    defines=V_lora,
    start=(1 + r) * V_ag + V_ad,
    steps=(
        Using((1 + r) * S * (N - 1) / N + V_ad, "the base is gathered as if it trained", lemma=all_gather),
        Using(((1 + r) * S + S_ad) * (N - 1) / N, "adapters alone have gradients", lemma=reduce_scatter, at={S: S_ad}, replaces=V_ad),
    ),
    source=Source("arXiv:2106.09685", "section 4.2; the collectives as FSDP2 issues them"),
    counted=count,
)

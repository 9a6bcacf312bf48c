"""Resharding to a smaller group shortens the second gathering.

Bytes each rank receives in one step where reshard_after_forward is a number: the forward pass gathers over all N ranks, the
backward pass over the n_grp ranks that keep a copy together, and the gradients are reduced over all.
"""

from ...algebra.formula import Formula, Source
from ...algebra.steps import Using
from ...algebra.vocabulary import N, S, V_ag, V_grp, V_rs, V_small, n_grp
from ..communication.all_gather import all_gather
from ..communication.reduce_scatter import reduce_scatter
from ..communication.ring import ring_all_gather, ring_reduce_scatter


def count(N: int, S: int, n_grp: int) -> int:
    """Three collectives, the second in the smaller ring."""
    return sum(ring_all_gather(S, N)) + sum(ring_all_gather(S, n_grp)) + sum(ring_reduce_scatter(S, N))


resharded_to_group = Formula(
    __name__,
    defines=V_grp,
    start=V_ag + V_small + V_rs,
    steps=(
        Using(S * (N - 1) / N + V_small + V_rs, "forward over all ranks", lemma=all_gather),
        Using(
            S * (N - 1) / N + S * (n_grp - 1) / n_grp + V_rs, "backward inside the group", lemma=all_gather, at={N: n_grp}, replaces=V_small
        ),
        Using(2 * S * (N - 1) / N + S * (n_grp - 1) / n_grp, "gradients over all ranks", lemma=reduce_scatter),
    ),
    source=Source("PyTorch documentation", "fully_shard, reshard_after_forward as an int"),
    counted=count,
)

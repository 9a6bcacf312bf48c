"""Resharding to a smaller group shortens the second gathering.

Bytes each rank receives in one step where reshard_after_forward is a number: the forward pass gathers over all N ranks, the
backward pass the blocks over the n_grp ranks that keep a copy together, and the gradients are reduced over all. The root group stays
gathered in between. Gradients are as wide as what is gathered.
"""

from ...algebra.formula import Formula, Source
from ...algebra.steps import Using
from ...algebra.vocabulary import N, S, S_blk, S_root, V_ag, V_grp, V_rs, V_small, n_grp
from ..communication.all_gather import all_gather
from ..communication.reduce_scatter import reduce_scatter
from ..communication.ring import ring_all_gather, ring_reduce_scatter


def count(N: int, S_blk: int, S_root: int, n_grp: int) -> int:
    """Three collectives, the second in the smaller ring and without the root group."""
    whole = sum(ring_all_gather(S_blk + S_root, N)) + sum(ring_reduce_scatter(S_blk + S_root, N))
    return whole + sum(ring_all_gather(S_blk, n_grp))


_ALL = (S_blk + S_root) * (N - 1) / N
_BLOCKS = S_blk * (n_grp - 1) / n_grp

resharded_to_group = Formula(
    __name__,
    defines=V_grp,
    start=V_ag + V_small + V_rs,
    steps=(
        Using(_ALL + V_small + V_rs, "forward over all ranks", lemma=all_gather, at={S: S_blk + S_root}),
        Using(_ALL + _BLOCKS + V_rs, "backward inside the group", lemma=all_gather, at={N: n_grp, S: S_blk}, replaces=V_small),
        Using(2 * _ALL + _BLOCKS, "gradients over all ranks", lemma=reduce_scatter, at={S: S_blk + S_root}),
    ),
    source=Source("PyTorch documentation", "fully_shard, reshard_after_forward as an int"),
    counted=count,
)

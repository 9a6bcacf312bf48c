"""The blocks are gathered once or twice in a micro-batch, the root group once.

Bytes each rank receives in all-gathers of one optimizer step, in the width that is gathered. Only the root group escapes the
second gathering; the last block does not.
"""

from ...algebra.formula import Formula, Published
from ...algebra.steps import Using
from ...algebra.vocabulary import K_mb, N, S, S_blk, S_root, V_blk, V_gather, V_root, r, u_root
from ..communication.all_gather import all_gather
from ..communication.ring import ring_all_gather
from .gathers_in_step import FSDP2
from .schedule import ROOT, step


def count(N: int, S_blk: int, S_root: int, r: int, u_root: int, K_mb: int) -> int:
    """The gathers of a step with all blocks as one group, each played as a ring."""
    events = step(1, K_mb, reshard=bool(r), reshard_root=bool(u_root))
    bytes_of = {ROOT: sum(ring_all_gather(S_root, N)), 0: sum(ring_all_gather(S_blk, N))}
    return sum(bytes_of[group] for kind, group in events if kind == "gather")


gathered_in_step = Formula(
    __name__,
    defines=V_gather,
    start=K_mb * ((1 + r) * V_blk + (1 + r * u_root) * V_root),
    steps=(
        Using(
            K_mb * ((1 + r) * S_blk * (N - 1) / N + (1 + r * u_root) * V_root), "the blocks' shards but one's own",
            lemma=all_gather, at={S: S_blk}, replaces=V_blk,
        ),
        Using(
            K_mb * ((1 + r) * S_blk + (1 + r * u_root) * S_root) * (N - 1) / N, "and the root group's",
            lemma=all_gather, at={S: S_root}, replaces=V_root,
        ),
    ),
    source=FSDP2,
    counted=count,
    published=(Published({N: 4, S_blk: 800, S_root: 200, r: 1, u_root: 0, K_mb: 1}, 1350, FSDP2),),
)  # fmt: skip

"""Hybrid sharding is no slower where the network is slow enough, or the ring through all nodes long enough.

Its gathers stay inside the node, which a slow network or a long latency leaves alone; what it pays for that is one more trip, that of the
shard of the gradients. Sharding over all ranks uses both levels side by side: with a network link for every GPU it may well be the quicker.
"""

from fractions import Fraction

from ...algebra.formula import Formula, Published, Source
from ...algebra.steps import Decision, Using
from ...algebra.vocabulary import N, S, T_full, T_hyb, T_lat, T_net, W, W_net, abreast, n_link, n_node, r
from ..time.timeline import Number
from .full_sharding_time import count as over_all
from .full_sharding_time import full_sharding_time
from .hybrid_sharding_time import count as in_nodes
from .hybrid_sharding_time import hybrid_sharding_time


def count(S: int, N: int, r: int, W: Number, n_node: int, T_lat: Number, n_link: int, W_net: Number, T_net: Number) -> bool:
    """Both played: whether the one is through when the other is."""
    return in_nodes(S, N, r, W, n_node, T_lat, n_link, W_net, T_net) <= over_all(S, N, r, W, n_node, T_lat, n_link, W_net, T_net)


_HYBRID, _FULL = hybrid_sharding_time.exact, full_sharding_time.exact

hybrid_is_no_slower = Formula(
    __name__,
    defines=abreast,
    start=T_hyb / T_full,
    steps=(
        Using(_HYBRID / T_full, "each node shares a copy", lemma=hybrid_sharding_time),
        Using(_HYBRID / _FULL, "all ranks share a copy", lemma=full_sharding_time),
        Decision(_HYBRID / _FULL <= 1, "the one against the other"),
    ),
    source=hybrid_sharding_time.source,
    counted=count,
    where=full_sharding_time.where,
    published=tuple(
        Published(
            {
                S: 16 * 10**9, N: 16, r: 1, n_node: 8, n_link: links, W: 10**11, W_net: 10**10,
                T_lat: Fraction(1, 1000), T_net: Fraction(1, 1000),
            },
            answer, Source("by hand", said),
        )
        for links, answer, said in (
            (8, False, "643 ms against 607.5 ms: a link for every GPU"), (1, True, "2.043 s against 4.545 s: one link for all of a node"),
        )
    ),
)  # fmt: skip

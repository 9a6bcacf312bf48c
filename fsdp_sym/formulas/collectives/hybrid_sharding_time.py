"""Hybrid sharding takes a hierarchical all-reduce, and one gather inside the node where parameters are gathered again.

Each node of n_node GPUs shares one copy. Parameters are gathered inside the node; gradients are reduced there, and then each GPU
all-reduces its own shard with its like in the other nodes. That is a hierarchical all-reduce with its gather in another place, and nothing
but shards of gradients crosses the network. What leaves parameters whole is never slower, if its all-reduce goes the same way.
"""

from fractions import Fraction

from ...algebra.formula import Formula, Published, Source
from ...algebra.steps import Same, Using
from ...algebra.vocabulary import N, S, T_hier, T_hyb, T_lat, T_net, T_rag, W, W_net, n_link, n_node, r
from ..communication.ring import ring_all_gather, ring_reduce_scatter, shard_bytes
from ..placement.layout import deal
from ..time.timeline import Number, finish, passing_time
from .hierarchical_all_reduce_time import hierarchical_all_reduce_time
from .links import busiest_link
from .messages import one_after_another
from .ring_all_gather_time import ring_all_gather_time


def count(S: int, N: int, r: int, W: Number, n_node: int, T_lat: Number, n_link: int, W_net: Number, T_net: Number) -> Fraction:
    """Nodes full of ranks; each collective among the ranks that it is among, and no message of a pass goes from node to node."""
    nodes = deal(N, n_node)
    places = list(zip(*nodes, strict=True))  # the GPUs of one place in their nodes: each has its like in every other node
    (replicas,) = {len(place) for place in places}
    (shard,) = set(shard_bytes(S, len(places)))
    inside = [*ring_all_gather(S, len(places)) * (1 + r), *ring_reduce_scatter(S, len(places))]
    across = [*ring_reduce_scatter(shard, replicas), *ring_all_gather(shard, replicas)]
    crowded = [passing_time(busiest_link(len(places), n_link, size), W_net) for size in across]
    return one_after_another(inside, W, T_lat) + sum((finish(T_net, passes) for passes in crowded), Fraction(0))


_INSIDE = (n_node - 1) * (T_lat + S / (n_node * W))
_ACROSS = 2 * (N / n_node - 1) * (T_net + n_node * S / (n_link * N * W_net))

hybrid_sharding_time = Formula(
    __name__,
    defines=T_hyb,
    start=T_hier + r * T_rag,
    steps=(
        Using(
            2 * _INSIDE + _ACROSS + r * T_rag, "a gather and a reduction inside the node, and a shard's all-reduce across",
            lemma=hierarchical_all_reduce_time,
        ),
        Using(2 * _INSIDE + _ACROSS + r * _INSIDE, "the second gather", lemma=ring_all_gather_time, at={N: n_node}),
        Same((2 + r) * _INSIDE + _ACROSS, "all of them alike inside the node"),
    ),
    source=Source("PyTorch documentation", "hybrid sharding: replicate outside, shard inside"),
    counted=count,
    where=hierarchical_all_reduce_time.where,
    published=(
        Published(
            {
                S: 16 * 10**9, N: 16, r: 1, n_node: 8, n_link: 8, W: 10**11, W_net: 10**10,
                T_lat: Fraction(1, 1000), T_net: Fraction(1, 1000),
            },
            Fraction(643, 1000), Source("by hand", "21 steps of 1 ms and 2 GB at 100 GB/s, 2 of 1 ms and 1 GB at 10 GB/s"),
        ),
    ),
)  # fmt: skip

"""A hierarchical all-reduce crosses the network with a node's sums alone.

First the GPUs of each node share out the sum of their node, a reduce-scatter; then equal shards meet across the nodes, an all-reduce; then
each node gathers what it has shared out. The three follow each other, so their times add up. Each GPU runs the ring across for its own
shard, and all rings of a node share its links. N ranks in nodes of n_node GPUs.
"""

from fractions import Fraction

from sympy import ceiling

from ...algebra.formula import Formula, Published, Source
from ...algebra.hypotheses import Divides
from ...algebra.steps import Same, Using
from ...algebra.vocabulary import N, S, T_hier, T_lat, T_net, T_rag, T_rar, T_rrs, W, W_net, n_link, n_node
from ..communication.ring import ring_all_gather, ring_reduce_scatter, shard_bytes
from ..placement.layout import deal
from ..time.timeline import Number, finish, passing_time
from .links import busiest_link
from .messages import one_after_another
from .ring_all_gather_time import ring_all_gather_time
from .ring_all_reduce_time import ring_all_reduce_time
from .ring_reduce_scatter_time import ring_reduce_scatter_time


def count(S: int, N: int, W: Number, n_node: int, T_lat: Number, n_link: int, W_net: Number, T_net: Number) -> Fraction:
    """Ring after ring: inside a node, across with every GPU's shard on the node's links at once, and inside again."""
    nodes = len(deal(N, n_node))
    (shard,) = set(shard_bytes(S, n_node))
    across = [busiest_link(n_node, n_link, size) for size in (*ring_reduce_scatter(shard, nodes), *ring_all_gather(shard, nodes))]
    inside = one_after_another([*ring_reduce_scatter(S, n_node), *ring_all_gather(S, n_node)], W, T_lat)
    return inside + sum((finish(T_net, passing_time(size, W_net)) for size in across), Fraction(0))


_INSIDE = (n_node - 1) * (T_lat + S / (n_node * W))
_CROWDED = 2 * (N / n_node - 1) * (T_net + ceiling(n_node / n_link) * S / (N * W_net))
_ACROSS = 2 * (N / n_node - 1) * (T_net + n_node * S / (n_link * N * W_net))

hierarchical_all_reduce_time = Formula(
    __name__,
    defines=T_hier,
    start=T_rrs + T_rar + T_rag,
    steps=(
        Using(_INSIDE + T_rar + T_rag, "the sum of a node, shared out", lemma=ring_reduce_scatter_time, at={N: n_node}),
        Using(
            _INSIDE + _CROWDED + T_rag, "a shard's ring through the nodes, with its share of a link",
            lemma=ring_all_reduce_time, at={N: N / n_node, S: S / n_node, W: W_net / ceiling(n_node / n_link), T_lat: T_net},
        ),
        Using(2 * _INSIDE + _CROWDED, "the shards of a node, gathered", lemma=ring_all_gather_time, at={N: n_node}),
        Same(2 * _INSIDE + _ACROSS, "every link has as many rings", given=(Divides(n_link, n_node),)),
    ),
    source=Source("Cho et al. 2019, BlueConnect: decomposing all-reduce on heterogeneous network hierarchy", "section 4"),
    counted=count,
    where=(Divides(n_node, N),),
    published=(
        Published(
            {S: 16 * 10**9, N: 16, n_node: 8, n_link: 8, W: 100 * 10**9, W_net: 10**10, T_lat: Fraction(1, 1000), T_net: Fraction(1, 1000)},
            Fraction(496, 1000), Source("by hand", "14 steps of 1 ms and 2 GB at 100 GB/s, 2 of 1 ms and 1 GB at 10 GB/s"),
        ),
    ),
)  # fmt: skip

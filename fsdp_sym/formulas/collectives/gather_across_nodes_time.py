"""When the ranks of a group sit in a node each, all groups of a node share its way out.

Hybrid sharding has many shard groups. Where a group lies inside a node, its ranks use links of their own. Where its N ranks sit in N nodes,
each of the n_node GPUs of a node belongs to another group, and all of them send at once: n_node messages leave by n_link links, and
those on one link share its bandwidth. Only with a link for every GPU is a group as fast as if it were alone.
"""

from fractions import Fraction

from sympy import ceiling

from ...algebra.formula import Formula, Published, Source
from ...algebra.hypotheses import Divides
from ...algebra.steps import Same, Using
from ...algebra.vocabulary import N, S, T_lat, T_net, T_out, T_rag, W, W_net, n_link, n_node
from ..communication.ring import ring_all_gather
from ..time.timeline import Number, finish, passing_time
from .links import busiest_link
from .ring_all_gather_time import ring_all_gather_time


def count(S: int, N: int, n_node: int, n_link: int, W_net: Number, T_net: Number) -> Fraction:
    """Every step of all groups at once: it is through when a node's fullest link is."""
    steps = [busiest_link(n_node, n_link, size) for size in ring_all_gather(S, N)]
    return sum((finish(T_net, passing_time(size, W_net)) for size in steps), Fraction(0))


gather_across_nodes_time = Formula(
    __name__,
    defines=T_out,
    start=T_rag,
    steps=(
        Using(
            (N - 1) * (T_net + ceiling(n_node / n_link) * S / (N * W_net)), "a ring of one rank a node, with its share of a link",
            lemma=ring_all_gather_time, at={W: W_net / ceiling(n_node / n_link), T_lat: T_net},
        ),
        Same(
            (N - 1) * (T_net + n_node * S / (n_link * N * W_net)), "every link has as many messages", given=(Divides(n_link, n_node),)
        ),
    ),
    source=Source("PyTorch documentation", "hybrid sharding: the mesh says which ranks form a shard group"),
    counted=count,
    published=(
        Published(
            {S: 8 * 10**9, N: 8, n_node: 8, n_link: 1, W_net: 10**10, T_net: Fraction(1, 1000)}, Fraction(5607, 1000),
            Source("by hand", "7 steps of 1 ms and of eight messages of 1 GB over one link of 10 GB/s"),
        ),
    ),
)  # fmt: skip

"""A ring through several nodes is as slow as its slower level.

The tensor is cut into as many rings as a node has network links; each ring passes all GPUs of a node and leaves it once, by a link of its
own. So in one step a GPU passes on a piece of every ring but the one that leaves there, and a network link carries one piece. Ranks
keep step: the next one begins when the slower level is through, latency included. N ranks in nodes of n_node GPUs, two nodes at least.
"""

from fractions import Fraction

from sympy import Max, Min, Sum, ceiling

from ...algebra.formula import Formula, Published, Source
from ...algebra.hypotheses import AtMost, Divides
from ...algebra.steps import Same, Using
from ...algebra.vocabulary import N, S, T_far, T_flat, T_lat, T_msg, T_net, V, W, W_net, i, n_link, n_node
from ..communication.ring import shard_bytes
from ..placement.layout import deal
from ..time.timeline import Number, finish, passing_time
from .links import through_a_node
from .message_time import message_time
from .messages import hops


def count(S: int, N: int, W: Number, n_node: int, T_lat: Number, n_link: int, W_net: Number, T_net: Number) -> Fraction:
    """One step laid out on a node's links, and repeated for every hop that a piece makes."""
    assert len(deal(N, n_node)) > 1, "inside a single node no ring has a way out"
    (piece,) = set(shard_bytes(S, n_link * N))
    inside, out = through_a_node(n_node, n_link, piece)
    step = max(finish(T_lat, passing_time(inside, W)), finish(T_net, passing_time(out, W_net)))
    return hops(N) * step


_PIECE = ceiling(S / (n_link * N))
_INSIDE = T_lat + Min(n_link, n_node - 1) * _PIECE / W
_OUT = T_net + _PIECE / W_net

flat_ring_time = Formula(
    __name__,
    defines=T_flat,
    start=Sum(2 * Max(T_msg, T_far), (i, 1, N - 1)),
    steps=(
        Same(2 * (N - 1) * Max(T_msg, T_far), "all steps take the same time"),
        Using(
            2 * (N - 1) * Max(_INSIDE, T_far), "a GPU passes on a piece of each ring that does not leave the node there",
            lemma=message_time, at={V: Min(n_link, n_node - 1) * _PIECE},
        ),
        Using(
            2 * (N - 1) * Max(_INSIDE, _OUT), "a network link carries the piece of one ring",
            lemma=message_time, at={V: _PIECE, W: W_net, T_lat: T_net}, replaces=T_far,
        ),
        Same(
            2 * (N - 1) * Max(T_lat + Min(n_link, n_node - 1) * S / (n_link * N * W), T_net + S / (n_link * N * W_net)),
            "no piece is padded", given=(Divides(n_link * N, S),),
        ),
    ),
    source=Source("NVIDIA NCCL", "rings through nodes: each enters and leaves a node once, by a network link of its own"),
    counted=count,
    where=(Divides(n_node, N), AtMost(2 * n_node, N), AtMost(n_link, n_node)),
    published=(
        Published(
            {S: 16 * 10**9, N: 16, n_node: 8, n_link: 1, W: 100 * 10**9, W_net: 10**10, T_lat: Fraction(1, 1000), T_net: Fraction(1, 1000)},
            Fraction(303, 100), Source("by hand", "30 steps of 1 ms and of 1 GB over the one link of 10 GB/s"),
        ),
        Published(
            {S: 16 * 10**9, N: 16, n_node: 8, n_link: 8, W: 100 * 10**9, W_net: 10**10, T_lat: Fraction(1, 1000), T_net: Fraction(1, 1000)},
            Fraction(405, 1000), Source("by hand", "30 steps of 1 ms and of an eighth of 1 GB over each of eight links of 10 GB/s"),
        ),
    ),
)  # fmt: skip

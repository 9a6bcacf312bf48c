"""Sharding over all nodes takes an all-reduce in rings through them, and half of one more where parameters are gathered again.

A gather goes round these rings once, and so does a reduction; an all-reduce goes round twice. S is what is gathered, in bytes, and
gradients are as wide. Every step of every ring waits for the slower level, so all of them go at the pace of the network.
"""

from fractions import Fraction

from sympy import Max

from ...algebra.formula import Formula, Published, Source
from ...algebra.steps import Same, Using
from ...algebra.vocabulary import N, S, T_flat, T_full, T_lat, T_net, W, W_net, n_link, n_node, r
from ..communication.ring import shard_bytes
from ..placement.layout import deal
from ..time.timeline import Number, finish, passing_time
from .flat_ring_time import flat_ring_time
from .links import through_a_node


def count(S: int, N: int, r: int, W: Number, n_node: int, T_lat: Number, n_link: int, W_net: Number, T_net: Number) -> Fraction:
    """A gather for each pass that needs one, and the reduction: each hands its pieces from rank to rank until the last rank has them."""
    assert len(deal(N, n_node)) > 1, "inside a single node no ring has a way out"
    (piece,) = set(shard_bytes(S, n_link * N))
    inside, out = through_a_node(n_node, n_link, piece)
    step = max(finish(T_lat, passing_time(inside, W)), finish(T_net, passing_time(out, W_net)))
    collectives = ["gather forward", *["gather backward"] * r, "reduce"]
    return finish(*(step for _ in collectives for _ in range(1, N)))


(_STEP,) = flat_ring_time.exact.atoms(Max)

full_sharding_time = Formula(
    __name__,
    defines=T_full,
    start=T_flat + r * T_flat / 2,
    steps=(
        Same((2 + r) * T_flat / 2, "an all-reduce goes round twice, and here something goes round so often"),
        Using((2 + r) * (N - 1) * _STEP, "each time in N - 1 steps, at the pace of the slower level", lemma=flat_ring_time),
    ),
    source=Source("NVIDIA NCCL", "rings through nodes; PyTorch documentation, fully_shard: gathers forward and backward, and a reduction"),
    counted=count,
    where=flat_ring_time.where,
    published=(
        Published(
            {
                S: 16 * 10**9, N: 16, r: 1, n_node: 8, n_link: 8, W: 10**11, W_net: 10**10,
                T_lat: Fraction(1, 1000), T_net: Fraction(1, 1000),
            },
            Fraction(6075, 10000), Source("by hand", "45 steps of 1 ms and of an eighth of 1 GB over each of eight links of 10 GB/s"),
        ),
    ),
)  # fmt: skip

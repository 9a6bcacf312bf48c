"""A ring all-reduce goes round twice, and pays a latency in each step of both rounds.

First partial sums go round (a reduce-scatter), then the summed shards (an all-gather): twice N - 1 messages of one padded shard each.
"""

from fractions import Fraction

from sympy import Rational, Sum, ceiling

from ...algebra.formula import Formula, Published, Source
from ...algebra.hypotheses import Divides
from ...algebra.steps import Same, Using
from ...algebra.vocabulary import N, S, T_lat, T_msg, T_rar, V, W, i
from ..communication.ring import ring_all_gather, ring_reduce_scatter
from .message_time import message_time
from .messages import one_after_another

ring_all_reduce_time = Formula(
    __name__,
    defines=T_rar,
    start=Sum(2 * T_msg, (i, 1, N - 1)),
    steps=(
        Using(
            Sum(2 * (T_lat + ceiling(S / N) / W), (i, 1, N - 1)), "a message of each round is one shard",
            lemma=message_time, at={V: ceiling(S / N)},
        ),
        Same(2 * (N - 1) * (T_lat + ceiling(S / N) / W), "all steps take the same time"),
        Same(2 * (N - 1) * (T_lat + S / (N * W)), "no shard is padded", given=(Divides(N, S),)),
    ),
    source=Source("Patarasuk and Yuan 2009, Bandwidth optimal all-reduce algorithms for clusters of workstations", "ring"),
    counted=lambda S, N, W, T_lat: one_after_another([*ring_reduce_scatter(S, N), *ring_all_gather(S, N)], W, T_lat),
    published=(
        Published(
            {S: 10**8, N: 16, W: 10**11, T_lat: Fraction(1, 10**5)}, Rational(2175, 10**6),
            Source("the latency-bandwidth model by hand", "30 steps of 10 µs and of 6.25 MB at 100 GB/s"),
        ),
    ),
)  # fmt: skip

"""An all-to-all sends each rank a part of its own, so that it takes N - 1 messages of an N-th.

Every rank cuts what it has, S bytes, into a part for each rank, and keeps its own. The parts go straight to their ranks, in as many rounds
as there are other ranks: in each round everybody sends one part and receives one. Nothing is passed on, and yet it takes as long as a ring
all-gather of S bytes: as many messages, each as large.
"""

from fractions import Fraction

from sympy import Rational, Sum, ceiling

from ...algebra.formula import Formula, Published, Source
from ...algebra.hypotheses import Divides
from ...algebra.steps import Same, Using
from ...algebra.vocabulary import N, S, T_a2a, T_lat, T_msg, V, W, i
from ..communication.ring import shard_bytes
from ..time.timeline import Number
from .message_time import message_time
from .messages import one_after_another


def count(S: int, N: int, W: Number, T_lat: Number) -> Fraction:
    """Rounds in which everybody hears from the rank that is one farther away, until all have heard from all."""
    parts = shard_bytes(S, N)
    heard = [{rank} for rank in range(N)]
    rounds: list[int] = []
    while {len(ranks) for ranks in heard} != {N}:
        senders = [(rank - len(rounds) - 1) % N for rank in range(N)]
        assert sorted(senders) == list(range(N)), "everybody sends one part a round"
        for ranks, sender in zip(heard, senders, strict=True):
            ranks.add(sender)
        rounds.append(parts[len(rounds)])
    return one_after_another(rounds, W, T_lat)


all_to_all_time = Formula(
    __name__,
    defines=T_a2a,
    start=Sum(T_msg, (i, 1, N - 1)),
    steps=(
        Using(Sum(T_lat + ceiling(S / N) / W, (i, 1, N - 1)), "a message is one rank's part", lemma=message_time, at={V: ceiling(S / N)}),
        Same((N - 1) * (T_lat + ceiling(S / N) / W), "all parts are of one size"),
        Same((N - 1) * (T_lat + S / (N * W)), "no part is padded", given=(Divides(N, S),)),
    ),
    source=Source("Thakur, Rabenseifner and Gropp 2005, Optimization of collective communication operations in MPICH", "pairwise exchange"),
    counted=count,
    published=(
        Published(
            {S: 10**8, N: 16, W: 10**11, T_lat: Fraction(1, 10**5)}, Rational(10875, 10**7),
            Source("NVIDIA nccl-tests", "doc/PERFORMANCE.md: the factor (n-1)/n of an all-gather; with 15 latencies of 10 µs"),
        ),
    ),
)  # fmt: skip

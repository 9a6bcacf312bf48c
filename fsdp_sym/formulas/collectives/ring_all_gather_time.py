"""A ring all-gather pays a latency in each of its steps.

N - 1 messages come one after the other, each one padded shard long. The bytes saturate as ranks are added, the latencies add up without
end: a small tensor on many ranks waits for latency alone. A ring reduce-scatter takes as long, adding aside.
"""

from fractions import Fraction

from sympy import Rational, Sum, ceiling

from ...algebra.formula import Formula, Published, Source
from ...algebra.hypotheses import Divides
from ...algebra.steps import Same, Using
from ...algebra.vocabulary import N, S, T_lat, T_msg, T_rag, V, W, i
from ..communication.ring import ring_all_gather
from .message_time import message_time
from .messages import one_after_another

ring_all_gather_time = Formula(
    __name__,
    defines=T_rag,
    start=Sum(T_msg, (i, 1, N - 1)),
    steps=(
        Using(Sum(T_lat + ceiling(S / N) / W, (i, 1, N - 1)), "a message is one shard", lemma=message_time, at={V: ceiling(S / N)}),
        Same((N - 1) * (T_lat + ceiling(S / N) / W), "all N - 1 steps take the same time"),
        Same((N - 1) * (T_lat + S / (N * W)), "no shard is padded", given=(Divides(N, S),)),
    ),
    source=Source("Thakur, Rabenseifner and Gropp 2005, Optimization of collective communication operations in MPICH", "ring all-gather"),
    counted=lambda S, N, W, T_lat: one_after_another(ring_all_gather(S, N), W, T_lat),
    published=(
        Published(
            {S: 10**8, N: 16, W: 10**11, T_lat: Fraction(1, 10**5)}, Rational(10875, 10**7),
            Source("the latency-bandwidth model by hand", "15 steps of 10 µs and of 6.25 MB at 100 GB/s"),
        ),
    ),
)  # fmt: skip

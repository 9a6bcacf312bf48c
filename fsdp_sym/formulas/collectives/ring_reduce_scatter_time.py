"""A ring reduce-scatter takes as long as a ring all-gather: one message of a shard in each of N - 1 steps.

What comes is a partial sum, to which a rank adds its own part before it passes it on; the adding itself is not counted. After the last
step each rank holds the full sum of one shard.
"""

from fractions import Fraction

from sympy import Rational, Sum, ceiling

from ...algebra.formula import Formula, Published, Source
from ...algebra.hypotheses import Divides
from ...algebra.steps import Same, Using
from ...algebra.vocabulary import N, S, T_lat, T_msg, T_rrs, V, W, i
from ..communication.ring import ring_reduce_scatter
from .message_time import message_time
from .messages import one_after_another

ring_reduce_scatter_time = Formula(
    __name__,
    defines=T_rrs,
    start=Sum(T_msg, (i, 1, N - 1)),
    steps=(
        Using(
            Sum(T_lat + ceiling(S / N) / W, (i, 1, N - 1)), "a message is the partial sum of one shard",
            lemma=message_time, at={V: ceiling(S / N)},
        ),
        Same((N - 1) * (T_lat + ceiling(S / N) / W), "all N - 1 steps take the same time"),
        Same((N - 1) * (T_lat + S / (N * W)), "no shard is padded", given=(Divides(N, S),)),
    ),
    source=Source("Thakur, Rabenseifner and Gropp 2005, Optimization of collective communication operations in MPICH", "reduce-scatter"),
    counted=lambda S, N, W, T_lat: one_after_another(ring_reduce_scatter(S, N), W, T_lat),
    published=(
        Published(
            {S: 10**8, N: 16, W: 10**11, T_lat: Fraction(1, 10**5)}, Rational(10875, 10**7),
            Source("the latency-bandwidth model by hand", "half of a ring all-reduce of 2.175 ms"),
        ),
    ),
)  # fmt: skip

"""A bucket must be so large that latency is no more than the share of its time that one will spare.

Ten percent of latency is an efficiency of ninety: the bucket then holds nine times what the link carries during one latency.
"""

from fractions import Fraction

from sympy import Eq

from ...algebra.formula import Formula, Published, Source
from ...algebra.steps import Solved, Using
from ...algebra.vocabulary import S_eff, T_lat, T_msg, V, W, x_lat
from ..time.timeline import Number, in_a_row, passing_time
from .message_time import message_time


def count(W: Number, T_lat: Number, x_lat: Number) -> Fraction:
    """A message's time in equal slots, so many of them latency as the share says: bytes pass in the others, and the bucket is sent."""
    share = Fraction(x_lat)
    slot = Fraction(T_lat) / share.numerator
    found = sum((slot * W for _ in range(share.numerator, share.denominator)), Fraction(0))
    (_, sent), (_, through) = in_a_row(T_lat, passing_time(found, W))
    assert sent == share * through
    return found


bucket_for_efficiency = Formula(
    __name__,
    defines=S_eff,
    start=Eq(x_lat * T_msg, T_lat),
    steps=(
        Using(Eq(x_lat * (T_lat + S_eff / W), T_lat), "the bucket is one message", lemma=message_time, at={V: S_eff}),
        Solved(T_lat * W * (1 - x_lat) / x_lat, "what is no latency is left to the bytes"),
    ),
    source=Source("Hockney 1994, The communication challenge for MPP", "half-performance message length"),
    counted=count,
    published=(
        Published(
            {T_lat: Fraction(1, 10**4), W: 125 * 10**8, x_lat: Fraction(1, 10)}, 11250000,
            Source("the latency-bandwidth model by hand", "90 % of 12.5 GB/s at 100 µs: nine times 1.25 MB"),
        ),
    ),
)  # fmt: skip

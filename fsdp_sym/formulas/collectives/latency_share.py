"""The share of a message's time that is latency falls with its size.

What is left to one is the efficiency: the share of the link's bandwidth that the message reaches. A message as large as latency times
bandwidth reaches half of it.
"""

from fractions import Fraction

from sympy import Eq

from ...algebra.formula import Formula, Source
from ...algebra.steps import Solved, Using
from ...algebra.vocabulary import T_lat, T_msg, V, W, x_lat
from ..time.timeline import Number, in_a_row, passing_time
from .message_time import message_time


def count(V: int, W: Number, T_lat: Number) -> Fraction:
    """Where on the message's own clock the first byte passes."""
    (_, sent), (_, through) = in_a_row(T_lat, passing_time(V, W))
    return sent / through


latency_share = Formula(
    __name__,
    defines=x_lat,
    start=Eq(x_lat * T_msg, T_lat),
    steps=(
        Using(Eq(x_lat * (T_lat + V / W), T_lat), "the message's time", lemma=message_time),
        Solved(T_lat / (T_lat + V / W), "a share is taken of the whole time"),
    ),
    source=Source("Hockney 1994, The communication challenge for MPP", "half-performance message length"),
    counted=count,
)

"""A message takes its latency, and then its bytes pass.

The latency is the same for a byte and for a gigabyte; the rest is bytes over the bandwidth of one direction. In the literature this is
the alpha-beta model: alpha a message, beta a byte.
"""

from ...algebra.formula import Formula, Source
from ...algebra.steps import Using
from ...algebra.vocabulary import T, T_lat, T_msg, V, W
from ..time.timeline import finish, passing_time
from ..time.transfer_time import transfer_time

message_time = Formula(
    __name__,
    defines=T_msg,
    start=T_lat + T,
    steps=(Using(T_lat + V / W, "the bytes follow once the message is on its way", lemma=transfer_time),),
    source=Source("Hockney 1994, The communication challenge for MPP", "latency and asymptotic bandwidth"),
    counted=lambda V, W, T_lat: finish(T_lat, passing_time(V, W)),
)

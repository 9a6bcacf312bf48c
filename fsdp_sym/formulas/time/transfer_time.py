"""Time on a link is bytes over bandwidth.

No latency, no protocol overhead: the time until the last of V bytes has passed a link of W bytes per second.
"""

from sympy import Eq

from ...algebra.formula import Formula, Source
from ...algebra.steps import Solved
from ...algebra.vocabulary import T, V, W
from .timeline import passing_time

transfer_time = Formula(
    __name__,
    defines=T,
    start=Eq(W * T, V),
    steps=(Solved(V / W, "in time T the link carries W T bytes, and that must be all of them"),),
    source=Source("by definition", "bandwidth is bytes per second"),
    counted=lambda V, W: passing_time(V, W),
)

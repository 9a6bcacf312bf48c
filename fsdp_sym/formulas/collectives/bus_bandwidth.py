"""An all-reduce's bus bandwidth is what each rank receives over the time it took.

S over the time alone, the algorithm bandwidth, falls as ranks are added even where every link runs at its rate; the bus bandwidth can be
held against the link's. So nccl-tests defines both.
"""

from fractions import Fraction

from sympy import oo

from ...algebra.formula import Formula, Published, Source
from ...algebra.steps import Near, Using
from ...algebra.vocabulary import N, S, T_comm, V_ar, W_bus
from ..communication.all_reduce import all_reduce
from ..communication.ring import ring_all_gather, ring_reduce_scatter

_NCCL = "NVIDIA nccl-tests"


def count(S: int, N: int, T_comm: int | Fraction) -> Fraction:
    """Each step's bytes, spread evenly over the time that was measured."""
    return sum((step / Fraction(T_comm) for step in (*ring_reduce_scatter(S, N), *ring_all_gather(S, N))), Fraction(0))


bus_bandwidth = Formula(
    __name__,
    defines=W_bus,
    start=V_ar / T_comm,
    steps=(
        Using(2 * S * (N - 1) / (N * T_comm), "the bytes one rank receives", lemma=all_reduce),
        Near(2 * S / T_comm, "one's own shard is a vanishing part of the whole", limit=(N, oo)),
    ),
    source=Source(_NCCL, "doc/PERFORMANCE.md, bus bandwidth"),
    counted=count,
    published=(
        Published({S: 20 * 10**9, N: 8, T_comm: 1}, 35 * 10**9, Source(_NCCL, "20 GB/s of algorithm bandwidth on 8 ranks")),
        Published(
            {S: 17179869184, N: 8, T_comm: Fraction(127997, 10**6)}, 2349 * 10**8, Source("nccl-tests on 8 A100", "234.9 GB/s"), digits=4,
        ),
    ),
)  # fmt: skip

"""An all-gather on a slow link takes as long as the foreign shards need to pass.

Time is the bytes one rank receives over the bandwidth of its link, whose rate is printed in bits per second;
no latency. On many ranks it tends to the time of the whole tensor.
"""

from fractions import Fraction

from sympy import Rational, oo

from ...algebra.formula import Formula, Published, Source
from ...algebra.steps import Near, Using
from ...algebra.vocabulary import N, R_bit, S, T_ag, V_ag, W, n_bit
from ..communication.all_gather import all_gather
from ..communication.ring import ring_all_gather
from .link_bandwidth import link_bandwidth
from .timeline import byte_time


def count(S: int, N: int, R_bit: int | Fraction, n_bit: int) -> Fraction:
    """A clock that runs while the ring passes shards, one shard a step."""
    clock = Fraction(0)
    for received in ring_all_gather(S, N):
        clock += received * byte_time(R_bit, n_bit)
    return clock


all_gather_time = Formula(
    __name__,
    defines=T_ag,
    start=V_ag / W,
    steps=(
        Using(S * (N - 1) / (N * W), "the bytes one rank receives", lemma=all_gather),
        Using(S * n_bit * (N - 1) / (N * R_bit), "the link's rate in bytes", lemma=link_bandwidth),
        Near(S * n_bit / R_bit, "one's own shard is a vanishing part of the whole", limit=(N, oo)),
    ),
    source=Source("NVIDIA nccl-tests", "doc/PERFORMANCE.md, time = S/busbw * (n-1)/n"),
    counted=count,
    published=(
        Published(
            {S: 4096 * 65536 * 2, N: 8, R_bit: 3600 * 10**9, n_bit: 8}, Rational(104392, 10**8),
            Source("How to Scale Your Model", "bf16[4096, 65536] over 8 devices at 450 GB/s"), digits=6,
        ),
    ),
)  # fmt: skip
